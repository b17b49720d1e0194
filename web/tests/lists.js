// Lists of games: search, completion, filters and pages without leaving.

import assert from 'node:assert/strict';
import { same, until } from './browser.js';

const rows = (page) => page.locator('#games tbody tr').count();
const stays = (page) => page.evaluate(() => (window.stayed = true));
const stayed = (page) => page.evaluate(() => window.stayed === true);

export const promises = {
  'a search is completed, answered without leaving, and kept by address and history': async (browser) => {
    const page = await browser.open('/games');
    await stays(page);
    const before = await rows(page);
    await page.locator('#search [name=player]').pressSequentially('Fisch');
    const options = page.locator('datalist option[value^="Fischer"]');
    await until('completions', async () => (await options.count()) > 0);
    await page.locator('#search [name=player]').fill(await options.first().getAttribute('value'));
    await page.keyboard.press('Enter');
    await until('the address', async () => /player=Fischer/.test(page.url()));
    await until('fewer games', async () => (await rows(page)) < before);
    const found = await rows(page);
    for (const row of await page.locator('#games tbody tr').allTextContents()) assert.match(row, /Fischer/);
    assert.ok(await stayed(page));
    await page.goBack();
    await until('all games', async () => same(await rows(page), before));
    await page.goForward();
    await until('those found', async () => same(await rows(page), found));
    await page.reload();
    assert.equal(await rows(page), found);
  },

  'what happens in games is searched for, shown and cleared, and a bad pattern is told': async (browser) => {
    const page = await browser.open('/games');
    await stays(page);
    const total = () => page.locator('#total').textContent();
    const all = await total();
    await page.locator('#search summary').nth(1).click();
    await page.locator('#search [name=pattern]').fill('*/*/*/*/????P/*/*/*');
    await page.keyboard.press('Enter');
    await until('a reason', async () => /each rank must have 8 squares/.test(await page.locator('#notice').textContent()));
    page.faults.length = 0; // Chromium reports the refusal itself.
    assert.equal(await total(), all);
    await page.locator('#search [name=pattern]').fill('*/*/*/*/????P*/*/*/*');
    await page.locator('#search [name=white_castles]').selectOption('long');
    await page.locator('#search [name=mirror]').check();
    await page.locator('#search button').last().click();
    await until('fewer games', async () => (await total()) !== all);
    assert.match(page.url(), /white_castles=long/);
    assert.match(await page.locator('#active-filters').textContent(), /White castles: long/);
    assert.ok(await page.locator('#notice').isHidden());
    assert.match(await page.locator('#draw-pattern').getAttribute('href'), /pattern=.*mirror=yes/);
    await page.locator('#active-filters a').last().click();
    await until('all games', async () => same(await total(), all));
    assert.ok(await stayed(page));
  },

  'pages of a list follow each other and the focus stays with them': async (browser) => {
    const page = await browser.open('/games');
    await stays(page);
    const first = await page.locator('#games tbody tr').first().textContent();
    const next = page.locator('#results a[rel=next]').first();
    await next.focus();
    await page.keyboard.press('Enter');
    await until('other games', async () => (await page.locator('#games tbody tr').first().textContent()) !== first);
    assert.ok(await page.evaluate(() => document.getElementById('results').contains(document.activeElement)));
    assert.ok(await stayed(page));
  },

  'a filter of the explorer is shown and cleared': async (browser) => {
    const page = await browser.open('/explorer?play=e2e4');
    await stays(page);
    const games = () => page.locator('#state').getAttribute('data-games');
    const before = await games();
    const field = page.locator('#filters [name=player]');
    if (!(await field.isVisible())) await page.locator('#filters summary').click();
    await field.fill('Fischer, Robert J');
    await page.keyboard.press('Enter');
    await until('fewer games', async () => (await games()) !== before);
    assert.match(page.url(), /play=e2e4/);
    await page.locator('#active-filters a').first().click();
    await until('all games', async () => same(await games(), before));
    assert.doesNotMatch(page.url(), /Fischer/);
    assert.ok(await stayed(page));
  },
};
