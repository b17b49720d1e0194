// What variants have next to the board: the pieces in hand, which are dragged onto the board or typed as N@f3, and the
// remaining checks.

import { ROLES } from 'chessops/types';
import { make } from './dom.js';
import { figure } from './figure.js';
import { fill, words } from './words.js';

// Fills a list with one side's pieces; `drag(piece, event)` begins a drop if that side is to move.
export function drawPockets(list, position, colour, drag) {
  const pocket = position?.pockets?.[colour];
  const checks = position?.remainingChecks?.[colour];
  list.hidden = !pocket && checks === undefined;
  list.replaceChildren();
  if (checks !== undefined) list.append(make('li', { class: 'checks' }, fill(words.checks, { side: words[colour], checks })));
  if (!pocket) return;
  list.setAttribute('aria-label', fill(words.pocket, { side: words[colour] }));
  for (const role of ROLES.filter((role) => pocket[role] > 0)) {
    const name = make('span', { class: 'off-screen' }, words[role]);
    const item = make('li', {}, figure(colour, role), name, ` ${pocket[role]}`);
    if (drag && position.turn === colour) {
      const begin = (event) => {
        event.preventDefault();
        drag({ role, color: colour }, event);
      };
      item.addEventListener('mousedown', begin);
      item.addEventListener('touchstart', begin, { passive: false });
    }
    list.append(item);
  }
}
