//! All texts of the pages, in all their languages. `web/src/words.*.json` has them, one file per language, together
//! with the texts of the script.

use std::{collections::BTreeMap, sync::LazyLock};

use crate::{import::Note, pgn::CommentLanguage, request::Requirement};

macro_rules! words {
    ($($name:ident)*) => {
        /// The texts of a page, by their keys in the files.
        #[derive(Debug)]
        pub(super) struct Messages {
            $(pub $name: &'static str,)*
            /// Sentences of the log: from English to the language of the page.
            sentences: MessageSection,
            /// The notes of imports, by their keys; empty in English.
            notes: MessageSection,
            /// Names of languages: from English to the language of the page.
            languages: MessageSection,
        }

        impl Messages {
            fn read(json: &'static str) -> Messages {
                let mut sections = sections(json);
                let texts: Vec<MessageSection> = ["page", "both"].map(|name| sections.remove(name).unwrap_or_default()).into();
                let text = |name| texts.iter().find_map(|texts| texts.get(name).copied()).unwrap_or_default();
                Messages {
                    $($name: text(stringify!($name)),)*
                    sentences: sections.remove("sentences").unwrap_or_default(),
                    notes: sections.remove("notes").unwrap_or_default(),
                    languages: sections.remove("languages").unwrap_or_default(),
                }
            }

            #[cfg(test)]
            const NAMES: &'static [&'static str] = &[$(stringify!($name)),*];
        }
    };
}

// The compiler checks that each is used, and the tests check that each is in the files.
words! {
    skip explorer games editor about sections theme figurines keys key_move key_ends key_flip key_first key_search
    key_help close footer bad_request not_found busy too_slow server_error to_explorer board white_moves black_moves
    flip white_king white_queen white_rook white_bishop white_knight white_pawn black_king black_queen black_rook
    black_bishop black_knight black_pawn start line moves_here no_moves one_ended many_ended a_move share results
    rating mean_rating all_moves by_transposition transpositions white_wins draws black_wins type_move no_move
    games_here edit_position archive filters active clear clear_all search player colour opponent white black event
    site date result eco opening plies variant position any yes conditions
    min_plies_alone any_file_alone then_alone within_alone facts_of_chess draw_pattern signs signs_about sign_piece
    sign_empty sign_any sign_run sign_one_of sign_none_of sign_material sign_range sign_colour one_game many_games
    found no_games no_player no_event no_site did_you_mean similar_names and more_names or game first_page next_page
    pages export report lead_on report_on score opponents performance explorer_as_white explorer_as_black
    won drawn lost player_results both unrated unknown by_colour by_rating by_year year openings openings_as_white
    openings_as_black lines_as_white lines_as_black other_first_moves all_results by_difference by_length endings
    pieces more_pieces movetext first back forward last steps copy_fen copy_pgn download explore_here tags clock
    eval evals evals_about nag_good nag_mistake nag_brilliant nag_blunder nag_interesting nag_dubious nag_only
    nag_equal nag_unclear nag_white_slightly nag_black_slightly nag_white_better nag_black_better nag_white_winning
    nag_black_winning nag_novelty nag_other fen fen_about find_position pattern_search pattern_about find_pattern
    no_fen file dates format indexed licence made_of api search_for menu about_archive years more_filters
    share_of_all white_score scores player_scores from to show_games any_value best_rated latest all_of last_year
    last_played_long strongest newest last_played performance_short copy copy_line copy_link set_up all_moves_link
    any_castling trend sections_here by_other_orders players events all_openings highest spellings spellings_about similar_spellings chosen_spellings
    prepare_white prepare_black all_games explore latest_games openings_with_white openings_with_black nameless
    faced score_by_year games_by_year most show_all as_csv against_rated crosstable standings points sonneborn
    rounds round after_round in_archive since_year many_players average_rating editions with_white with_black tree specialists_white specialists_black
    moves_long first_year variations name_begins no_opening show no_names previous_page left_out nearest list_all
    prepare prepare_against own_colour since rare min_games prepare_not_shown prepare_fewer_not_shown prepare_about own_lines compare_own compare_about own_pgn
    own_pgn_file compare gaps own_move in_own_pgn not_in_own_pgn no_own_answer bad_own_pgn large_own_pgn
    own_pgn_place own_pgn_empty own_pgn_long own_pgn_variant stay_in_lines leave_by_opponent leave_by_own never_in_lines captured
    mistakes time_left surprise surprise_about bits evaluation engine book draw_offer time new_move position_before list_games previous_game next_game back_to_list
    besides_this only_this last_here print play results_for positions nothing_called try_these opening_names moves
    on_board about_game choose_game choose_all chosen_games explore_chosen download_all no_game_has_all without_one
    without clear_filters names_match white_scores edit_title edit_badge edit_done edit_save_tags edit_new_tag
    edit_value edit_white_rating edit_black_rating edit_annotator edit_refused edit_comment edit_save edit_glyphs edit_glyphs_about edit_glyph_of_move edit_glyph_of_position edit_variation edit_variation_about edit_add edit_main_line edit_cut
    edit_pgn edit_save_pgn edit_keep_comment edit_remove edit_remove_these edit_remove_all edit_remove_listed edit_undo edit_redo
    edit_was_undone edit_choose_games edit_no_choice edit_first_games edit_undo_some edit_nothing edit_log edit_no_log edit_import edit_into edit_choose edit_drop edit_paste edit_pasted edit_files_about
    edit_start_import edit_read edit_new edit_known edit_rejected edit_noted edit_stored_as edit_former edit_import_again edit_import_broken edit_omitted edit_stop edit_games_read edit_save_left_out edit_more edit_line edit_import_report
    edit_conflict edit_again edit_no_access edit_no_access_how edit_all_changes edit_not_chess
    duplicates duplicates_about pairs duplicates_searching no_duplicates reload pair_differs pair_shorter pair_ending pair_transposed pair_other edit_keep_game edit_join edit_different
    edit_known_file not_here set_up_games of_all unmet_lines page pawn knight bishop rook queen king
}

