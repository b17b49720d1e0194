// Announces events in words: to screen readers in one polite region, failures also visibly.

import { make } from './dom.js';
import { words } from './words.js';

let waiting = 0;

// Only the last of several quick announcements is read.
export function say(text) {
  const region = document.getElementById('live');
  if (!region) return;
  clearTimeout(waiting);
  waiting = setTimeout(() => {
    region.textContent = region.textContent === text ? `${text}\u00a0` : text;
  }, 100);
}

// A failure, shown after an element or at the top; an empty text removes the last one.
export function warn(text, behind) {
  const notice = document.getElementById('notice') ?? make('p', { id: 'notice', class: 'error' });
  if (behind) behind.after(notice);
  else document.querySelector('main')?.prepend(notice);
  notice.hidden = !text;
  notice.textContent = text;
  if (text) say(text);
}

const roles = { P: 'pawn', N: 'knight', B: 'bishop', R: 'rook', Q: 'queen', K: 'king' };

// "knight f3", "pawn takes d5, check" for a move in SAN.
export function moveInWords(san) {
  const end = san.includes('#') ? `, ${words.checkmate}` : san.includes('+') ? `, ${words.check}` : '';
  if (san.startsWith('O-O-O')) return words.castles_long + end;
  if (san.startsWith('O-O')) return words.castles_short + end;
  const found = /^([PNBRQK])?(@)?([a-h])?([1-8])?(x)?([a-h][1-8])(?:=([NBRQK]))?/.exec(san);
  if (!found) return san;
  const [, piece = 'P', drop, file = '', rank = '', takes, to, promotion] = found;
  const said = [drop && words.drops, words[roles[piece]]];
  if (piece !== 'P') said.push(file + rank);
  said.push(takes && words.takes, to);
  if (promotion) said.push(words.becomes, words[roles[promotion]]);
  return said.filter(Boolean).join(' ') + end;
}

// "White: knight f3" for a move and its side.
export function whoMoved(side, san) {
  return `${words[side]}: ${moveInWords(san)}`;
}
