// The editor: any pieces on any squares, as a FEN for the explorer and as a pattern for searching games.

import { Chessground } from '@lichess-org/chessground';
import { EMPTY_BOARD_FEN, INITIAL_FEN, parseFen } from 'chessops/fen';
import { make } from './dom.js';
import { figure } from './figure.js';
import { onKey } from './keys.js';
import { warn } from './live.js';
import { fitToPaper } from './paper.js';
import { boardOf, patternOf } from './pattern.js';
import { squareTable } from './squares.js';
import { fill, words } from './words.js';

const roles = ['king', 'queen', 'rook', 'bishop', 'knight', 'pawn'];
const castling = {
  K: words.castling_white_short,
  Q: words.castling_white_long,
  k: words.castling_black_short,
  q: words.castling_black_long,
};
const rights = Object.keys(castling);

export function startEditor() {
  const editor = document.getElementById('editor');
  const field = document.getElementById('fen');
  const pattern = document.getElementById('pattern-form')?.elements.namedItem('pattern');
  if (!editor || !field || !pattern) return;
  const host = document.getElementById('board');
  const ground = make('div', { 'aria-hidden': 'true' });
  let squares = make('div');
  host.replaceChildren(ground, squares);
  const tools = makeTools(document.getElementById('editor-tools'));

  // The squares that must be empty in the pattern.
  let empty = new Set();

  const fen = () => `${api.getFen()} ${tools.turn()} ${tools.rights()} - 0 1`;
  // The fields follow the board, except the one being typed in.
  const changed = (typed) => {
    for (const square of api.state.pieces.keys()) empty.delete(square);
    api.set({ highlight: { custom: new Map([...empty].map((square) => [square, 'empty'])) } });
    if (typed !== field) field.value = fen();
    if (typed !== pattern) pattern.value = patternOf(api.state.pieces, empty);
    valid();
    const table = squareTable(fen());
    squares.replaceWith(table);
    squares = table;
  };
  const api = Chessground(ground, {
    fen: editor.dataset.fen || INITIAL_FEN,
    animation: { enabled: false },
    premovable: { enabled: false },
    movable: { free: true, color: 'both' },
    draggable: { deleteOnDropOff: true },
    drawable: { enabled: false },
    events: { change: () => changed() },
  });

  // Puts the chosen piece on a square, removes what is there, or marks the square as empty in the pattern; the same
  // choice again clears it.
  function set(key, chosen) {
    const was = empty.delete(key);
    if (chosen === 'empty' && !was) empty.add(key);
    const [color, role] = chosen.split(' ');
    const piece = role && { color, role };
    const there = api.state.pieces.get(key);
    const same = piece && there && there.color === piece.color && there.role === piece.role;
    api.setPieces(new Map([[key, same ? undefined : piece]]));
    changed();
  }

  // Chessground reports a press with a delay, when another piece may have been chosen: so the choice is stored before.
  const press = (event) => {
    const chosen = tools.chosen();
    const { clientX, clientY } = event.touches?.[0] ?? event;
    const key = chosen && !event.button && api.getKeyAtDomPos([clientX, clientY]);
    if (!key) return;
    event.preventDefault();
    event.stopPropagation();
    set(key, chosen);
  };
  for (const kind of ['touchstart', 'mousedown']) ground.addEventListener(kind, press, { capture: true, passive: false });

  // The board follows the fields.
  function read(text) {
    empty = new Set();
    api.set({ fen: text.trim().split(/\s+/)[0] });
    tools.read(text);
  }

  function readPattern() {
    const board = boardOf(pattern.value);
    if (!board) return;
    api.set({ fen: EMPTY_BOARD_FEN });
    empty = board.empty;
    api.setPieces(board.pieces);
    changed(pattern);
  }

  function valid() {
    const good = parseFen(field.value.trim()).isOk;
    field.setAttribute('aria-invalid', String(!good));
    warn(good ? '' : words.bad_fen, field.form);
    return good;
  }

  field.addEventListener('input', () => {
    if (!valid()) return;
    read(field.value);
    changed(field);
  });
  pattern.addEventListener('input', readPattern);
  tools.onChange(() => changed());
  tools.onBoard((text) => {
    read(text);
    changed();
  });
  tools.onChoice(() => api.selectSquare(null));
  tools.onFlip(() => api.toggleOrientation());
  onKey(['f'], () => api.toggleOrientation());
  fitToPaper(ground, api);
  read(editor.dataset.fen || INITIAL_FEN);
  changed(pattern);
  if (pattern.value) readPattern();
  else changed();
}

// Builds the controls and reads them.
function makeTools(place) {
  const choice = (name, value, label, content, checked) =>
    make('label', { title: label }, make('input', { type: 'radio', name, value, checked, 'aria-label': label }), content);
  const spare = (colour, role) =>
    choice('piece', `${colour} ${role}`, fill(words.square, { colour: words[colour], role: words[role] }), figure(colour, role));
  const group = (legend, ...content) => make('fieldset', {}, make('legend', {}, legend), ...content);
  const press = (text) => make('button', { type: 'button', class: 'btn' }, text);
  const [clear, initial, flip] = [press(words.clear), press(words.start), press(words.flip)];
  const boxes = rights.map((right) => make('input', { type: 'checkbox', value: right }));
  const form = make(
    'form',
    {},
    group(
      words.pieces,
      choice('piece', '', words.hand, words.hand, true),
      choice('piece', 'remove', words.remove, words.remove),
      choice('piece', 'empty', words.empty, words.empty),
      ...['white', 'black'].map((colour) => make('div', { class: 'spare' }, ...roles.map((role) => spare(colour, role)))),
    ),
    group(words.turn, choice('turn', 'w', words.white, words.white, true), choice('turn', 'b', words.black, words.black)),
    group(words.castling, ...boxes.map((box) => make('label', {}, box, ` ${castling[box.value]}`))),
    make('p', {}, clear, initial, flip),
  );
  place.replaceChildren(form);
  return {
    chosen: () => form.elements.piece.value,
    turn: () => form.elements.turn.value,
    rights: () => boxes.filter((box) => box.checked).map((box) => box.value).join('') || '-',
    read: (fen) => {
      const [, turn = 'w', castling = '-'] = fen.trim().split(/\s+/);
      form.elements.turn.value = turn === 'b' ? 'b' : 'w';
      for (const box of boxes) box.checked = castling.includes(box.value);
    },
    onChange: (action) => form.addEventListener('change', (event) => event.target.name !== 'piece' && action()),
    onChoice: (action) => form.addEventListener('change', (event) => event.target.name === 'piece' && action()),
    onBoard: (action) => {
      clear.addEventListener('click', () => action(`${EMPTY_BOARD_FEN} w - - 0 1`));
      initial.addEventListener('click', () => action(INITIAL_FEN));
    },
    onFlip: (action) => flip.addEventListener('click', action),
  };
}
