// Whoever reads it: no violations of WCAG that axe finds, light and dark; small screens; chosen scheme; keys to switch off.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { ready, same, until } from './browser.js';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const paths = ['/', '/explorer?play=e2e4', '/games', '/game/1?ply=6', '/editor', '/about'];
const small = { width: 360, height: 640 };

async function violations(page) {
  await page.evaluate(axe);
  const found = await page.evaluate(() => window.axe.run({ rules: { 'target-size': { enabled: true } } }));
  return found.violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html.slice(0, 200)} ${node.failureSummary}`));
}

const promises = {
  'the help opens with ?, names the keys and switches them off': async (browser) => {
    const page = await browser.open('/explorer');
    await page.keyboard.press('?');
    await page.locator('#help').waitFor();
    assert.deepEqual(await violations(page), []);
    await page.locator('#help input[type=checkbox]').uncheck();
    await page.keyboard.press('Escape');
    await page.keyboard.press('x');
    await page.reload();
    await ready(page);
    await page.keyboard.press('x');
    await page.keyboard.press('?');
    assert.equal(new URL(page.url()).searchParams.get('play'), null);
    assert.equal(await page.locator('#help').isVisible(), false);
  },

  'a scheme that is chosen stays, from the first drawing on': async (browser) => {
    const page = await browser.open('/about', { colorScheme: 'light' });
    const ground = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
    const light = await ground();
    await page.locator('#theme').click();
    const dark = await ground();
    assert.notEqual(dark, light);
    await page.goto('/games', { waitUntil: 'commit' });
    await page.waitForSelector('html[data-theme=dark]', { state: 'attached' });
    await ready(page);
    assert.equal(await ground(), dark);
    await page.locator('#theme').click();
    assert.equal(await ground(), light);
  },

  'reduced motion is heeded': async (browser) => {
    const page = await browser.open('/explorer', { reducedMotion: 'reduce' });
    await page.locator('#moves tr[data-uci=e2e4] a').click();
    await until('the move', async () => same(await page.locator('#state').getAttribute('data-play'), 'e2e4'));
    assert.equal(await page.locator('piece.anim').count(), 0);
  },

  'the board is full width on a phone': async (browser) => {
    const page = await browser.open('/explorer', { viewport: small });
    const { width } = await page.locator('cg-board').boundingBox();
    assert.ok(width >= 320, String(width));
  },
};

for (const path of paths) {
  for (const colorScheme of ['light', 'dark']) {
    promises[`no violations that axe finds: ${path}, ${colorScheme}`] = async (browser) => {
      const wide = await browser.open(path, { colorScheme });
      assert.deepEqual(await violations(wide), []);
      const narrow = await browser.open(path, { colorScheme, viewport: small });
      assert.deepEqual(await violations(narrow), []);
    };
  }
  promises[`nothing to scroll sideways on 360 pixels: ${path}`] = async (browser) => {
    for (const javaScriptEnabled of [true, false]) {
      const page = await browser.open(path, { viewport: small, javaScriptEnabled });
      const wide = await page.evaluate(() => [document.documentElement.scrollWidth, document.body.scrollWidth]);
      assert.ok(Math.max(...wide) <= 360, `${wide}`);
    }
  };
}

export { promises };
