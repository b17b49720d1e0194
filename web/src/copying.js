// The buttons that copy a position, a game, a line of moves or the link to the page.

import { say, warn } from './live.js';
import { words } from './words.js';

export function startCopying() {
  button('copy-fen', (self) => self.dataset.fen);
  button('copy-pgn', async () => {
    const response = await fetch(document.getElementById('download').href);
    if (!response.ok) throw new Error(response.statusText);
    return response.text();
  });
  document.addEventListener('click', async ({ target }) => {
    const element = target.closest?.('[data-copy]');
    if (!element) return;
    await tell(element, () => element.dataset.copy || location.href);
  });
}

function button(id, text) {
  const element = document.getElementById(id);
  if (!element) return;
  element.hidden = false;
  element.addEventListener('click', () => tell(element, text));
}

// Copies a text and says so.
async function tell(element, text) {
  try {
    await copy(await text(element));
    say(words.copied);
    element.dataset.done = words.copied;
    setTimeout(() => delete element.dataset.done, 2000);
  } catch {
    warn(words.not_copied, element);
  }
}

// Only pages of this machine and of HTTPS may use the clipboard; others copy a selection.
async function copy(text) {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const area = document.createElement('textarea');
  area.value = text;
  area.className = 'off-screen';
  document.body.append(area);
  area.select();
  const done = document.execCommand('copy');
  area.remove();
  if (!done) throw new Error('not copied');
}
