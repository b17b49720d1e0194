// Single keys as shortcuts: never in a field, never with Ctrl, Alt or Meta, and they can be switched off.

import { make } from './dom.js';
import { keep, recall } from './store.js';
import { words } from './words.js';

const actions = new Map();
const fields = 'input:not([type=checkbox], [type=button], [type=submit]), textarea, select, [contenteditable]';

// An action for one or more keys; an action that returns false leaves the key to the browser.
export function onKey(keys, action) {
  for (const key of keys) actions.set(key, action);
}

export function startKeys() {
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.isComposing || event.defaultPrevented) return;
    if (event.target.closest?.(fields) || document.querySelector('dialog[open]')) return;
    if (event.key.length === 1 && recall('shortcuts') === 'off') return;
    if (event.key === 'Enter' && event.target.closest?.('a, button, summary, input')) return;
    const action = actions.get(event.key);
    if (action && action() !== false) event.preventDefault();
  });
  onKey(['/'], search);
  startHelp();
}

function search() {
  const field = document.getElementById('q');
  field?.focus();
  field?.select();
}

function startHelp() {
  const dialog = document.getElementById('help');
  if (!dialog) return;
  const box = make('input', { type: 'checkbox', checked: recall('shortcuts') !== 'off' });
  box.addEventListener('change', () => keep('shortcuts', box.checked ? 'on' : 'off'));
  dialog.querySelector('form').before(make('label', { class: 'tick' }, box, words.shortcuts));
  const open = () => dialog.showModal();
  onKey(['?'], open);
  const button = document.getElementById('help-open');
  if (!button) return;
  button.hidden = false;
  button.addEventListener('click', open);
}
