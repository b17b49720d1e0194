// Prints the games of ten tournaments of invented players as PGN, the same at every run.

const players = 'Alder,A Birch,B Cedar,C Dogwood,D Elm,E Fir,F Gum,G Hazel,H Ivy,I Juniper,J Larch,L Maple,M Oak,O Pine,P'.split(' ');
const lines = [
  '1. e4 c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 a6 6. Be3 e5 7. Nb3 Be6 8. f3 Be7',
  '1. e4 c5 2. Nf3 Nc6 3. Bb5 g6 4. O-O Bg7 5. Re1 e5 6. Bxc6 dxc6 7. d3 Qe7',
  '1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O',
  '1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. c3 Nf6 5. d3 d6 6. O-O a6 7. a4 Ba7 8. Re1 O-O',
  '1. e4 e6 2. d4 d5 3. Nc3 Nf6 4. e5 Nfd7 5. f4 c5 6. Nf3 Nc6 7. Be3 cxd4',
  '1. e4 c6 2. d4 d5 3. e5 Bf5 4. Nf3 e6 5. Be2 c5 6. Be3 cxd4 7. Nxd4 Ne7',
  '1. d4 Nf6 2. c4 e6 3. Nc3 Bb4 4. e3 O-O 5. Bd3 d5 6. Nf3 c5 7. O-O Nc6',
  '1. d4 Nf6 2. c4 g6 3. Nc3 Bg7 4. e4 d6 5. Nf3 O-O 6. Be2 e5 7. O-O Nc6',
  '1. d4 d5 2. c4 c6 3. Nf3 Nf6 4. Nc3 e6 5. e3 Nbd7 6. Bd3 dxc4 7. Bxc4 b5',
  '1. d4 d5 2. c4 e6 3. Nc3 Nf6 4. Bg5 Be7 5. e3 O-O 6. Nf3 Nbd7 7. Rc1 c6',
  '1. c4 e5 2. Nc3 Nf6 3. Nf3 Nc6 4. g3 d5 5. cxd5 Nxd5 6. Bg2 Nb6 7. O-O Be7',
  '1. Nf3 d5 2. g3 Nf6 3. Bg2 e6 4. O-O Be7 5. d3 O-O 6. Nbd2 c5 7. e4 Nc6',
];

let state = 1;
function random() {
  state = (state * 48271) % 2147483647;
  return state / 2147483647;
}

const ratings = players.map((_, place) => 2620 - 25 * place);
for (let year = 2015; year < 2025; year += 1) {
  for (const place of ratings.keys()) ratings[place] += Math.round(40 * random() - 20);
  for (let round = 1; round < players.length; round += 1) {
    const circle = players.slice(1).map((_, place) => 1 + ((place + round) % (players.length - 1)));
    const table = [0, ...circle];
    for (let board = 0; board < players.length / 2; board += 1) {
      const pair = [table[board], table.at(-1 - board)];
      const [white, black] = (round + board) % 2 ? pair : pair.reverse();
      const chance = random() - (ratings[white] - ratings[black]) / 1200;
      const result = chance < 0.33 ? '1-0' : chance < 0.72 ? '1/2-1/2' : '0-1';
      // Everybody has some openings with each colour.
      const line = lines[(5 * white + 3 * black + Math.floor(3 * random())) % lines.length];
      const tags = {
        Event: 'Forest Cup', Site: 'Glade', Date: `${year}.06.${String(round).padStart(2, '0')}`, Round: round,
        White: players[white].replace(',', ', '), Black: players[black].replace(',', ', '), Result: result,
        WhiteElo: ratings[white], BlackElo: ratings[black],
      };
      for (const [name, value] of Object.entries(tags)) console.log(`[${name} "${value}"]`);
      console.log(`\n${line} ${result}\n`);
    }
  }
}
