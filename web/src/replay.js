// A game move by move, without requests to the server: every move of the text contains its position.

import { setParameter } from './address.js';
import { mountBoard } from './board.js';
import { sanOf } from './figurines.js';
import { onKey } from './keys.js';
import { say, whoMoved } from './live.js';
import { isOfWhite, showPlates } from './plates.js';
import { load } from './swap.js';
import { words } from './words.js';

let board;
let moves;
// The move whose position is shown; null before the first.
let current;
// The moves before and after a move in its line.
const previous = new Map();
const following = new Map();
// The timers of the game that plays by itself, and of the games with the position.
let playing = 0;
let waiting = 0;
// The distance that the wheel was turned since the last step, and that of a step, in pixels.
let wheel = 0;
const NOTCH = 50;

// The target of each button, and the keys that do the same.
const steps = { first: () => null, back: () => previous.get(current) ?? null, forward: () => following.get(current) ?? current, last: () => end() };
const keys = { first: ['ArrowUp', 'Home'], back: ['ArrowLeft'], forward: ['ArrowRight'], last: ['ArrowDown', 'End'] };

export function startReplay() {
  const host = document.getElementById('board');
  if (!host || !document.querySelector('a.move[data-fen]')) return;
  moves = [...document.querySelectorAll('a.move')];
  link();
  current = moves.find((move) => move.hasAttribute('aria-current')) ?? null;
  board = mountBoard(host, played);
  document.addEventListener('click', clicked);
  host.addEventListener('wheel', turned, { passive: false });
  // The board as it was, if the browser returns from the explorer.
  addEventListener('pageshow', (event) => event.persisted && draw());
  for (const [id, step] of Object.entries(steps)) {
    onKey(keys[id], () => go(step()));
    pressed(id, () => go(step()));
  }
  onKey(['f'], flip);
  pressed('flip', flip);
  offered('play', play);
  offered('print', () => print());
  mark();
}

const lineOf = (move) => move?.closest('.variation') ?? null;

// Finds the moves before and after each one. The first move of a variation follows the move before the one it replaces.
function link() {
  const lasts = new Map([[null, null]]);
  for (const move of moves) {
    const line = lineOf(move);
    const parent = line && lineOf(line.parentElement);
    const before = lasts.has(line) ? lasts.get(line) : (previous.get(lasts.get(parent)) ?? null);
    previous.set(move, before);
    if (!following.has(before) && (lasts.has(line) || !line)) following.set(before, move);
    lasts.set(line, move);
  }
}

function end() {
  let last = current;
  while (following.has(last)) last = following.get(last);
  return last;
}

function pressed(id, action) {
  document.getElementById(id)?.addEventListener('click', (event) => {
    event.preventDefault();
    action();
  });
}

// A button that only a script can offer.
function offered(id, action) {
  const button = document.getElementById(id);
  if (!button) return;
  button.hidden = false;
  button.addEventListener('click', action);
}

// Plays the game by itself, until the end or any other step.
function play() {
  const button = document.getElementById('play');
  const begins = !playing;
  clearInterval(playing);
  playing = begins && setInterval(() => (following.has(current) ? enter(following.get(current)) : play()), 1500);
  button.setAttribute('aria-pressed', String(begins));
}

function flip() {
  board.turn(!board.flipped());
  const plates = document.querySelectorAll('.plate');
  for (const plate of plates) for (const side of ['above', 'below']) plate.classList.toggle(side);
  if (plates.length === 2) plates[0].before(plates[1], document.querySelector('.board-eval'));
  document.querySelector('.board-eval').toggleAttribute('data-flip', board.flipped());
  for (const link of document.querySelectorAll('#neighbours .icon[href]')) {
    const url = new URL(link.href);
    setParameter(url, 'flip', board.flipped() ? '1' : '');
    link.href = url;
  }
  stay(new URL(location.href));
}

// Keeps the URL up to date, including the side of the board and the list.
function stay(url) {
  setParameter(url, 'flip', board.flipped() ? '1' : '');
  setParameter(url, 'in', new URL(location.href).searchParams.get('in') ?? '');
  history.replaceState(history.state, '', url);
}

const first = () => document.getElementById('first');

function clicked(event) {
  if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  const move = event.target.closest?.('a.move');
  const point = event.target.closest?.('.curve [data-ply]');
  if (!move && !point) return;
  event.preventDefault();
  go(move ?? moves.find((other) => !lineOf(other) && other.dataset.ply === point.dataset.ply) ?? null);
}

function go(move) {
  if (playing) play();
  enter(move);
}

function draw() {
  const { fen, last, shapes } = (current ?? first()).dataset;
  board.show({ fen, last, shapes });
}

const START = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1';
// The most moves of a line in a URL.
const LONGEST = 200;

