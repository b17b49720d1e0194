// The image of a piece outside of a board.

import { make } from './dom.js';

export function figure(colour, role) {
  return make('span', { class: 'figure cg-wrap', 'aria-hidden': 'true' }, make('piece', { class: `${role} ${colour}` }));
}
