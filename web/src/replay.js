// A game move by move, without requests to the server: every move of the text contains its position.

import { setParameter } from './address.js';
import { mountBoard } from './board.js';
import { sanOf } from './figurines.js';
import { onKey } from './keys.js';
import { say, whoMoved } from './live.js';
import { words } from './words.js';

let board;
let moves;
// The move whose position is shown; null before the first.
let current;

// The target of each button, and the keys that do the same.
const steps = { first: () => null, back: () => before(current), forward: () => after(current), last: () => end() };
const keys = { first: ['ArrowUp', 'Home'], back: ['ArrowLeft'], forward: ['ArrowRight'], last: ['ArrowDown', 'End'] };

export function startReplay() {
  const host = document.getElementById('board');
  if (!host || !document.querySelector('a.move')) return;
  moves = [...document.querySelectorAll('a.move')];
  current = moves.find((move) => move.hasAttribute('aria-current')) ?? null;
  board = mountBoard(host, null);
  document.addEventListener('click', clicked);
  for (const [id, step] of Object.entries(steps)) {
    onKey(keys[id], () => go(step()));
    pressed(id, () => go(step()));
  }
  onKey(['f'], flip);
  pressed('flip', flip);
  mark();
}

const lineOf = (move) => move?.closest('.variation') ?? null;

// The next move of the same line; at the end, the last move.
function after(move) {
  const line = lineOf(move);
  return moves.find((other, index) => index > moves.indexOf(move) && lineOf(other) === line) ?? move;
}

// The previous move; for the first of a variation, the move before the one it replaces.
function before(move) {
  if (!move) return null;
  const line = lineOf(move);
  const earlier = moves.slice(0, moves.indexOf(move));
  const same = earlier.findLast((other) => lineOf(other) === line);
  if (same || !line) return same ?? null;
  const parent = line.parentElement.closest('.variation');
  return before(earlier.findLast((other) => lineOf(other) === parent) ?? null);
}

const end = () => moves.findLast((move) => lineOf(move) === lineOf(current)) ?? null;

function pressed(id, action) {
  document.getElementById(id)?.addEventListener('click', (event) => {
    event.preventDefault();
    action();
  });
}

function flip() {
  board.turn(!board.flipped());
  stay(new URL(location.href));
}

// Keeps the URL up to date, including the side of the board.
function stay(url) {
  setParameter(url, 'flip', board.flipped() ? '1' : '');
  history.replaceState(history.state, '', url);
}

const first = () => document.getElementById('first');

function clicked(event) {
  if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  const move = event.target.closest?.('a.move');
  const point = event.target.closest?.('#evals [data-ply]');
  if (!move && !point) return;
  event.preventDefault();
  go(move ?? moves.find((other) => !lineOf(other) && other.dataset.ply === point.dataset.ply) ?? null);
}

function go(move) {
  if (move === current) return;
  current = move;
  const { fen, last, shapes } = (move ?? first()).dataset;
  board.show({ fen, last, shapes });
  stay(new URL((move ?? first()).href));
  follow(fen);
  mark();
  say(move ? [spoken(move, fen), ...comments(move)].join('. ') : words.start);
}

// The buttons and links refer to the position that is shown.
function follow(fen) {
  const copy = document.getElementById('copy-fen');
  if (copy) copy.dataset.fen = fen;
  const explore = document.getElementById('explore');
  if (!explore) return;
  const url = new URL(explore.href);
  setParameter(url, 'fen', fen);
  explore.href = url;
}

function spoken(move, fen) {
  return whoMoved(fen.split(' ')[1] === 'b' ? 'white' : 'black', sanOf(move));
}

// The comments after a move, before the next one.
function comments(move) {
  const found = [];
  for (let next = move.nextElementSibling; next && !next.matches('.move, .variation'); next = next.nextElementSibling) {
    if (next.matches('.comment')) found.push(next.textContent.trim());
  }
  return found;
}

// Highlights the current move in the text and in the graph, and scrolls to it.
function mark() {
  for (const move of moves) {
    if (move === current) move.setAttribute('aria-current', 'true');
    else move.removeAttribute('aria-current');
  }
  for (const point of document.querySelectorAll('#evals [data-ply]')) {
    point.classList.toggle('current', !lineOf(current) && point.dataset.ply === (current?.dataset.ply ?? '0'));
  }
  for (const [id, step] of Object.entries(steps)) {
    const link = document.getElementById(id);
    link?.setAttribute('href', (step() ?? first()).href);
    link?.setAttribute('aria-disabled', String(step() === current));
  }
  const text = document.getElementById('movetext');
  if (!text || text.scrollHeight <= text.clientHeight) return;
  const place = current ? current.offsetTop - text.offsetTop - text.clientHeight / 2 : 0;
  text.scrollTo({ top: place });
}
