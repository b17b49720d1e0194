// On the page that edits a game: moves on the board are entered as a variation.

import { mountBoard } from './board.js';
import { fenOf, playFrom } from './position.js';

export function startVariation() {
  const moves = document.querySelector('#variation-moves');
  const host = document.querySelector('#board');
  if (!moves || !host) return;
  const { variant } = host.dataset;
  const board = mountBoard(host, (uci, san) => {
    const next = playFrom(fenOf(board.position()), variant, [uci]);
    if (!next) return;
    moves.value = `${moves.value} ${san}`.trim();
    board.show({ fen: fenOf(next.position), last: uci });
  });
  moves.form.addEventListener('reset', () => board.show({ fen: host.dataset.fen }));
}
