// Accessibility: axe, the choice of light or dark, shortcuts that can be disabled, long words and paper.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { ready, same, until } from './browser.js';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const small = { width: 360, height: 640 };
// A4 without margins, at 96 pixels per inch.
const paper = { width: 680, height: 1000 };
export const wide = (page) => page.evaluate(() => Math.max(document.documentElement.scrollWidth, document.body.scrollWidth));
const boxes = (page, selector) => page.locator(selector).evaluateAll((all) => all.map((one) => one.getBoundingClientRect()));

export async function violations(page) {
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
    const keys = await boxes(page, '#help :is(kbd, button, label)');
    for (const [place, one] of keys.entries()) {
      for (const two of keys.slice(place + 1)) {
        assert.ok(one.bottom <= two.top || two.bottom <= one.top || one.right <= two.left || two.right <= one.left, 'keys and buttons of the help are apart');
      }
    }
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

  'a word of ten thousand letters neither widens a phone nor fills pages of a list': async (browser) => {
    for (const javaScriptEnabled of [true, false]) {
      const page = await browser.open('/games?event=Long+words*', { viewport: small, javaScriptEnabled });
      const game = await page.locator('#games tbody a').first().getAttribute('href');
      const [row] = await boxes(page, '#games tbody tr');
      assert.ok(row.height < 160, String(row.height));
      for (const path of ['/games?event=Long+words*', game, `${game}?ply=3`, '/explorer?event=Long+words*&play=e2e4', `/games?player=${'w'.repeat(5_000)}`]) {
        await page.goto(path);
        assert.ok((await wide(page)) <= 360, `${path}: ${await wide(page)}`);
      }
    }
  },

  'a report is drawn in the colours and letters of the page': async (browser) => {
    for (const path of ['/report?date=1850..', '/report?player=Capablanca*&date=1900..']) {
      const page = await browser.open(path, { viewport: small, colorScheme: 'dark' });
      const seen = await page.locator('#report *').evaluateAll((all) => {
        const shown = all.filter((one) => one.checkVisibility() && one.getBoundingClientRect().width > 0);
        const texts = shown.filter((one) => [...one.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim()));
        // Letters in a picture that is scaled are smaller than their style says.
        const scale = (one) => one.ownerSVGElement ? one.getScreenCTM().a : 1;
        const letters = texts.map((one) => parseFloat(getComputedStyle(one).fontSize) * scale(one));
        const grounds = shown.filter((one) => one.matches('rect') && getComputedStyle(one).fill === 'rgb(255, 255, 255)');
        return { least: Math.min(...letters), grounds: grounds.length };
      });
      assert.ok(seen.least >= 9, `${path}: ${seen.least}`);
      assert.equal(seen.grounds, 0, path);
    }
  },

  'on paper nothing is cut off or covered, and there are no controls': async (browser) => {
    for (const path of ['/explorer?play=e2e4', '/games', '/game/2?ply=9']) {
      for (const javaScriptEnabled of [true, false]) {
        const page = await browser.open(path, { javaScriptEnabled });
        await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
        await page.emulateMedia({ media: 'print' });
        await page.setViewportSize(paper);
        assert.ok((await wide(page)) <= paper.width, `${path}: ${await wide(page)}`);
        for (const table of await boxes(page, 'table:not(.off-screen table)')) assert.ok(table.right <= paper.width, `${path}: ${table.right}`);
        for (const picture of await boxes(page, '#board > svg, cg-container')) {
          const [least, most] = path.startsWith('/game/') ? [220, 250] : [300, 340];
          assert.ok(picture.width > least && picture.width <= most, `${path}: ${picture.width}`);
          const [text] = await boxes(page, '.g-moves, .x-head');
          assert.ok(picture.bottom <= text.top || picture.right <= text.left, `${path}: the board covers what is next to it`);
        }
        assert.equal(await page.locator('button:visible, form:visible, nav.paging:visible').count(), 0);
      }
    }
  },

  'the board is full width on a phone': async (browser) => {
    const page = await browser.open('/explorer', { viewport: small });
    const { width } = await page.locator('cg-board').boundingBox();
    assert.ok(width >= 320, String(width));
  },
};

export { promises };
