// Suggestions below the search field of the header: a list that follows while typing, for keyboard and pointer.

import { make } from './dom.js';
import { say } from './live.js';
import { fill, words } from './words.js';

const pause = 20;

let field;
let box;
let list;
let options = [];
let active = -1;
// The text that the options are for.
let shown = '';
let waiting = 0;
let running = new AbortController();

export function startSuggestions() {
  const form = document.getElementById('find');
  field = form?.querySelector('input[name=q]');
  if (!field) return;
  list = make('div', { id: 'hits', role: 'listbox', 'aria-label': field.getAttribute('aria-label') });
  const keys = make('span', {}, make('kbd', {}, '↑'), ' ', make('kbd', {}, '↓'), ` ${words.choose}`);
  const enter = make('span', {}, make('kbd', {}, 'Enter'), ` ${words.open}`);
  box = make('div', { class: 'hits', hidden: true }, list, make('p', { class: 'foot', 'aria-hidden': 'true' }, keys, enter));
  form.append(box);
  const state = { role: 'combobox', 'aria-controls': 'hits', 'aria-autocomplete': 'list', 'aria-expanded': 'false' };
  for (const [name, value] of Object.entries(state)) field.setAttribute(name, value);
  field.addEventListener('input', () => {
    clearTimeout(waiting);
    waiting = setTimeout(suggest, pause);
  });
  // The first answer takes longer, because the server counts the games of all names.
  field.addEventListener('focus', () => fetch('/api/v1/suggest').catch(() => {}), { once: true });
  field.addEventListener('focus', () => options.length > 0 && shown === field.value.trim() && open(true));
  field.addEventListener('keydown', press);
  // A press on an option must not take the focus from the field, which would close the list.
  box.addEventListener('pointerdown', (event) => event.preventDefault());
  form.addEventListener('focusout', (event) => form.contains(event.relatedTarget) || open(false));
}

async function suggest() {
  const typed = field.value.trim();
  running.abort();
  if (typed.length < 2) return show('', []);
  const own = (running = new AbortController());
  const query = new URLSearchParams(new FormData(field.form));
  try {
    const response = await fetch(`/api/v1/suggest?${query}`, { signal: own.signal });
    if (!response.ok) return;
    const { groups, similar } = await response.json();
    if (running === own) show(typed, similar ? [] : groups);
  } catch {
    // More was typed, or the server is gone: Enter asks it without suggestions.
  }
}

function show(typed, groups) {
  shown = typed;
  options = [];
  const begins = pattern(typed);
  list.replaceChildren(...groups.map((group) => section(group, begins)));
  choose(-1);
  open(options.length > 0);
  if (options.length > 0) say(fill(words.suggestions, { count: options.length }));
}

function section({ label, hits }, begins) {
  const links = hits.map((hit) => {
    const about = make('span', { class: 'num' }, hit.about);
    const attributes = { id: `hit-${options.length}`, role: 'option', tabindex: '-1', href: hit.url, title: hit.name };
    const link = make('a', attributes, make('span', { class: 'cut' }, ...marked(hit.name, begins)), about);
    options.push(link);
    return link;
  });
  return make('div', { role: 'group', 'aria-label': label }, make('h3', { role: 'presentation' }, label), ...links);
}

// The beginnings of words that were typed.
function pattern(typed) {
  const parts = typed.split(/[^\p{L}\p{N}]+/u).filter(Boolean);
  return parts.length > 0 ? new RegExp(`(?<![\\p{L}\\p{N}])(${parts.join('|')})`, 'giu') : null;
}

// Every second piece is one of them.
function marked(name, begins) {
  if (!begins) return [name];
  return name.split(begins).map((piece, place) => (place % 2 === 1 ? make('mark', {}, piece) : piece));
}

function open(is) {
  box.hidden = !is;
  field.setAttribute('aria-expanded', String(is));
  if (!is) choose(-1);
}

function choose(place) {
  options[active]?.setAttribute('aria-selected', 'false');
  active = place;
  const option = options[place];
  if (!option) return field.removeAttribute('aria-activedescendant');
  option.setAttribute('aria-selected', 'true');
  option.scrollIntoView({ block: 'nearest' });
  field.setAttribute('aria-activedescendant', option.id);
}

function press(event) {
  if (event.isComposing || box.hidden) return;
  const count = options.length;
  if (event.key === 'ArrowDown') choose(active + 1 < count ? active + 1 : 0);
  else if (event.key === 'ArrowUp') choose(active > 0 ? active - 1 : count - 1);
  else if (event.key === 'Escape') open(false);
  // Without a choice, Enter asks the server, which opens the only clear answer or lists all.
  else if (event.key === 'Enter' && active >= 0) options[active].click();
  else return;
  event.preventDefault();
}