pub(super) static ENGLISH: LazyLock<Messages> = LazyLock::new(|| Messages::read(TEXTS[0]));
pub(super) static GERMAN: LazyLock<Messages> = LazyLock::new(|| Messages::read(TEXTS[1]));

const TEXTS: [&str; 2] =
    [include_str!("../../../web/src/words.en.json"), include_str!("../../../web/src/words.de.json")];

/// Texts by key.
type MessageSection = BTreeMap<&'static str, &'static str>;

/// The sections of a file: the texts of pages, of the script, and of both; the sentences of the log, the notes of
/// imports, and the names of languages.
fn sections(json: &'static str) -> BTreeMap<&'static str, MessageSection> {
    serde_json::from_str(json).unwrap_or_default()
}

impl Messages {
    /// A sentence of the log, from English.
    pub(super) fn sentence(&self, english: &'static str) -> &'static str {
        self.sentences.get(english).copied().unwrap_or(english)
    }

    /// What an import noted about games.
    pub(super) fn note(&self, note: Note) -> &'static str {
        self.notes.get(note.key).copied().unwrap_or(note.text)
    }

    /// The name of a language of comments.
    pub(super) fn language(&self, language: &CommentLanguage) -> &'static str {
        self.languages.get(language.name).copied().unwrap_or(language.name)
    }

    /// The word for a tag; its name if there is none.
    pub(super) fn tag_label<'a>(&self, name: &'a str) -> &'a str {
        match name {
            "White" => self.white,
            "WhiteElo" => self.edit_white_rating,
            "Black" => self.black,
            "BlackElo" => self.edit_black_rating,
            "Result" => self.result,
            "Event" => self.event,
            "Site" => self.site,
            "Date" => self.date,
            "Round" => self.round,
            "ECO" => self.eco,
            "Annotator" => self.edit_annotator,
            name => name,
        }
    }

    /// What a condition requires, in the words of a form.
    pub(super) fn required(&self, required: Requirement) -> &'static str {
        match required {
            Requirement::MinPlies => self.min_plies_alone,
            Requirement::AnyFile => self.any_file_alone,
            Requirement::Then => self.then_alone,
            Requirement::Within => self.within_alone,
            Requirement::Chess => self.facts_of_chess,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::{collections::BTreeSet, fs};

    use super::*;
    use crate::{
        conditions::FilterText,
        edit::ChangeSentence,
        pgn::{COMMENT_LANGUAGES, Warning},
    };

    const SECTIONS: [&str; 3] = ["both", "page", "script"];

    #[test]
    fn both_languages_have_the_same_texts_and_variables() {
        let [english, german] = TEXTS.map(sections);
        for name in SECTIONS {
            assert!(english[name].keys().eq(german[name].keys()), "{name}");
            for (key, english) in &english[name] {
                let german = german[name][key];
                let variables = |text: &'static str| -> BTreeSet<&str> {
                    text.split('{').skip(1).filter_map(|rest| Some(rest.split_once('}')?.0)).collect()
                };
                assert!(!english.is_empty() && !german.is_empty(), "{key}");
                assert_eq!(variables(english), variables(german), "{key}");
            }
        }
    }

    #[test]
    fn every_text_belongs_to_a_page_or_to_the_script() {
        let sections = sections(TEXTS[0]);
        let of = |names: &[&str]| -> BTreeSet<&str> {
            names.iter().flat_map(|name| sections[name].keys().copied()).collect()
        };
        assert_eq!(of(&["page", "both"]), Messages::NAMES.iter().copied().collect());
        let script: String = fs::read_dir("web/src")
            .unwrap()
            .map(|file| file.unwrap().path())
            .filter(|path| path.extension().is_some_and(|extension| extension == "js"))
            .map(|path| fs::read_to_string(path).unwrap())
            .collect();
        // The script looks up pieces and sides by name.
        let said: BTreeSet<&str> = of(&["script", "both"])
            .into_iter()
            .filter(|name| script.contains(&format!("words.{name}")) || script.contains(&format!("'{name}'")))
            .collect();
        assert_eq!(said, of(&["script", "both"]));
    }

    #[test]
    fn every_sentence_of_the_log_is_translated() {
        let mut sentences = BTreeSet::new();
        for english in ChangeSentence::templates() {
            assert_ne!(GERMAN.sentence(english), english);
            sentences.insert(GERMAN.sentence(english));
        }
        assert_eq!(sentences.len(), GERMAN.sentences.len(), "{sentences:?}");
    }

    #[test]
    fn every_note_of_an_import_is_translated() {
        let mut keys: BTreeSet<String> = Warning::ALL.map(|warning| warning.key().to_owned()).into();
        for kind in ["source", "source/chessbase", "source/scid", "writer"] {
            for file in fs::read_dir(format!("src/import/{kind}")).unwrap() {
                let text = fs::read_to_string(file.unwrap().path()).unwrap_or_default();
                let product = text.split("#[cfg(test)]").next().unwrap_or_default();
                let notes = product.split("key: \"").skip(1).filter_map(|rest| rest.split('"').next());
                keys.extend(notes.map(str::to_owned));
            }
        }
        assert_eq!(GERMAN.notes.keys().map(|key| (*key).to_owned()).collect::<BTreeSet<_>>(), keys);
        for warning in Warning::ALL {
            assert_ne!(GERMAN.note(warning.into()), warning.text());
            assert_eq!(ENGLISH.note(warning.into()), warning.text());
        }
    }

    #[test]
    fn every_language_of_comments_has_a_german_name() {
        let languages: BTreeSet<_> =
            COMMENT_LANGUAGES.iter().map(|language| GERMAN.language(language)).collect();
        assert!(COMMENT_LANGUAGES.iter().all(|language| !languages.contains(language.name)));
        assert_eq!(languages.len(), GERMAN.languages.len());
    }

    #[test]
    fn a_condition_that_needs_a_missing_one_is_an_error() {
        let any = "*/*/*/*/*/*/*/*";
        for filter in [
            vec![("min_plies", "3")],
            vec![("then", any)],
            vec![("pattern", any), ("within", "3")],
            vec![("en_passant", "yes"), ("variant", "Atomic")],
            vec![("result", "won")],
            vec![("any_file", "yes")],
        ] {
            assert!(FilterText::of(filter).unwrap().search().is_err());
        }
    }
}
