// The explorer: moves played on the board, in the table, by keys or typed, each with its own page.

import { parseSan } from 'chessops/san';
import { parseUci } from 'chessops/util';
import { addressOf, setParameter } from './address.js';
import { mountBoard } from './board.js';
import { onKey } from './keys.js';
import { say, warn, whoMoved } from './live.js';
import { fenOf, playFrom, uciOf } from './position.js';
import { followed, load, onHistory } from './swap.js';
import { fill, words } from './words.js';

const regions = '#position, #tools';
const ids = ['position', 'tools'];
const paths = ['/', '/explorer'];

let board;
// The state: the first position of the line, the moves from there, and the position they lead to.
let here;
// Moves that were taken back, the next one first.
let ahead = [];

export function startExplorer() {
  const host = document.getElementById('board');
  if (!host || !document.getElementById('state')) return;
  here = stated();
  board = mountBoard(host, (uci) => play(uci));
  showLast();
  document.addEventListener('click', clicked);
  document.addEventListener('submit', submitted);
  for (const name of ['mouseover', 'focusin', 'mouseout', 'focusout']) document.addEventListener(name, point);
  onHistory(arrive);
  onKey(['ArrowLeft'], () => here.play.length > 0 && line(here.play.slice(0, -1)));
  onKey(['ArrowRight'], forward);
  onKey(['ArrowUp', 'Home'], () => here.play.length > 0 && line([]));
  onKey(['ArrowDown', 'End'], () => ahead.length > 0 && line([...here.play, ...ahead]));
  onKey(['f'], flip);
  onKey(['x', 'Enter'], playSelected);
}

// On a phone the line is one row, which begins at its first move.
function showLast() {
  const line = document.querySelector('#line ol');
  line.scrollLeft = line.scrollWidth;
}

// The state according to the page.
function stated() {
  const { fen, root, variant, last, moves, games, play } = document.getElementById('state').dataset;
  return { fen, root: root || fen, variant: variant || 'standard', last, moves, games, play: (play || '').split(',').filter(Boolean) };
}

// Plays a move: the board shows it immediately, the rest of the page follows.
function play(uci) {
  line([...here.play, uci]);
}

// Goes to the end of these moves.
function line(moves) {
  const result = playFrom(here.root, here.variant, moves);
  if (!result) return false;
  enter({ ...here, moves: '', play: moves, fen: fenOf(result.position), last: moves.at(-1) ?? '' });
  const form = document.getElementById('san-form');
  const url = addressOf(form);
  url.searchParams.delete('san');
  setParameter(url, 'play', moves.join(','));
  return visit(url);
}

// Plays the next move of those taken back.
function forward() {
  return ahead.length > 0 && line([...here.play, ahead[0]]);
}

// Flips the board; the URL keeps the side.
function flip() {
  board.turn(!board.flipped());
  const url = new URL(location.href);
  setParameter(url, 'flip', board.flipped() ? '1' : '');
  history.replaceState(null, '', url);
}

// Changes the position, and keeps the moves of the line that lie ahead.
function enter(next) {
  const known = [...here.play, ...ahead];
  const same = next.root === here.root && next.play.every((uci, index) => uci === known[index]);
  ahead = same ? known.slice(next.play.length) : [];
  const moved = next.fen !== here.fen || next.variant !== here.variant;
  here = next;
  const { fen, variant, last, moves: played } = here;
  if (moved) board.show({ fen, variant, last, moves: played });
  else board.arrows(played);
}

function visit(url) {
  setParameter(url, 'flip', board.flipped() ? '1' : '');
  history.pushState(null, '', url);
  return arrive(url);
}

async function arrive(url) {
  const page = await load(url, ids);
  if (!page) return;
  enter(stated());
  showLast();
  board.turn('flip' in page.getElementById('board').dataset);
  const opening = document.getElementById('opening')?.textContent.trim();
  const last = playFrom(here.root, here.variant, here.play)?.last;
  const move = last ? whoMoved(last.side, last.san) : words.start;
  const games = here.games === '1' ? words.one_game : `${here.games ?? '0'} ${words.many_games}`;
  say([move, games, opening].filter(Boolean).join('. '));
}

function clicked(event) {
  const row = event.target.closest?.('#moves tr[data-uci]');
  const link = event.target.closest?.('a[href]');
  const url = followed(event, regions, paths);
  if (link?.id === 'flip' && event.button === 0) {
    event.preventDefault();
    flip();
  } else if (link?.id === 'forward' && url && ahead.length > 0) {
    event.preventDefault();
    forward();
  } else if (row && (url || !link) && event.button === 0) {
    event.preventDefault();
    play(inLine(row.dataset.uci));
  } else if (url) {
    event.preventDefault();
    visit(url);
  }
}

// A move in the notation of the line's other moves.
function inLine(uci) {
  const move = parseUci(uci);
  const position = board.position();
  return move && position ? uciOf(position, move) : uci;
}

function submitted(event) {
  const form = event.target;
  if (form.id === 'san-form') {
    event.preventDefault();
    typed(form);
  } else if (paths.includes(new URL(form.action).pathname) && form.method === 'get') {
    event.preventDefault();
    visit(addressOf(form, event.submitter));
  }
}

// Parses a move in SAN or UCI like the server.
function typed(form) {
  const field = form.elements.namedItem('san');
  const text = field.value.trim();
  if (!text) return;
  const position = board.position();
  const uci = parseUci(text);
  const san = text.startsWith('0-0') ? text.replaceAll('0', 'O') : text;
  const move = position && (parseSan(position, san) ?? (uci && position.isLegal(uci) ? uci : undefined));
  field.setAttribute('aria-invalid', String(!move));
  if (!move) return warn(fill(words.illegal, { san: text }), form);
  field.value = '';
  play(uciOf(position, move));
}

// Shows the move of the row under the pointer or focus.
function point(event) {
  const row = event.target.closest?.('#moves tr[data-uci], #transpositions tr[data-uci]');
  if (!row) return;
  const enters = event.type === 'mouseover' || event.type === 'focusin';
  board.point(enters ? row.dataset.uci : null);
}

function playSelected() {
  const row = [':focus-within', ':hover', ''].map((state) => `#moves tr[data-uci]${state}`);
  const selected = row.map((selector) => document.querySelector(selector)).find(Boolean);
  if (!selected) return false;
  play(inLine(selected.dataset.uci));
}
