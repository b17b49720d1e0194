// Runs all tests against a server and reports failures. `ONLY=text` runs those whose name contains the text.

import { Browser } from './browser.js';
import * as access from './access.js';
import * as editing from './editing.js';
import * as embedding from './embedding.js';
import * as explore from './explore.js';
import * as keyboard from './keyboard.js';
import * as lists from './lists.js';
import * as printed from './printed.js';
import * as replay from './replay.js';
import * as setup from './setup.js';
import * as unscripted from './unscripted.js';
import * as views from './views.js';

// A URL with a key is that of a server with which an archive can be edited.
const edits = new URL(process.argv[2]).username !== '';
const parts = edits ? [editing] : [embedding, explore, replay, lists, setup, keyboard, access, printed, unscripted, views];
const all = parts.flatMap(({ promises }) => Object.entries(promises));
const chosen = all.filter(([name]) => name.includes(process.env.ONLY ?? ''));
const browser = await Browser.launch(process.argv[2]);
let broken = 0;
for (const [name, keep] of chosen) {
  try {
    await keep(browser);
    const faults = await browser.closeContexts();
    if (faults.length > 0) throw new Error(faults.join('\n'));
    console.log(`ok     ${name}`);
  } catch (error) {
    broken += 1;
    console.log(`BROKEN ${name}\n       ${error.stack.replaceAll('\n', '\n       ')}`);
  } finally {
    await browser.closeContexts();
  }
}
await browser.close();
console.log(`${chosen.length - broken} of ${chosen.length} promises kept`);
process.exitCode = broken > 0 || chosen.length === 0 ? 1 : 0;
