// The board as a table of squares, for screen readers.

import { parseBoardFen } from 'chessops/fen';
import { parseSquare } from 'chessops/util';
import { make } from './dom.js';
import { fill, words } from './words.js';

const files = [...'abcdefgh'];
const ranks = [...'87654321'];

export function squareTable(fen) {
  const [placement, turn] = fen.split(' ');
  const board = parseBoardFen(placement.replace(/\[.*/, '')).unwrap((found) => found, () => null);
  const said = (square) => {
    const piece = board?.get(parseSquare(square));
    return piece ? fill(words.square, { colour: words[piece.color], role: words[piece.role] }) : '';
  };
  const row = (rank) =>
    make('tr', {}, make('th', { scope: 'row' }, rank), ...files.map((file) => make('td', {}, said(file + rank))));
  const caption = `${words.board}: ${fill(words.to_move, { side: turn === 'b' ? words.black : words.white })}`;
  const table = make(
    'table',
    {},
    make('caption', {}, caption),
    make('thead', {}, make('tr', {}, make('td'), ...files.map((file) => make('th', { scope: 'col' }, file)))),
    make('tbody', {}, ...ranks.map(row)),
  );
  // A table cannot be made smaller than its cells.
  return make('div', { class: 'squares off-screen' }, table);
}
