// Editing: forms with and without script, a variation on the board, import with a drop, undo; and accessibility.

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { violations, wide } from './access.js';
import { clickMove, same, stands, until } from './browser.js';

// The cookies of the browser that was opened with the URL from the terminal, which works once, and its key.
let storageState;
let extraHTTPHeaders;

// Opens that URL, as a reader does: the key comes with all later requests without any header of ours.
async function login(browser) {
  const page = await browser.open(browser.url.href);
  assert.equal(page.url(), `${browser.url.origin}/`);
  await page.goto('/import');
  await page.locator('#import').waitFor();
  storageState = await page.context().storageState();
  extraHTTPHeaders = { authorization: `Basic ${btoa(`${browser.url.username}:${browser.url.password}`)}` };
  return page;
}

async function open(browser, path, options = {}) {
  if (!storageState) await login(browser);
  return browser.open(path, { storageState, extraHTTPHeaders, ...options });
}

// What an import left out. A download would not have the headers of this browser's requests.
async function leftOut(page) {
  const link = page.getByRole('link', { name: 'Save what was left out' });
  return (await page.request.get(await link.getAttribute('href'))).text();
}

// Another server on this machine, which keeps the headers of the last request, and answers with a page.
async function otherServer(body) {
  const seen = {};
  const server = createServer((request, response) => {
    Object.assign(seen, { headers: request.headers });
    response.setHeader('content-type', 'text/html').end(body);
  });
  await new Promise((ready) => server.listen(0, '127.0.0.1', ready));
  return { seen, url: `http://127.0.0.1:${server.address().port}/`, close: () => server.close() };
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
  // The first, since the browser itself must have learnt the key.
  'another server on this machine receives the cookie, but not the key, and changes nothing': async (browser) => {
    const page = await login(browser);
    const { origin } = browser.url;
    const fields = '<input name="change" value="1"><button>Post</button>';
    const other = await otherServer(`<form method="post" action="${origin}/edit/undo">${fields}</form>`);
    await page.goto(other.url);
    const { cookie, authorization } = other.seen.headers;
    assert.match(cookie, /^plybook-/);
    assert.equal(authorization, undefined);
    const own = { cookie, origin, 'sec-fetch-site': 'same-origin', 'content-type': 'application/x-www-form-urlencoded' };
    for (const path of ['/edit/game/1', '/edit/remove', '/edit/undo', '/edit/redo', '/edit/import']) {
      const reply = await fetch(origin + path, { method: 'POST', headers: own, body: 'action=remove' });
      assert.equal(reply.status, 403, path);
    }
    for (const path of ['/edit', '/edit/game/1', '/edit/remove?id=1', '/log', '/import']) {
      const reply = await fetch(origin + path, { headers: own });
      assert.ok([401, 403].includes(reply.status), `${path}: ${reply.status}`);
    }
    // Its page cannot use that the browser knows both.
    const posted = page.waitForResponse(`${origin}/edit/undo`);
    await page.getByRole('button', { name: 'Post' }).click();
    const sent = await (await posted).request().allHeaders();
    assert.deepEqual([(await posted).status(), sent.authorization, sent['sec-fetch-site']], [403, extraHTTPHeaders.authorization, 'same-site']);
    await page.goto(`${origin}/import`);
    await page.locator('#import').waitFor();
    other.close();
    page.faults.length = 0;
  },

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
    assert.match(await page.locator('#report .problems').textContent(), /dropped\.pgn\s*Game 2/);
    assert.match(await leftOut(page), /^% dropped\.pgn: game 2,/);
    assert.deepEqual(await violations(page), []);
  },

  'the report of an import fits a phone': async (browser) => {
    const page = await open(browser, '/import', { viewport: { width: 360, height: 640 } });
    const text = pgn.replace('Dropped', 'Phone').replace('2. Ke2', '2. Ke2 (2. Ke3)');
    await page.locator('#files').setInputFiles({ name: `${'long'.repeat(20)}.pgn`, mimeType: '', buffer: Buffer.from(text) });
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await page.locator('#report').waitFor();
    assert.ok((await wide(page)) <= 360);
    assert.equal(await page.locator('#report .scroll').count(), 0);
    const { height } = await page.locator('#report h2').boundingBox();
    assert.ok(height < 40, `the heading has several lines: ${height}`);
    assert.deepEqual(await violations(page), []);
    await page.locator('#report').getByRole('link', { name: 'Edit' }).click();
    await page.waitForURL(/\/edit\/game\/\d+$/);
  },

  'a file is imported without script': async (browser) => {
    const page = await open(browser, '/import', { javaScriptEnabled: false });
    await page.locator('#files').setInputFiles({ name: 'chosen.pgn', mimeType: '', buffer: Buffer.from(pgn.replace('Dropped', 'Chosen')) });
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await until('the report', async () => same(await page.locator('#report dd').allTextContents(), ['2', '1', '0', '1']));
    assert.match(await leftOut(page), /^% chosen\.pgn: game 2,/);
  },

  'games are pasted, without script': async (browser) => {
    const page = await open(browser, '/import', { javaScriptEnabled: false });
    await page.getByRole('textbox', { name: 'Paste games as PGN' }).fill('[White "Pasted"]\n\n1. a4 a5 *\n\n1. a4 h5 *');
    await page.getByRole('button', { name: 'Import Paste' }).click();
    await until('the report', async () => same(await page.locator('#report dd').allTextContents(), ['2', '2', '0', '0']));
  },

  'a wrong value is marked at its field, without script': async (browser) => {
    const page = await open(browser, '/edit/game/2', { javaScriptEnabled: false });
    await page.getByLabel('Date', { exact: true }).fill('1984.03.32');
    await page.getByLabel('Rating of White').fill('2100');
    await page.getByRole('button', { name: 'Save tags' }).click();
    assert.equal(await page.getByRole('alert').textContent(), 'March has 31 days');
    assert.equal(await page.locator('[aria-invalid]').getAttribute('name'), 'tag.Date');
    assert.equal(await page.getByLabel('Rating of White').inputValue(), '2100');
    page.faults.length = 0;
  },

  'a message covers nothing': async (browser) => {
    for (const width of [360, 1440]) {
      const page = await open(browser, '/edit/game/1?ply=3&done=0', { viewport: { width, height: 640 } });
      await toast(page).waitFor();
      const covered = await page.evaluate(async () => {
        const hits = [];
        for (const control of document.querySelectorAll('main a, main button, main input, main select, main textarea')) {
          control.scrollIntoView({ block: 'end' });
          const { x, y, width, height } = control.getBoundingClientRect();
          if (width && document.elementFromPoint(x + width / 2, y + height / 2)?.closest('.toast') && !control.closest('.toast')) hits.push(control.outerHTML);
        }
        return hits;
      });
      assert.deepEqual(covered, []);
    }
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
    await page.waitForURL(/\/games\?done=/);
    assert.equal(await status(), 404);
    assert.match(await toast(page).textContent(), /^\s*Removed 2 games \(.*, …\)\s*Undo/);
    const some = await open(browser, '/log', { viewport: { width: 360, height: 900 } });
    await some.locator('a[href^="/edit/undo?"]').first().click();
    await some.locator('.all').check();
    assert.match(await some.locator('.chosen-count').textContent(), /^2 /);
    assert.deepEqual(await violations(some), []);
    assert.ok((await wide(some)) <= 360);
    await some.close();
    await toast(page).getByRole('button', { name: 'Undo' }).click();
    await toast(page).getByRole('button', { name: 'Redo' }).waitFor();
    assert.equal(new URL(page.url()).pathname, '/games');
    assert.equal(await status(), 200);
  },

  'axe finds nothing on the pages for editing, and none is wider than its window': async (browser) => {
    for (const colorScheme of ['light', 'dark']) {
      for (const width of [360, 768, 1440]) {
        for (const path of ['/edit/game/1?ply=3&done=0', '/edit/game/5?lang=de', '/log', '/import', '/duplicates', '/edit/remove?id=1']) {
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
