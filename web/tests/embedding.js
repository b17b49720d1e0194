// Games in frames on other sites. The server was started with `--embed http://club.example`.

import assert from 'node:assert/strict';
import { chromium } from 'playwright-core';

// A frame in a page of another site, and what the browser reports about it.
async function framed({ url }, site, path) {
  // Chromium asks readers before a page of the internet may show one of this machine.
  const args = ['--no-sandbox', '--disable-features=LocalNetworkAccessChecks'];
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args });
  const page = await browser.newPage({ javaScriptEnabled: false });
  const reports = [];
  page.on('console', (message) => reports.push(message.text()));
  const frame = `<iframe width="700" height="420" src="${new URL(path, url)}"></iframe>`;
  await page.route(`${site}/**`, (route) => route.fulfill({ contentType: 'text/html', body: frame }));
  await page.goto(`${site}/games.html`);
  return { browser, frame: page.frames()[1], reports };
}

export const promises = {
  'an allowed site shows a game in a frame, in which moves are links': async (browser) => {
    const { browser: own, frame } = await framed(browser, 'http://club.example', '/embed/game/7?ply=24');
    assert.equal(await frame.locator('svg').count(), 1);
    assert.ok(await frame.locator('svg').isVisible());
    const current = frame.locator('[aria-current]');
    const before = await current.textContent();
    await frame.locator('.step').nth(2).click();
    await frame.waitForURL(/ply=25$/);
    assert.notEqual(await current.textContent(), before);
    assert.ok(await frame.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
    await own.close();
  },

  'no other site shows a game in a frame, and no site another page': async (browser) => {
    for (const [site, path] of [
      ['http://other.example', '/embed/game/7'],
      ['http://club.example.other.example', '/embed/game/7'],
      ['http://club.example:8080', '/embed/game/7'],
      ['http://club.example', '/game/7'],
      ['http://club.example', '/'],
      ['http://club.example', '/api/v1/games/7.svg'],
    ]) {
      const { browser: own, frame, reports } = await framed(browser, site, path);
      assert.equal(await frame.locator('svg').count(), 0, `${site} ${path}`);
      assert.ok(reports.some((report) => report.includes('frame-ancestors')), `${site} ${path}: ${reports}`);
      await own.close();
    }
  },
};
