// Lists of games: search, completion, filters and pages without leaving.

import assert from 'node:assert/strict';
import { ready, same, until } from './browser.js';

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
    await page.locator('.drawer > summary').click();
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
    assert.equal(await page.locator('.drawer[open]').count(), 0);
    assert.ok(await page.locator('#notice').isHidden());
    assert.match(await page.locator('#draw-pattern').getAttribute('href'), /pattern=.*mirror=yes/);
    await page.locator('#active-filters a').last().click();
    await until('all games', async () => same(await total(), all));
    assert.ok(await stayed(page));
  },

  'what is typed into the search field is suggested, chosen by keys, and opened': async (browser) => {
    const page = await browser.open('/about');
    await page.keyboard.press('/');
    await page.keyboard.type('morph');
    const options = page.locator('#hits [role=option]');
    await until('suggestions', async () => (await options.count()) > 1);
    assert.equal(await page.locator('#q').getAttribute('aria-expanded'), 'true');
    assert.match((await page.locator('#hits mark').first().textContent()).toLowerCase(), /^morph$/);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowUp');
    const chosen = page.locator('#hits [aria-selected=true]');
    assert.equal(await page.locator('#q').getAttribute('aria-activedescendant'), await chosen.getAttribute('id'));
    assert.equal(await chosen.count(), 1);
    await page.keyboard.press('Escape');
    assert.equal(await options.first().isVisible(), false);
    // Enter opens the only clear answer.
    await page.keyboard.type('y');
    await until('fewer suggestions', async () => (await options.first().isVisible()) && /morphy/i.test(await options.first().textContent()));
    const first = await options.first().getAttribute('href');
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => url.pathname === first);
    page.faults.length = 0; // Chromium reports a page that does not exist itself.
    // Of several answers, it chooses none.
    await page.goto('/about');
    await page.locator('#q').pressSequentially('an');
    await until('several suggestions', async () => (await options.count()) > 1);
    await page.keyboard.press('Enter');
    await page.waitForURL(/search\?q=an/);
    await page.goto('/about');
    await page.locator('#q').fill('e4 c5');
    await page.keyboard.press('Enter');
    await page.waitForURL(/explorer\?play=e2e4,c7c5/);
  },

  'suggestions are text, whatever names contain': async (browser) => {
    const page = await browser.open('/about');
    await page.locator('#q').pressSequentially('Long wo');
    const option = page.locator('#hits [role=option]').first();
    await until('a narrow list', async () => ((await option.boundingBox())?.width ?? 1000) <= 700);
    await page.locator('#q').fill('(*[\\');
    await page.keyboard.press('Enter');
    await page.waitForURL(/search\?q=/);
    assert.match(await page.locator('main').textContent(), /Nothing is called/);
  },

  'games are chosen one by one, in ranges and all at once': async (browser) => {
    const page = await browser.open('/games?result=1-0');
    const bar = page.locator('.selbar');
    assert.equal(await bar.isVisible(), false);
    const boxes = page.locator('#games [name=id]');
    await boxes.nth(1).check();
    await boxes.nth(4).click({ modifiers: ['Shift'] });
    assert.match(await bar.textContent(), /4 chosen/);
    const ids = await boxes.evaluateAll((all) => all.filter((box) => box.checked).map((box) => box.value));
    const [download] = await Promise.all([page.waitForEvent('download'), bar.locator('button').first().click()]);
    assert.match(download.url(), new RegExp(`export\\?${ids.map((id) => `id=${id}`).join('&')}$`));
    await page.locator('#games .all').check();
    assert.match(await bar.textContent(), new RegExp(`${await boxes.count()} chosen`));
    await bar.locator('[type=reset]').click();
    assert.equal(await bar.isVisible(), false);
    await boxes.nth(0).check();
    await bar.locator('[formaction="/explorer"]').click();
    await page.waitForURL(/explorer\?id=/);
    assert.equal(await page.locator('#state').getAttribute('data-games'), '1');
  },

  'a list keeps its place when the reader comes back to it': async (browser) => {
    const page = await browser.open('/games', { viewport: { width: 1000, height: 500 } });
    const place = () => page.evaluate(() => Math.round(scrollY));
    await page.evaluate(() => scrollTo(0, 700));
    const before = await place();
    await page.evaluate(() => document.querySelector('#results a[rel=next]').click());
    await until('the top of the next page', async () => (await place()) === 0);
    await page.goBack();
    await until('the old place', async () => same(await place(), before));
    await page.evaluate(() => document.querySelectorAll('#games tbody .c-res a')[20].click());
    await page.waitForURL(/game\/\d/);
    await ready(page);
    await page.goBack();
    await until('the old place', async () => Math.abs((await place()) - before) < 400);
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
    const chip = page.locator('#filters details.chip').first();
    await chip.locator('summary').click();
    await chip.locator('[name=player]').fill('Fischer, Robert J');
    await page.keyboard.press('Enter');
    await until('fewer games', async () => (await games()) !== before);
    assert.match(page.url(), /play=e2e4/);
    assert.match(await chip.locator('summary').textContent(), /Fischer, Robert J/);
    await chip.locator('summary').click();
    await chip.locator('a.btn').click();
    await until('all games', async () => same(await games(), before));
    assert.doesNotMatch(page.url(), /Fischer/);
    assert.ok(await stayed(page));
  },
};
