//! Every text of the pages, in every language that they speak. What the script says stands in `web/src/words.js`.

macro_rules! words {
    ($($name:ident: $english:literal, $german:literal;)*) => {
        /// The texts of a page.
        #[derive(Debug)]
        pub(super) struct Words { $(pub $name: &'static str,)* }

        pub(super) const ENGLISH: Words = Words { $($name: $english,)* };
        pub(super) const GERMAN: Words = Words { $($name: $german,)* };
    };
}

words! {
    // Every page.
    skip: "Skip to the content", "Zum Inhalt springen";
    explorer: "Explorer", "Explorer";
    games: "Games", "Partien";
    editor: "Editor", "Editor";
    about: "About", "Über";
    sections: "Sections of the site", "Bereiche der Seite";
    theme: "Dark or light", "Dunkel oder hell";
    figurines: "Figurines", "Figurinen";
    keys: "Keys", "Tasten";
    key_move: "back and forward", "zurück und vor";
    key_ends: "start and end", "Anfang und Ende";
    key_flip: "turn the board", "das Brett drehen";
    key_first: "play the first or the selected move", "den ersten oder den gewählten Zug spielen";
    key_search: "search", "suchen";
    key_help: "these keys", "diese Tasten";
    close: "Close", "Schließen";
    footer: "plybook shows the games of this archive. Nothing is loaded from elsewhere.",
        "plybook zeigt die Partien dieses Archivs. Nichts wird von anderswo geladen.";
    failed: "There is no answer", "Es gibt keine Antwort";
    to_explorer: "To the explorer", "Zum Explorer";
    // Boards.
    board: "Board", "Brett";
    white_moves: "White to move", "Weiß am Zug";
    black_moves: "Black to move", "Schwarz am Zug";
    flip: "Turn the board", "Brett drehen";
    white_king: "white king", "weißer König";
    white_queen: "white queen", "weiße Dame";
    white_rook: "white rook", "weißer Turm";
    white_bishop: "white bishop", "weißer Läufer";
    white_knight: "white knight", "weißer Springer";
    white_pawn: "white pawn", "weißer Bauer";
    black_king: "black king", "schwarzer König";
    black_queen: "black queen", "schwarze Dame";
    black_rook: "black rook", "schwarzer Turm";
    black_bishop: "black bishop", "schwarzer Läufer";
    black_knight: "black knight", "schwarzer Springer";
    black_pawn: "black pawn", "schwarzer Bauer";
    // The explorer.
    start: "Start position", "Grundstellung";
    line: "Moves so far", "Bisherige Züge";
    moves_here: "Moves played here", "Hier gespielte Züge";
    no_moves: "No game of this archive went on from here.", "Keine Partie des Archivs ging von hier weiter.";
    one_ended: "One game ended here.", "Eine Partie endete hier.";
    many_ended: "games ended here.", "Partien endeten hier.";
    a_move: "Move", "Zug";
    share: "Share", "Anteil";
    results: "White / draw / Black", "Weiß / remis / Schwarz";
    rating: "Rating", "Elo";
    mean_rating: "Mean rating of the side that moves", "Mittlere Elo-Zahl der Seite am Zug";
    stands_after: "In all", "Insgesamt";
    stands_after_long: "Games that stand in the position after the move, by any order of moves, where they are more",
        "Partien, die in der Stellung nach dem Zug stehen, gleich durch welche Zugfolge, wo es mehr sind";
    all_moves: "All", "Alle";
    by_transposition: "By transposition", "Durch Zugumstellung";
    transpositions: "Moves that nobody played here, to positions that games reach",
        "Züge, die hier niemand gespielt hat, zu Stellungen, die Partien erreichen";
    white_wins: "White wins", "Weiß gewinnt";
    draws: "draws", "remis";
    black_wins: "Black wins", "Schwarz gewinnt";
    type_move: "Type a move", "Zug eingeben";
    play: "Play", "Spielen";
    no_move: "This is no legal move here:", "Das ist hier kein regelgerechter Zug:";
    games_here: "Games of the position", "Partien der Stellung";
    all_games_here: "As a list with all columns", "Als Liste mit allen Spalten";
    edit_position: "Edit the position", "Stellung bearbeiten";
    archive: "The archive", "Das Archiv";
    // Filters.
    filters: "Filters", "Filter";
    active: "Active filters", "Aktive Filter";
    clear: "clear", "entfernen";
    clear_all: "Clear all", "Alle entfernen";
    apply: "Apply", "Anwenden";
    search: "Search", "Suchen";
    player: "Player", "Spieler";
    colour: "Colour of the player", "Farbe des Spielers";
    opponent: "Opponent", "Gegner";
    white: "White", "Weiß";
    black: "Black", "Schwarz";
    event: "Event", "Turnier";
    site: "Site", "Ort";
    date: "Date", "Datum";
    result: "Result", "Ergebnis";
    eco: "ECO", "ECO";
    opening: "Opening", "Eröffnung";
    plies: "Plies", "Halbzüge";
    variant: "Variant", "Variante";
    position: "Position", "Stellung";
    any: "any", "beliebig";
    yes: "yes", "ja";
    // Conditions on what happens in games.
    conditions: "What happens in the games", "Was in den Partien geschieht";
    no_pattern: "This is no pattern:", "Das ist kein Muster:";
    no_material: "This is no material:", "Das ist kein Material:";
    who_won: "Won and lost need either a player or material, whose first side is meant; otherwise choose 1-0 or 0-1.",
        "Gewonnen und verloren brauchen entweder einen Spieler oder Material, dessen erste Seite gemeint ist; sonst wählen Sie 1-0 oder 0-1.";
    min_plies_alone: "A number of plies needs material or a pattern that lasts so long.",
        "Eine Zahl von Halbzügen braucht Material oder ein Muster, das so lange währt.";
    any_file_alone: "Any file is about a pattern, and there is none.",
        "Jede Linie gilt für ein Muster, und es gibt keines.";
    then_alone: "A pattern that comes then needs material or a pattern before it.",
        "Ein Muster, das danach kommt, braucht Material oder ein Muster davor.";
    within_alone: "A number of plies within which a pattern comes needs that pattern.",
        "Eine Zahl von Halbzügen, binnen derer ein Muster kommt, braucht dieses Muster.";
    facts_of_chess: "Ends of games, castling and en passant are known of standard chess and Chess960 alone.",
        "Partieende, Rochade und En passant sind nur vom Standardschach und von Chess960 bekannt.";
    draw_pattern: "Set up a pattern on a board", "Muster auf einem Brett aufstellen";
    signs: "How patterns and material are written", "Wie Muster und Material geschrieben werden";
    signs_about: "A pattern is eight ranks, from the eighth to the first, with / between them:",
        "Ein Muster sind acht Reihen von der achten bis zur ersten mit / dazwischen:";
    sign_piece: "a white piece, a black piece (K, Q, R, B, N, P)", "eine weiße, eine schwarze Figur (K, Q, R, B, N, P)";
    sign_empty: "so many empty squares", "so viele leere Felder";
    sign_any: "a square with anything", "ein Feld mit Beliebigem";
    sign_run: "any number of squares with anything", "beliebig viele Felder mit Beliebigem";
    sign_one_of: "one of these", "eines davon";
    sign_none_of: "anything but this", "alles außer diesem";
    sign_material: "the pieces of each side: here a rook and three pawns against a rook and two; any others besides are *",
        "die Figuren jeder Seite: hier ein Turm und drei Bauern gegen einen Turm und zwei; * sind beliebige dazu";
    sign_range: "no pawn to eight of them", "kein Bauer bis acht davon";
    sign_colour: "before a side: it is White, it is Black", "vor einer Seite: sie ist Weiß, sie ist Schwarz";
    // Lists of games.
    one_game: "1 game", "1 Partie";
    many_games: "games", "Partien";
    found: "Found games", "Gefundene Partien";
    no_games: "No game was found.", "Keine Partie wurde gefunden.";
    no_player: "No player is called", "Kein Spieler heißt";
    no_event: "No event is called", "Kein Turnier heißt";
    no_site: "No site is called", "Kein Ort heißt";
    did_you_mean: "Did you mean", "Meinten Sie";
    similar_names: "Similar, not counted", "Ähnlich, nicht mitgezählt";
    and: "and", "und";
    more_names: "more", "weitere";
    or: "or", "oder";
    game: "Game", "Partie";
    first_page: "First page", "Erste Seite";
    next_page: "Next page", "Nächste Seite";
    pages: "Pages", "Seiten";
    export: "Download as PGN", "Als PGN herunterladen";
    // Reports.
    report: "Report", "Bericht";
    lead_on: "These games elsewhere", "Diese Partien anderswo";
    report_on: "Report on these games", "Bericht über diese Partien";
    score: "Score, %", "Ergebnis, %";
    opponents: "Opponents", "Gegner";
    performance: "Performance", "Leistung";
    picture: "Picture", "Bild";
    explorer_as_white: "Explorer, as White", "Explorer, mit Weiß";
    explorer_as_black: "Explorer, as Black", "Explorer, mit Schwarz";
    won: "won", "gewonnen";
    drawn: "drawn", "remis";
    lost: "lost", "verloren";
    player_results: "Won / drawn / lost", "Gewonnen / remis / verloren";
    both: "Both", "Beide";
    unrated: "unrated", "ohne Elo";
    unknown: "unknown", "unbekannt";
    by_colour: "By colour", "Nach Farben";
    by_rating: "By the opponents' ratings", "Nach Elo der Gegner";
    by_year: "By year", "Nach Jahren";
    year: "Year", "Jahr";
    openings: "Openings by the last named position", "Eröffnungen nach der letzten benannten Stellung";
    openings_as_white: "Openings as White, by the last named position",
        "Eröffnungen mit Weiß nach der letzten benannten Stellung";
    openings_as_black: "Openings as Black, by the last named position",
        "Eröffnungen mit Schwarz nach der letzten benannten Stellung";
    lines_as_white: "First moves as White", "Erste Züge mit Weiß";
    lines_as_black: "Replies as Black", "Antworten mit Schwarz";
    all_results: "Results", "Ergebnisse";
    by_difference: "By White's rating less Black's", "Nach Elo von Weiß weniger Elo von Schwarz";
    by_length: "By length", "Nach Länge";
    endings: "Pieces left at the end, pawns apart", "Figuren am Ende, ohne Bauern";
    pieces: "Pieces", "Figuren";
    more_pieces: "more", "mehr";
    // A game.
    movetext: "Moves", "Züge";
    first: "Start", "Anfang";
    back: "Back", "Zurück";
    forward: "Forward", "Vor";
    last: "End", "Ende";
    steps: "Steps through the game", "Schritte durch die Partie";
    copy_fen: "Copy FEN", "FEN kopieren";
    copy_pgn: "Copy PGN", "PGN kopieren";
    download: "Download PGN", "PGN herunterladen";
    explore_here: "Explore this position", "Stellung im Explorer";
    tags: "Tags", "Angaben";
    clock: "clock", "Uhr";
    eval: "evaluation", "Bewertung";
    evals: "Evaluation by moves", "Bewertung nach Zügen";
    evals_about: "White's advantage is above the middle line.", "Vorteil für Weiß liegt über der Mittellinie.";
    nag_good: "good move", "guter Zug";
    nag_mistake: "mistake", "Fehler";
    nag_brilliant: "brilliant move", "glänzender Zug";
    nag_blunder: "blunder", "grober Fehler";
    nag_interesting: "interesting move", "interessanter Zug";
    nag_dubious: "dubious move", "zweifelhafter Zug";
    nag_only: "only move", "einziger Zug";
    nag_equal: "equal", "ausgeglichen";
    nag_unclear: "unclear", "unklar";
    nag_white_slightly: "White is slightly better", "Weiß steht etwas besser";
    nag_black_slightly: "Black is slightly better", "Schwarz steht etwas besser";
    nag_white_better: "White is better", "Weiß steht besser";
    nag_black_better: "Black is better", "Schwarz steht besser";
    nag_white_winning: "White is winning", "Weiß steht auf Gewinn";
    nag_black_winning: "Black is winning", "Schwarz steht auf Gewinn";
    nag_novelty: "novelty", "Neuerung";
    nag_other: "annotation", "Zeichen";
    // The editor.
    fen: "FEN", "FEN";
    fen_about: "Set up a position, or paste it as FEN; then look for it in the games.",
        "Stellen Sie eine Stellung auf oder fügen Sie sie als FEN ein; dann wird sie in den Partien gesucht.";
    find_position: "Explore this position", "Diese Stellung erforschen";
    pattern_search: "Search as a pattern", "Als Muster suchen";
    pattern_about: "Pieces stand where the pattern has them; every other square may hold anything.",
        "Figuren stehen, wo das Muster sie hat; auf jedem anderen Feld kann alles stehen.";
    find_pattern: "Find games", "Partien finden";
    no_fen: "This is not a position in FEN:", "Das ist keine Stellung in FEN:";
    // About.
    file: "File", "Datei";
    dates: "Dates", "Zeitraum";
    format: "Version of the format", "Version des Formats";
    indexed: "Games whose positions are indexed", "Partien mit indizierten Stellungen";
    licence: "plybook is free software under the GNU General Public License, version 3 or later.",
        "plybook ist freie Software unter der GNU General Public License, Version 3 oder später.";
    made_of: "Parts of the page and their licences", "Teile der Seite und ihre Lizenzen";
    api: "The same in JSON", "Dasselbe in JSON";
}
