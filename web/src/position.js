// Positions and moves: what the page's attributes hold, as chessops has it.

import { normalizeMove, setupPosition } from 'chessops/variant';
import { lichessRules } from 'chessops/compat';
import { makeFen, parseFen } from 'chessops/fen';
import { makeSanAndPlay } from 'chessops/san';
import { makeUci, parseUci } from 'chessops/util';

// The position of a FEN, or null where no moves can be made from it.
export function positionOf(fen, variant = 'standard') {
  return parseFen(fen).chain((setup) => setupPosition(lichessRules(variant), setup)).unwrap(
    (position) => position,
    () => null,
  );
}

export const fenOf = (position) => makeFen(position.toSetup());

// One text a move: castling is "king takes rook" always.
export function uciOf(position, move) {
  return makeUci(normalizeMove(position, move));
}

// Plays moves from a FEN: the position they lead to, and who made the last one, in SAN.
export function playFrom(fen, variant, moves) {
  const position = positionOf(fen, variant);
  let last = null;
  for (const uci of moves) {
    const move = position && parseUci(uci);
    if (!move || !position.isLegal(normalizeMove(position, move))) return null;
    const side = position.turn;
    last = { side, san: makeSanAndPlay(position, normalizeMove(position, move)) };
  }
  return position && { position, last };
}
