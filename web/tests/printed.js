// Pages on paper.

import assert from 'node:assert/strict';
import { ready } from './browser.js';
import { compare } from './views.js';

// The width of A4 and of US Letter between the margins, in pixels.
const WIDTHS = [680, 702];

async function printed(browser, path, width) {
  const page = await browser.open(path, { viewport: { width, height: 1000 } });
  await page.emulateMedia({ media: 'print' });
  return page;
}

// The boxes of the visible elements that a selector finds.
function boxes(page, selector) {
  return page.$$eval(selector, (found) =>
    found.map((element) => element.getBoundingClientRect()).filter(({ width, height }) => width > 1 && height > 1)
      .map(({ left, right, top, bottom }) => ({ left, right, top, bottom })));
}

export const promises = {
  'on paper, tables and trees stay within their cards, and nothing is wider than the page': async (browser) => {
    for (const width of WIDTHS) {
      for (const path of ['/event/New%20York?year=1924', '/player/Morphy,%20Paul', '/opening/Italian%20Game', '/prepare?opponent=morphy&colour=white', '/games']) {
        const page = await printed(browser, path, width);
        const cut = await page.$$eval('main .card :is(table, .tree, .bar, td, th, svg)', (found) =>
          found.filter((element) => element.getBoundingClientRect().right > element.closest('.card').getBoundingClientRect().right + 1)
            .map((element) => element.outerHTML.slice(0, 80)));
        assert.deepEqual(cut, [], `${path} ${width}`);
        const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        assert.ok(wide <= 0, `${path} ${width}: ${wide}`);
        const scrolling = await page.$$eval('main .scroll', (found) => found.filter((e) => getComputedStyle(e).overflowX !== 'visible').length);
        assert.equal(scrolling, 0, path);
      }
    }
  },

  'on paper, a board is next to its text and covers nothing': async (browser) => {
    for (const width of WIDTHS) {
      const opening = await printed(browser, '/opening/Italian%20Game', width);
      const [board] = await boxes(opening, '#board > :is(svg, .cg-wrap)');
      const text = await boxes(opening, '.o-head > *, .o-board > :is(.bar, .facts), .o-main');
      assert.ok(text.length > 4);
      for (const box of text) assert.ok(box.left >= board.right || box.top >= board.bottom, JSON.stringify({ board, box }));
      assert.ok(text.some((box) => box.left >= board.right));
    }
  },

  'on paper, discs, results and bars keep their colours, and there are no chips, buttons and links to more': async (browser) => {
    for (const path of ['/event/New%20York?year=1924', '/player/Morphy,%20Paul', '/opening/Italian%20Game', '/game/1']) {
      const page = await printed(browser, path, 680);
      const pale = await page.$$eval('.side, .res, .bar > *', (found) =>
        found.filter((element) => getComputedStyle(element).printColorAdjust !== 'exact').length);
      assert.equal(pale, 0, path);
      for (const selector of ['main .btn', 'main button', 'main .chip', 'main .seg', 'main .rounds', 'main .card > header > a']) {
        assert.deepEqual(await boxes(page, selector), [], `${path} ${selector}`);
      }
    }
  },

  'on paper, a preparation names its date and the names that were merged': async (browser) => {
    const page = await printed(browser, '/prepare?opponent=*&colour=white&since=1900', 680);
    assert.match(await page.locator('.who-name').innerText(), /since 1900/);
    assert.ok((await boxes(page, '.ways li')).length > 1);
    assert.deepEqual(await boxes(page, 'form'), []);
  },

  'a comparison stays, in the language of its page, though the reader remembers another': async (browser) => {
    const page = await browser.open('/prepare?opponent=*&colour=white&lang=en');
    await page.evaluate(() => localStorage.setItem('lang', 'de'));
    await compare(page);
    await ready(page);
    await page.waitForLoadState('networkidle');
    assert.equal(new URL(page.url()).search, '?lang=en');
    assert.ok((await page.locator('.mark').count()) > 0);
    assert.match(await page.locator('textarea[name=pgn]').inputValue(), /Bb5/);
    assert.equal(await page.locator('[name=opponent]').inputValue(), '*');
  },
};
