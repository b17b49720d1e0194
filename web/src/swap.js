// Opens another page of the same kind without leaving: fetches the page of a link and replaces parts of this one.

import { drawMoves } from './figurines.js';
import { warn } from './live.js';
import { words } from './words.js';

let running = new AbortController();
let asked = location.pathname + location.search;

// Runs a function when the reader goes back or forward to another page, not to another part of this one.
export function onHistory(action) {
  addEventListener('popstate', () => location.pathname + location.search !== asked && action(location.href));
}

// The URL of a plain click on a link to one of the paths, in one of the regions; otherwise null.
export function followed(event, regions, paths) {
  const link = event.target.closest?.('a[href]');
  const plain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
  if (!link || !plain || event.defaultPrevented || link.target || link.hasAttribute('download')) return null;
  const url = new URL(link.href);
  const ours = url.origin === location.origin && paths.includes(url.pathname) && link.closest(regions);
  return ours && !link.getAttribute('href').startsWith('#') ? url : null;
}

// Loads a page and replaces the elements with these ids. Null if it failed or another load came in between; failures
// are shown.
export async function load(address, ids) {
  const url = new URL(address);
  asked = url.pathname + url.search;
  running.abort();
  const own = (running = new AbortController());
  try {
    const response = await fetch(url, { headers: { 'X-Requested-With': 'plybook' }, signal: own.signal });
    const text = await response.text();
    const html = response.headers.get('content-type')?.startsWith('text/html');
    const page = new DOMParser().parseFromString(html ? text : '', 'text/html');
    if (!response.ok || !page.getElementById(ids[0])) {
      const reason = html ? page.querySelector('.error')?.textContent : text.slice(0, 500);
      warn(reason?.trim() || words.failed);
      markRefused(ids[0], page);
      return null;
    }
    warn('');
    markRefused(ids[0], page);
    drawMoves(page);
    ids.forEach((id) => replace(id, page.getElementById(id)));
    replaceHidden(page);
    document.title = page.title;
    return page;
  } catch (error) {
    if (error.name !== 'AbortError') warn(words.failed);
    return null;
  }
}

// The fields that a page marks, in the forms that stay; what they would have replaced is old.
function markRefused(id, page) {
  const names = [...page.querySelectorAll('form [aria-invalid]')].map((field) => field.name);
  document.getElementById(id)?.classList.toggle('old', names.length > 0);
  for (const field of document.querySelectorAll('#search [name]')) {
    if (names.includes(field.name)) field.setAttribute('aria-invalid', 'true');
    else field.removeAttribute('aria-invalid');
  }
}

// A part that the new page does not have is hidden, so that it can come back.
function replace(id, next) {
  const old = document.getElementById(id);
  if (!old) return;
  old.hidden = !next;
  if (!next) return;
  const active = document.activeElement;
  const held = active !== old && old.contains(active);
  const [text, table] = [active.textContent, active.closest('table')?.id];
  const chip = summaries(old).indexOf(active.closest('.chip')?.querySelector('summary'));
  old.replaceWith(next);
  if (held && chip >= 0) summaries(next)[chip]?.focus({ preventScroll: true });
  else if (held) restoreFocus(next, text, table);
}

const summaries = (part) => [...part.querySelectorAll('.chip > summary')];

// The same control if there is one, otherwise the first link of the same table, otherwise the part itself. For moves it
// is the first one, since the same move elsewhere is a different one.
function restoreFocus(part, text, table) {
  const links = [...part.querySelectorAll('a[href], button')];
  const same = table !== 'moves' && links.find((link) => link.textContent === text);
  const target = same || (table && part.querySelector(`#${table} a[href]`)) || part;
  if (target === part) part.tabIndex = -1;
  target.focus({ preventScroll: true });
}

// Forms stay, with their input; only their state from the page is updated.
function replaceHidden(page) {
  for (const form of document.forms) {
    const next = form.id && page.getElementById(form.id);
    if (!next) continue;
    form.querySelectorAll('input[type=hidden]').forEach((field) => field.remove());
    form.prepend(...next.querySelectorAll('input[type=hidden]'));
  }
}
