// Without JavaScript, the explorer, games and lists work.

import assert from 'node:assert/strict';
import { wide } from './access.js';
import { until } from './browser.js';
import { compare, openView, views } from './views.js';

const off = { javaScriptEnabled: false };
const line = (page) => page.locator('#state').getAttribute('data-play');
const at = (what, page, probe) => until(what, async () => (await probe()) || page.url());

// Links and forms of a page, and the parts of it that its links lead to.
const ways = (page) =>
  page.evaluate(() => {
    const links = [...document.querySelectorAll('a[href]')];
    const inside = links.filter((link) => link.origin === location.origin);
    return {
      lost: links.map((link) => link.getAttribute('href')).filter((href) => href.startsWith('#') && !document.getElementById(href.slice(1))),
      links: [...new Set(inside.map((link) => link.pathname + link.search))],
      buttons: [...document.querySelectorAll('button')].filter((button) => button.checkVisibility() && !button.form && !button.closest('.scripted')).map((button) => button.outerHTML),
    };
  });

export const promises = {
  'without a script every view has a heading, fits, and none of its links or buttons leads nowhere': async (browser) => {
    const tried = new Set();
    for (const name of Object.keys(views)) {
      const page = await openView(browser, name, { ...off, viewport: { width: 360, height: 640 } });
      assert.equal(await page.locator('h1').count(), 1, name);
      assert.ok((await wide(page)) <= 360, `${name}: ${await wide(page)}`);
      if (await page.locator('#board').count()) assert.ok(await page.locator('#board > svg').isVisible(), name);
      const { lost, links, buttons } = await ways(page);
      assert.deepEqual([lost, buttons], [[], []], name);
      for (const link of links.filter((link) => !tried.has(link))) {
        tried.add(link);
        const status = (await page.request.get(link)).status();
        // The same page in the other language fails as well.
        const [path, , , fails = 200] = views[name];
        assert.equal(status, link.replace(/[?&]lang=\w+$/, '') === path ? fails : 200, `${name}: ${link}`);
      }
      await page.context().close();
    }
    assert.ok(tried.size > 300, String(tried.size));
  },

  'without a script a filter is a form, a menu opens, and another language is a link': async (browser) => {
    const page = await browser.open('/explorer?play=d2d4', off);
    const chip = page.locator('#filters details.chip').nth(1);
    await chip.locator('summary').click();
    await chip.locator('[name=date_from]').fill('1900');
    await page.keyboard.press('Enter');
    await at('the filter', page, async () => page.url().endsWith('play=d2d4&date=1900..') && (await chip.locator('summary').textContent()).includes('1900'));
    assert.equal(await line(page), 'd2d4');
    await page.locator('#q').fill('morphy');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/player\/|\/search\?/);
    await page.locator('.top .menu > summary').click();
    await page.locator('.top .menu a[hreflang=de]').click();
    await at('German', page, async () => (await page.locator('html').getAttribute('lang')) === 'de');
  },

  'without a script a preparation has a URL, and is compared with own lines': async (browser) => {
    const page = await browser.open('/prepare', off);
    await page.locator('[name=opponent]').fill('*');
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => url.search === '?opponent=*&colour=white');
    await compare(page);
    assert.ok((await page.locator('.mark:not(.gap)').count()) > 0 && (await page.locator('.mark.gap').count()) > 0);
    assert.match(await page.locator('textarea[name=pgn]').inputValue(), /Bb5/);
    await page.locator('#gaps a').first().click();
    await page.waitForURL(/\/explorer\?.*play=/);
    await page.goto('/prepare?opponent=*&colour=white');
    await page.locator('.own-lines > summary').click();
    const file = { name: 'lines.pgn', mimeType: 'application/x-chess-pgn', buffer: Buffer.from('1. d4 *') };
    await page.locator('[type=file][name=pgn]').setInputFiles(file);
    await page.locator('.own-lines button').click();
    await page.locator('#own-lines').waitFor();
    assert.equal(await page.locator('textarea[name=pgn]').inputValue(), '1. d4 *');
    await page.emulateMedia({ media: 'print' });
    assert.ok((await page.locator('.mark').first().isVisible()) && !(await page.locator('.own-lines').isVisible()));
  },

  'without a script moves are links, and typed ones are played': async (browser) => {
    const page = await browser.open('/', off);
    assert.ok(await page.locator('#board svg').isVisible());
    await page.locator('#moves tr[data-uci=e2e4] a').click();
    await at('the move', page, async () => (await line(page)) === 'e2e4' && page.url().endsWith('play=e2e4'));
    await page.locator('#san').fill('c5');
    await page.keyboard.press('Enter');
    await at('the move', page, async () => (await line(page)) === 'e2e4,c7c5');
    assert.ok((await page.locator('#moves tbody tr').count()) > 0);
    await page.locator('#line a').first().click();
    await at('the start', page, async () => (await line(page)) === '');
  },

  'without a script a game is replayed by links': async (browser) => {
    const page = await browser.open('/game/1', off);
    assert.ok(await page.locator('#board svg').isVisible());
    const fen = () => page.locator('#board').getAttribute('data-fen');
    await page.locator('#first').click();
    await page.waitForURL(/ply=0/);
    const start = await fen();
    await page.locator('#forward').click();
    await at('a move', page, async () => (await fen()) !== start);
    assert.equal(await page.locator('a.move[aria-current]').count(), 1);
    await page.locator('a.move[data-ply="6"]').click();
    await page.waitForURL(/ply=6/);
  },

  'without a script games are searched and paged': async (browser) => {
    const page = await browser.open('/games', off);
    const first = await page.locator('#games tbody tr').first().textContent();
    await page.locator('#results a[rel=next]').first().click();
    await at('other games', page, async () => (await page.locator('#games tbody tr').first().textContent()) !== first);
    await page.goto('/games');
    await page.locator('#search [name=player]').fill('Fischer*');
    await page.keyboard.press('Enter');
    await page.waitForURL(/player=Fischer/);
    assert.ok((await page.locator('#games tbody tr').count()) > 0);
  },

  'without a script a pattern is typed and searched for': async (browser) => {
    const page = await browser.open('/editor', off);
    await page.locator('#pattern-form [name=pattern]').fill('*/*/*/*/????P*/*/*/*');
    await page.locator('#pattern-form [name=to_move]').selectOption('black');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/games\?.*to_move=black/);
    assert.ok((await page.locator('#games tbody tr').count()) > 0);
    await page.locator('#active-filters a').first().click();
    await page.waitForURL((url) => !url.search.includes('pattern=*'));
  },

  'without a script a position is looked for from the editor': async (browser) => {
    const page = await browser.open('/editor', off);
    await page.locator('#fen').fill('rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/explorer\?/);
    assert.match(await page.locator('#state').getAttribute('data-fen'), /^rnbqkbnr\/pp1ppppp/);
  },
};
