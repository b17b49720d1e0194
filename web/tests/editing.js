// Editing: forms with and without script, a variation on the board, import with a drop, undo; and accessibility.

import assert from 'node:assert/strict';
import { violations, wide } from './access.js';
import { clickMove, same, stands, until } from './browser.js';

// The cookies of the browser that was opened with the URL from the terminal, which works once.
let storageState;

async function open(browser, path, options = {}) {
  if (!storageState) {
    const page = await browser.open(browser.url.href);
    assert.equal(page.url(), new URL('/', browser.url).href);
    storageState = await page.context().storageState();
  }
  return browser.open(path, { storageState, ...options });
}

const toast = (page) => page.locator('.toast');
const pgn = '[White "Dropped"]\n\n1. e4 e5 2. Ke2 *\n\n[White "Broken"]\n\n1. e4 Ke4 *\n';

// A comment, saved and undone.
async function comment(browser, options) {
  const page = await open(browser, '/game/5?ply=3', options);
  await page.locator('#forward').click();
  await page.getByRole('link', { name: 'Edit', exact: true }).click();
  await page.waitForURL(/\/edit\/game\/5\?ply=4$/);
  const field = page.locator('textarea[name=text]').first();
  const before = await field.inputValue();
  await field.fill('A good move.');
  await page.getByRole('button', { name: 'Save Comment' }).click();
  await until('the comment', async () => same(await field.inputValue(), 'A good move.'));
  await toast(page).getByRole('button', { name: 'Undo' }).click();
  await until('what it was', async () => same(await field.inputValue(), before));
  await toast(page).getByRole('button', { name: 'Redo' }).waitFor();
}

export const promises = {
  'a comment is saved, and a message offers to undo it': (browser) => comment(browser, {}),

  'it is the same without script': (browser) => comment(browser, { javaScriptEnabled: false }),

  'moves on the board are a variation': async (browser) => {
    const page = await open(browser, '/edit/game/1?ply=0');
    const entered = () => page.locator('#variation-moves').inputValue();
    await clickMove(page, 'b1', 'c3');
    await until('a move', async () => same(await entered(), 'Nc3'));
    await until('the board', async () => same(await stands(page, 'c3'), 'White knight'));
    await clickMove(page, 'g8', 'f6');
    await until('two moves', async () => same(await entered(), 'Nc3 Nf6'));
    await page.getByRole('button', { name: 'Add variation' }).click();
    await until('the variation', async () => (await page.locator('.edit-score').textContent()).includes('Nf6)'));
    await toast(page).getByRole('button', { name: 'Undo' }).click();
    await until('no variation', async () => !(await page.locator('.edit-score').textContent()).includes('Nf6)'));
  },

  'a file is imported with a drop, and reported': async (browser) => {
    const page = await open(browser, '/import');
    const data = await page.evaluateHandle((text) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([text], 'dropped.pgn'));
      return transfer;
    }, pgn);
    await page.dispatchEvent('#import', 'drop', { dataTransfer: data });
    await page.locator('#report').waitFor();
    const numbers = await page.locator('#report dd').allTextContents();
    assert.deepEqual(numbers, ['2', '1', '0', '1']);
    assert.match(await page.locator('#report tbody').textContent(), /dropped\.pgn2/);
    assert.deepEqual(await violations(page), []);
  },

  'a file is imported without script': async (browser) => {
    const page = await open(browser, '/import', { javaScriptEnabled: false });
    await page.locator('#files').setInputFiles({ name: 'chosen.pgn', mimeType: '', buffer: Buffer.from(pgn.replace('Dropped', 'Chosen')) });
    await page.getByRole('button', { name: 'Import' }).click();
    await until('the report', async () => same(await page.locator('#report dd').allTextContents(), ['2', '1', '0', '1']));
  },

  'games are removed and come back': async (browser) => {
    const page = await open(browser, '/games');
    const boxes = page.locator('#games [name=id]');
    const ids = await boxes.evaluateAll((all) => all.slice(0, 2).map((box) => box.value));
    for (const number of [0, 1]) await boxes.nth(number).check();
    await page.getByRole('button', { name: 'Remove', exact: true }).click();
    await page.waitForURL(new RegExp(`/edit/remove\\?.*id=${ids[0]}&id=${ids[1]}`));
    const status = async () => (await page.context().request.get(`/api/v1/games/${ids[0]}`)).status();
    await page.getByRole('button', { name: 'Remove', exact: true }).click();
    await page.waitForURL(/\/log\?done=/);
    assert.equal(await status(), 404);
    await toast(page).getByRole('button', { name: 'Undo' }).click();
    await page.waitForURL(/\/log\?undone=/);
    assert.equal(await status(), 200);
  },

  'axe finds nothing on the pages for editing, and none is wider than its window': async (browser) => {
    for (const colorScheme of ['light', 'dark']) {
      for (const width of [360, 768, 1440]) {
        for (const path of ['/edit/game/1?ply=3&done=1', '/edit/game/5?lang=de', '/log', '/import', '/edit/remove?id=1']) {
          const page = await open(browser, path, { colorScheme, viewport: { width, height: 900 } });
          assert.deepEqual(await violations(page), [], `${path} ${colorScheme} ${width}`);
          const seen = await wide(page);
          assert.ok(seen <= width, `${path} at ${width}: ${seen}`);
          if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/${path.split('?')[0].replaceAll('/', '-')}-${width}-${colorScheme}.png` });
        }
      }
    }
  },
};
