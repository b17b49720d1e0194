// Pieces in moves as letters or as figurines, by a switch. Screen readers always get letters.

import { keep, recall } from './store.js';

const links = 'a.move, #line a, :is(#moves, #transpositions) th a';
const figurines = { K: '♔', Q: '♕', R: '♖', B: '♗', N: '♘' };
const piece = /^[KQRBN](?=[a-h1-8x@])|(?<==)[QRBNK]/g;

const chosen = () => recall('figurines') === 'yes';

// A move in SAN with figurines; any other text is unchanged.
const drawn = (san) => san.replace(piece, (letter) => figurines[letter]);

// The text of a link in letters.
export const sanOf = (link) => link.getAttribute('aria-label') ?? link.textContent.trim();

// Writes the moves of a page in the chosen form.
export function drawMoves(page) {
  for (const link of page.querySelectorAll(links)) {
    const san = sanOf(link);
    const text = chosen() ? drawn(san) : san;
    if (text !== link.textContent) link.textContent = text;
    if (text === san) link.removeAttribute('aria-label');
    else link.setAttribute('aria-label', san);
  }
}

export function startFigurines() {
  const button = document.getElementById('figurines');
  if (!button) return;
  const show = () => {
    button.setAttribute('aria-pressed', String(chosen()));
    drawMoves(document);
  };
  button.hidden = false;
  button.addEventListener('click', () => {
    keep('figurines', chosen() ? 'no' : 'yes');
    show();
  });
  show();
}
