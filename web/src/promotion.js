// Choosing the promotion piece.

import { make } from './dom.js';
import { figure } from './figure.js';
import { words } from './words.js';

// Asks the reader and returns the role; undefined if cancelled.
export function askPromotion(colour, alsoKing) {
  const roles = ['queen', 'rook', 'bishop', 'knight', ...(alsoKing ? ['king'] : [])];
  const buttons = roles.map((role) =>
    make('button', { type: 'submit', value: role, 'aria-label': words[role] }, figure(colour, role)),
  );
  const heading = make('h2', { id: 'promotion-title' }, words.promote);
  const form = make('form', { method: 'dialog' }, heading, ...buttons);
  const dialog = make('dialog', { class: 'promotion', 'aria-labelledby': 'promotion-title' }, form);
  document.body.append(dialog);
  return new Promise((resolve) => {
    dialog.addEventListener('close', () => {
      dialog.remove();
      resolve(dialog.returnValue || undefined);
    });
    dialog.showModal();
  });
}