// A move on the board: the next one of the game or of a variation is a step, any other opens the explorer.
function played(uci) {
  const here = moves.filter((move) => previous.get(move) === current && move.dataset.last === uci);
  if (here.length > 0) return go(here.find((move) => move === following.get(current)) ?? here[0]);
  const url = new URL(document.getElementById('explore').href);
  const line = [uci];
  for (let move = current; move; move = previous.get(move)) line.unshift(move.dataset.last);
  // From the usual start position, the explorer has the whole line.
  const isWhole = first().dataset.fen === START && line.every(Boolean) && line.length <= LONGEST;
  if (isWhole) setParameter(url, 'fen', '');
  setParameter(url, 'play', isWhole ? line.join(',') : uci);
  setParameter(url, 'flip', board.flipped() ? '1' : '');
  location.assign(url);
}

// The wheel over the board steps: a notch is a move, and so is the same distance on a touchpad. At the ends of the game
// the page scrolls.
function turned(event) {
  const target = (event.deltaY > 0 ? following : previous).get(current);
  if (event.ctrlKey || event.shiftKey || event.deltaY === 0 || target === undefined) return;
  event.preventDefault();
  const distance = event.deltaY * (event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? 1 : NOTCH);
  wheel = Math.sign(wheel) === Math.sign(distance) ? wheel + distance : distance;
  if (Math.abs(wheel) < NOTCH) return;
  wheel = 0;
  go(target);
}

function enter(move) {
  if (move === current) return;
  current = move;
  const { fen } = (move ?? first()).dataset;
  draw();
  stay(new URL((move ?? first()).href));
  follow(fen);
  mark();
  say(move ? [spoken(move, fen), ...comments(move)].join('. ') : words.start);
}

// The buttons and links refer to the position that is shown; the games with it follow after a pause.
function follow(fen) {
  const copy = document.getElementById('copy-fen');
  if (copy) copy.dataset.fen = fen;
  const explore = document.getElementById('explore');
  if (explore) {
    const url = new URL(explore.href);
    setParameter(url, 'fen', fen);
    explore.href = url;
  }
  const edit = document.getElementById('edit');
  if (edit) {
    const url = new URL(edit.href);
    setParameter(url, 'ply', String(path().filter((move) => !lineOf(move)).length));
    edit.href = url;
  }
  clearTimeout(waiting);
  if (document.getElementById('here')) waiting = setTimeout(() => load(location.href, ['here']), 300);
}

function spoken(move, fen) {
  return whoMoved(fen.split(' ')[1] === 'b' ? 'white' : 'black', sanOf(move));
}

// The comments after a move, before the next move or variation.
function comments(move) {
  const found = [];
  const parts = [...document.querySelectorAll('#movetext :is(a.move, .variation, .comment)')];
  for (let place = parts.indexOf(move) + 1; parts[place]?.matches('.comment'); place += 1) {
    found.push(parts[place].textContent.trim());
  }
  return found;
}

// The moves from the start to the current one.
function path() {
  const found = [];
  for (let move = current; move; move = previous.get(move)) found.push(move);
  return found.reverse();
}

// Highlights the current move in the text and in the curves, and scrolls to it.
function mark() {
  const moved = document.querySelector('a.move[aria-current]');
  if (moved !== current) moved?.removeAttribute('aria-current');
  current?.setAttribute('aria-current', 'true');
  const line = path();
  const valueOf = (move, name) => !lineOf(move) && move.parentElement.querySelector(name);
  const last = (name, fits = () => true) => line.findLast((move) => fits(move) && valueOf(move, name));
  showPlates(first().dataset.fen, line, (side) => {
    const move = last('.clock', (other) => isOfWhite(other) === (side === 'white'));
    return move && valueOf(move, '.clock').textContent;
  });
  const engine = document.querySelector('#engine p');
  if (engine) engine.textContent = (current ?? first()).dataset.engine ?? '';
  const bar = document.querySelector('#eval-bar i');
  const known = last('.eval');
  if (bar) bar.style.height = `${100 / (1 + Math.exp(-0.004 * (known ? valueOf(known, '.eval').dataset.cp : 0)))}%`;
  for (const curve of document.querySelectorAll('.game .curve')) {
    curve.querySelector('.now').setAttribute('transform', `translate(${40 + curve.dataset.step * (current?.dataset.ply ?? 0)})`);
  }
  for (const [id, step] of Object.entries(steps)) {
    const link = document.getElementById(id);
    link?.setAttribute('href', (step() ?? first()).href);
    link?.setAttribute('aria-disabled', String(step() === current));
  }
  scroll();
}

function scroll() {
  for (let fold = current?.closest('details'); fold; fold = fold.parentElement.closest('details')) fold.open = true;
  const text = document.getElementById('movetext');
  if (!text || text.scrollHeight <= text.clientHeight) return;
  const [box, place] = [text, current ?? text.firstElementChild].map((element) => element.getBoundingClientRect().top);
  text.scrollTop += current ? place - box - text.clientHeight / 2 : -text.scrollTop;
}
