// The switch between light and dark, and the language. theme.js applies the choices on the next page.

import { keep } from './store.js';
import { words } from './words.js';

const dark = () => matchMedia('(prefers-color-scheme: dark)').matches;
const current = () => document.documentElement.dataset.theme || (dark() ? 'dark' : 'light');

// A link to the page in another language chooses it for all pages; theme.js applies the choice.
export function startLanguages() {
  document.addEventListener('click', (event) => {
    const link = event.target.closest?.('a[hreflang]');
    if (link) keep('lang', link.hreflang);
  });
}

export function startScheme() {
  const button = document.getElementById('theme');
  if (!button) return;
  const label = () => {
    button.title = current() === 'dark' ? words.light : words.dark;
    button.setAttribute('aria-label', button.title);
  };
  button.hidden = false;
  button.addEventListener('click', () => {
    const next = current() === 'dark' ? 'light' : 'dark';
    document.documentElement.dataset.theme = next;
    keep('theme', next);
    label();
  });
  label();
}
