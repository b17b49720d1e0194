// A board that accepts moves, replacing the server's image.

import { Chessground } from '@lichess-org/chessground';
import { chessgroundDests } from 'chessops/compat';
import { makeSan } from 'chessops/san';
import { parseSquare } from 'chessops/util';
import { make } from './dom.js';
import { fitToPaper } from './paper.js';
import { drawPockets } from './pockets.js';
import { positionOf, uciOf } from './position.js';
import { askPromotion } from './promotion.js';
import { squareTable } from './squares.js';

const brushes = { G: 'green', R: 'red', B: 'blue', Y: 'yellow' };
// Arrows of moves: the most played one, and others.
const moveBrushes = {
  move: { key: 'move', color: 'var(--arrow)', opacity: 0.9, lineWidth: 10 },
  others: { key: 'others', color: 'var(--arrow)', opacity: 0.6, lineWidth: 10 },
};
const still = () => matchMedia('(prefers-reduced-motion: reduce)').matches;

// The squares of a move in UCI: one for a drop, otherwise from and to.
const squaresOf = (uci) => (uci.includes('@') ? [uci.slice(2, 4)] : [uci.slice(0, 2), uci.slice(2, 4)]);

// "Ge2e4,Rd5": green arrow, red circle.
function shapesOf(text) {
  return (text || '')
    .split(',')
    .filter((shape) => /^[GRBY]([a-h][1-8]){1,2}$/.test(shape))
    .map((shape) => ({ brush: brushes[shape[0]], orig: shape.slice(1, 3), dest: shape.slice(3, 5) || undefined }));
}

// "e2e4:0.52,d2d4:0.31": an arrow for each move, as wide as it is popular; the first is the darkest.
function arrowsOf(text) {
  return (text || '')
    .split(',')
    .filter((move) => /^[a-h][1-8][a-h][1-8]/.test(move))
    .map((move, index) => {
      const [orig, dest] = squaresOf(move);
      const lineWidth = 4 + 12 * Number(move.split(':')[1] || 0);
      return { orig, dest, brush: index === 0 ? 'move' : 'others', modifiers: { lineWidth } };
    });
}

// Mounts a board in an element. `onMove(uci, san)` is called with legal moves; without it the board is read-only.
export function mountBoard(host, onMove) {
  const ground = make('div', { 'aria-hidden': 'true' });
  const [above, below] = [make('ul', { class: 'pocket' }), make('ul', { class: 'pocket' })];
  let squares = make('div');
  host.replaceChildren(above, ground, below, squares);

  const { fen: first, variant, last: from, shapes, moves } = host.dataset;
  let shown = { fen: first, variant, last: from, shapes, moves };
  let position = null;
  const tell = (move) => {
    if (position?.isLegal(move)) onMove(uciOf(position, move), makeSan(position, move));
    else show(shown);
  };
  const moved = async (from, to) => {
    const move = { from: parseSquare(from), to: parseSquare(to) };
    const last = position.turn === 'white' ? '8' : '1';
    if (position.board.getRole(move.from) === 'pawn' && to[1] === last) {
      move.promotion = await askPromotion(position.turn, shown.variant === 'antichess');
    }
    tell(move);
  };
  const api = Chessground(ground, {
    fen: host.dataset.fen,
    orientation: 'flip' in host.dataset ? 'black' : 'white',
    animation: { enabled: !still() },
    premovable: { enabled: false },
    drawable: { brushes: moveBrushes },
    movable: { free: false, events: { after: moved, afterNewPiece: (role, to) => tell({ role, to: parseSquare(to) }) } },
  });

  function show(next) {
    shown = { ...shown, last: '', shapes: '', moves: '', ...next };
    position = positionOf(shown.fen, shown.variant);
    const mover = shown.fen.split(' ')[1] === 'b' ? 'black' : 'white';
    api.set({
      fen: shown.fen,
      turnColor: mover,
      check: position?.isCheck() || false,
      lastMove: shown.last ? squaresOf(shown.last) : undefined,
      movable: onMove && position ? { color: mover, dests: chessgroundDests(position) } : { color: undefined },
      drawable: { autoShapes: drawn() },
    });
    const table = squareTable(shown.fen);
    squares.replaceWith(table);
    squares = table;
    pockets();
  }

  function pockets() {
    const [top, bottom] = api.state.orientation === 'white' ? ['black', 'white'] : ['white', 'black'];
    const drag = onMove && ((piece, event) => api.dragNewPiece(piece, event));
    drawPockets(above, position, top, drag);
    drawPockets(below, position, bottom, drag);
  }

  // Shows an arrow for a move in UCI; without a move, removes it.
  function point(uci) {
    const [orig, dest] = uci ? squaresOf(uci) : [];
    const arrow = orig ? [{ orig, dest, brush: 'move' }] : [];
    api.setAutoShapes([...(orig ? shapesOf(shown.shapes) : drawn()), ...arrow]);
  }

  // The shapes of the comment, and an arrow for each of the most played moves.
  const drawn = () => [...shapesOf(shown.shapes), ...arrowsOf(shown.moves)];

  function arrows(next) {
    shown.moves = next;
    api.setAutoShapes(drawn());
  }

  const flipped = () => api.state.orientation === 'black';

  // Turns the board: Black is at the bottom if `black`.
  function turn(black) {
    if (black === flipped()) return;
    api.toggleOrientation();
    pockets();
  }

  show(shown);
  fitToPaper(ground, api);
  return { show, point, arrows, turn, flipped, position: () => position };
}
