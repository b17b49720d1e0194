// Lists of games and their filters: pages, sorting and filters without leaving the page; names are completed while
// typing.

import { addressOf } from './address.js';
import { make } from './dom.js';
import { say } from './live.js';
import { closeMenus } from './menus.js';
import { followed, load, onHistory } from './swap.js';

const ids = ['results', 'draw-pattern'];
const paths = ['/games'];
const pause = 150;

export function startLists() {
  if (!document.getElementById('total') || !document.getElementById('search')) return;
  document.addEventListener('click', async (event) => {
    const url = followed(event, '#results, #search .clear', paths);
    if (!url) return;
    event.preventDefault();
    showForm(await visit(url));
  });
  document.addEventListener('submit', (event) => {
    const { submitter, target } = event;
    const action = submitter?.hasAttribute('formaction') ? submitter.formAction : target.action;
    if (!paths.includes(new URL(action).pathname)) return;
    event.preventDefault();
    visit(addressOf(target, submitter));
  });
  onHistory(async (url) => {
    const { y = 0 } = history.state ?? {};
    showForm(await arrive(url));
    scrollTo(0, y);
  });
}

// The place in the list is kept for the way back.
async function visit(url) {
  history.replaceState({ y: scrollY }, '');
  // Hides the panel on a narrow screen.
  if (location.hash === '#search') location.replace('#results');
  history.pushState(null, '', url);
  const page = await arrive(url);
  if (!page) return null;
  closeMenus();
  scrollTo(0, 0);
  return page;
}

async function arrive(url) {
  const page = await load(url, ids);
  const total = document.getElementById('total')?.textContent.trim();
  if (page && total) say(total);
  return page;
}

// A link has changed the filters: the form shows them.
function showForm(page) {
  const form = page?.getElementById('search');
  if (form) document.getElementById('search').replaceWith(form);
}

// Fills the lists of fields, whose `data-kind` is the type of name.
export function startCompletion() {
  let waiting = 0;
  let running = new AbortController();
  document.addEventListener('input', (event) => {
    const field = event.target.closest?.('input[list][data-kind]');
    // A chosen completion is not a new query.
    if (!field || !event.inputType) return;
    clearTimeout(waiting);
    waiting = setTimeout(() => {
      running.abort();
      running = new AbortController();
      complete(field, running.signal);
    }, pause);
  });
}

// "Kasparov,G · 481 · 2000–2021": browsers show the label, and put the value into the field.
function about({ name, games, first_year: first, last_year: last }) {
  const years = first === null ? [] : [first === last ? first : `${first}–${last}`];
  return [name, games, ...years].join(' · ');
}

async function complete(field, signal) {
  const query = new URLSearchParams({ kind: field.dataset.kind, q: field.value.trim() });
  const list = document.getElementById(field.getAttribute('list'));
  if (!list || field.value.trim() === '') return;
  try {
    const response = await fetch(`/api/v1/names?${query}`, { signal });
    if (!response.ok) return;
    const names = await response.json();
    list.replaceChildren(...names.map((name) => make('option', { value: name.name, label: about(name) })));
  } catch {
    // Another letter was typed, or the server is gone: the field works without completion.
  }
}
