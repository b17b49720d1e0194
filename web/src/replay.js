// A game move by move, without asking the server: every move of the text holds its position.

import { mountBoard } from './board.js';
import { onKey } from './keys.js';
import { say, whoMoved } from './live.js';
import { words } from './words.js';

let board;
let moves;
// The move whose position is shown; null before the first.
let current;

export function startReplay() {
  const host = document.getElementById('board');
  if (!host || !document.querySelector('a.move')) return;
  moves = [...document.querySelectorAll('a.move')];
  current = moves.find((move) => move.hasAttribute('aria-current')) ?? null;
  board = mountBoard(host, null);
  document.addEventListener('click', clicked);
  const steps = { first: () => null, back: () => before(current), forward: () => after(current), last };
  const keys = { first: ['ArrowUp', 'Home'], back: ['ArrowLeft'], forward: ['ArrowRight'], last: ['ArrowDown', 'End'] };
  for (const [id, step] of Object.entries(steps)) {
    onKey(keys[id], () => go(step()));
    document.getElementById(id)?.addEventListener('click', (event) => {
      event.preventDefault();
      go(step());
    });
  }
  onKey(['f'], () => board.flip());
  mark();
}

const lineOf = (move) => move?.closest('.variation') ?? null;

// The next move of the same line; the last one stays.
function after(move) {
  const line = lineOf(move);
  return moves.find((other, index) => index > moves.indexOf(move) && lineOf(other) === line) ?? move;
}

// The move before; that of a variation's first is the one before the move it replaces.
function before(move) {
  if (!move) return null;
  const line = lineOf(move);
  const earlier = moves.slice(0, moves.indexOf(move));
  const same = earlier.findLast((other) => lineOf(other) === line);
  if (same || !line) return same ?? null;
  const parent = line.parentElement.closest('.variation');
  return before(earlier.findLast((other) => lineOf(other) === parent) ?? null);
}

const last = () => moves.findLast((move) => lineOf(move) === lineOf(current)) ?? null;

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
  const { fen, last, shapes } = (move ?? document.getElementById('first')).dataset;
  board.show({ fen, last, shapes });
  history.replaceState(history.state, '', move ? move.href : '?ply=0');
  const copy = document.getElementById('copy-fen');
  if (copy) copy.dataset.fen = fen;
  mark();
  say(move ? [spoken(move, fen), ...comments(move)].join('. ') : words.start);
}

function spoken(move, fen) {
  return whoMoved(fen.split(' ')[1] === 'b' ? 'white' : 'black', move.textContent.trim());
}

// What is said about a move before the next one.
function comments(move) {
  const found = [];
  for (let next = move.nextElementSibling; next && !next.matches('.move, .variation'); next = next.nextElementSibling) {
    if (next.matches('.comment')) found.push(next.textContent.trim());
  }
  return found;
}

// Shows which move stands on the board, in the text and in the graph, and keeps it in view.
function mark() {
  for (const move of moves) {
    if (move === current) move.setAttribute('aria-current', 'true');
    else move.removeAttribute('aria-current');
  }
  for (const point of document.querySelectorAll('#evals [data-ply]')) {
    point.classList.toggle('current', !lineOf(current) && point.dataset.ply === (current?.dataset.ply ?? '0'));
  }
  const text = document.getElementById('movetext');
  if (!text || text.scrollHeight <= text.clientHeight) return;
  const place = current ? current.offsetTop - text.offsetTop - text.clientHeight / 2 : 0;
  text.scrollTo({ top: place });
}
