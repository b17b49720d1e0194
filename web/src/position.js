// Positions and moves, from the page's attributes to chessops objects.

import { castlingSide, normalizeMove, setupPosition } from 'chessops/variant';
import { lichessRules } from 'chessops/compat';
import { makeFen, parseFen } from 'chessops/fen';
import { makeSanAndPlay } from 'chessops/san';
import { COLORS } from 'chessops/types';
import { kingCastlesTo, makeUci, parseUci, squareFile } from 'chessops/util';

// The position of a FEN, or null if no moves can be made from it.
export function positionOf(fen, variant = 'standard') {
  return parseFen(fen).chain((setup) => setupPosition(lichessRules(variant), setup)).unwrap(
    (position) => position,
    () => null,
  );
}

export const fenOf = (position) => makeFen(position.toSetup());

// One notation per move: castling is "king takes rook" if a king or rook may be elsewhere than in standard chess.
export function uciOf(position, move) {
  const side = castlingSide(position, move);
  const to = side && isStandard(position) ? kingCastlesTo(position.turn, side) : undefined;
  return makeUci(to === undefined ? normalizeMove(position, move) : { from: move.from, to });
}

// Whether kings and rooks with castling rights are on their squares of standard chess.
function isStandard({ board, castles }) {
  return COLORS.every((colour) => {
    const { a, h } = castles.rook[colour];
    const king = a === undefined && h === undefined ? 4 : squareFile(board.kingOf(colour));
    return king === 4 && squareFile(a ?? 0) === 0 && squareFile(h ?? 7) === 7;
  });
}

// Plays moves from a FEN: returns the position, and the last move in SAN with its side.
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
