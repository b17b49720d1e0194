// The plates of the players next to the board of a game: captured pieces, material, clock, and who is to move.

import { make } from './dom.js';
import { words } from './words.js';

const roles = { q: 'queen', r: 'rook', b: 'bishop', n: 'knight', p: 'pawn', k: 'king' };
const values = { q: 9, r: 5, b: 3, n: 3, p: 1, k: 0 };
const letters = Object.keys(roles);

// How many pieces of a side are on the board of a FEN, by letter.
function pieces(fen, side) {
  const board = fen.split(/[ []/, 1)[0];
  const of = (letter) => (side === 'white' ? letter.toUpperCase() : letter);
  return letters.map((letter) => board.split(of(letter)).length - 1);
}

export const isOfWhite = (move) => move.dataset.fen.split(' ')[1] === 'b';

// Shows the position after the moves of a path from a start position.
export function showPlates(start, path, clocks) {
  const fen = path.at(-1)?.dataset.fen ?? start;
  const captured = { white: letters.map(() => 0), black: letters.map(() => 0) };
  let before = start;
  for (const move of path) {
    const loser = isOfWhite(move) ? 'black' : 'white';
    const after = pieces(move.dataset.fen, loser);
    pieces(before, loser).forEach((count, role) => (captured[loser][role] += Math.max(0, count - after[role])));
    before = move.dataset.fen;
  }
  const material = (side) => pieces(fen, side).reduce((sum, count, role) => sum + count * values[letters[role]], 0);
  for (const plate of document.querySelectorAll('.plate')) {
    const { side, clock } = plate.dataset;
    const other = side === 'white' ? 'black' : 'white';
    const lead = material(side) - material(other);
    plate.classList.toggle('active', (fen.split(' ')[1] === 'w') === (side === 'white'));
    plate.querySelector('.lead').textContent = lead > 0 ? `+${lead}` : '';
    plate.querySelector('.time').textContent = clocks(side) ?? clock;
    list(plate.querySelector('.captured'), other, captured[other]);
  }
}

function list(host, colour, counts) {
  const kinds = counts.map((count, role) => [count, roles[letters[role]]]).filter(([count]) => count > 0);
  const figures = ([count, role]) =>
    make('span', { class: 'cg-wrap' }, ...Array.from({ length: count }, () => make('piece', { class: `${role} ${colour}` })));
  host.replaceChildren(...kinds.map(figures));
  if (kinds.length === 0) return ['role', 'aria-label'].forEach((name) => host.removeAttribute(name));
  host.setAttribute('role', 'img');
  const names = kinds.map(([count, role]) => `${count} × ${words[role]}`);
  host.setAttribute('aria-label', `${words.captured}: ${names.join(', ')}`);
}
