// A game on the page has the contents of its PGN, and can be stepped through.

import assert from 'node:assert/strict';
import { clickMove, dragMove, place, ready, same, stands, until } from './browser.js';

// The number of the game with comments, variations and shapes.
async function annotated(browser) {
  const page = await browser.open('/games?player=Canal*');
  const address = await page.locator('#games a[href^="/game/"]').first().getAttribute('href');
  return new URL(address, browser.url).pathname;
}

const plain = (text) => text.replaceAll(/\[%[^\]]*\]/g, '').replaceAll(/\s+/g, ' ').trim();

// Moves, comments, glyphs and variations of a PGN in their order.
function partsOf(pgn) {
  const text = pgn.slice(pgn.lastIndexOf(']\n\n') + 3);
  const parts = [];
  for (const [token] of text.matchAll(/\{[^}]*\}|[()]|\$\d+|[^\s(){}$]+/g)) {
    if (token.startsWith('{')) parts.push(['comment', plain(token.slice(1, -1))]);
    else if (token === '(' || token === ')') parts.push([token]);
    else if (token.startsWith('$')) parts.push(['nag']);
    else if (/^[a-hKQRBNO]/.test(token)) {
      const [, san, mark] = /^(.*?)([!?]*)$/.exec(token);
      parts.push(['move', san], ...(mark ? [['nag']] : []));
    }
  }
  return parts.filter(([kind, value]) => kind !== 'comment' || value !== '');
}

// The same from the page.
function partsShown(page) {
  return page.evaluate(() => {
    const parts = [];
    const walk = (element) => {
      for (const child of element.children) {
        if (child.matches('.variation')) {
          parts.push(['(']);
          walk(child);
          parts.push([')']);
        } else if (child.matches('a.move')) parts.push(['move', child.textContent.trim()]);
        else if (child.matches('.comment')) parts.push(['comment', child.textContent.replaceAll(/\s+/g, ' ').trim()]);
        else if (child.matches('.nag')) parts.push(child.textContent.trim() && child.title ? ['nag'] : ['an empty nag']);
        else walk(child);
      }
    };
    walk(document.getElementById('movetext'));
    return parts;
  });
}

const shown = (page) => page.locator('a.move[aria-current]').textContent();

export const promises = {
  'moves are written with figurines once they are chosen, on every page, and said in letters': async (browser) => {
    const page = await browser.open('/game/1?ply=5');
    const text = () => page.locator('a.move').allTextContents();
    const letters = await text();
    assert.ok(letters.some((san) => san.startsWith('N')));
    const change = async () => {
      await page.locator('.top .menu > summary').click();
      await page.locator('#figurines').click();
      assert.equal(await page.locator('.top .menu[open]').count(), 0);
    };
    await change();
    const piece = /^[♔♕♖♗♘][a-h1-8x]|=[♕♖♗♘]/;
    const figurines = await text();
    for (const [index, san] of letters.entries()) {
      const isPiece = /^[KQRBN]|=/.test(san);
      assert.equal(piece.test(figurines[index]), isPiece, san);
      assert.equal(await page.locator('a.move').nth(index).getAttribute('aria-label'), isPiece ? san : null);
    }
    await page.goto('/explorer?play=e2e4,e7e5');
    await ready(page);
    await until('figurines', async () => piece.test(await page.locator('#moves').textContent().then((all) => all.match(/♘f3/)?.[0] ?? '')));
    await page.locator('#moves tr[data-uci=g1f3] a').click();
    await until('the move', async () => same(await page.locator('#line').textContent().then((line) => line.includes('2. ♘f3')), true));
    await until('words', async () => /knight f3/.test(await page.locator('#live').textContent()));
    await change();
    assert.match(await page.locator('#line').textContent(), /2\. Nf3/);
    assert.equal(await page.locator('#line a[aria-label]').count(), 0);
  },

  'every move, comment, glyph and variation of the PGN is on the page, in order': async (browser) => {
    const path = await annotated(browser);
    const page = await browser.open(path);
    const download = await page.locator('#download').getAttribute('href');
    const pgn = await (await page.request.get(download)).text();
    const wanted = partsOf(pgn);
    assert.ok(wanted.length > 60, `${wanted.length} parts`);
    assert.deepEqual(await partsShown(page), wanted);
  },

  'a game steps by keys and buttons, in words, and the address keeps the place': async (browser) => {
    const path = await annotated(browser);
    const page = await browser.open(path);
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowRight');
    await until('the move', async () => same(await shown(page), 'e4'));
    assert.equal(new URL(page.url()).searchParams.get('ply'), '1');
    assert.equal(await stands(page, 'e4'), 'White pawn');
    await until('words', async () => (await page.locator('#live').textContent()).startsWith('White: pawn e4'));
    await page.locator('#forward').click();
    assert.equal(await shown(page), 'd5');
    await page.keyboard.press('End');
    assert.equal(await shown(page), 'Ba6#');
    await until('mate', async () => /checkmate/.test(await page.locator('#live').textContent()));
    await page.locator('#back').click();
    const before = await shown(page);
    await page.reload();
    await until('the same place', async () => same(await shown(page), before));
    await page.locator('#first').click();
    assert.equal(await page.locator('a.move[aria-current]').count(), 0);
    assert.equal(await stands(page, 'e2'), 'White pawn');
  },

  'dragging the next move of the game or of a variation steps, and any other legal move opens the explorer with it': async (browser) => {
    const page = await browser.open(`${await annotated(browser)}?ply=2`);
    await dragMove(page, 'e4', 'd5');
    await until('the next move', async () => same(await shown(page), 'exd5'));
    assert.match(page.url(), /[?&]ply=3/);
    await page.keyboard.press('f');
    await dragMove(page, 'd8', 'd4', true);
    await page.mouse.move(0, 0);
    assert.equal(await shown(page), 'exd5');
    await clickMove(page, 'd8', 'd5', true);
    await until('the next move', async () => same(await shown(page), 'Qxd5'));
    await page.locator('.move', { hasText: 'Bg4' }).first().click();
    await page.locator('.move', { hasText: 'h3' }).first().click();
    await dragMove(page, 'g4', 'h5', true);
    await until('the variation', async () => same(await shown(page), 'Bh5'));
    assert.match(page.url(), /[?&]at=/);
    await page.keyboard.press('Home');
    await clickMove(page, 'g1', 'f3', true);
    await page.waitForURL(/\/explorer\?/);
    await ready(page);
    assert.equal(new URL(page.url()).searchParams.get('play'), 'g1f3');
    assert.equal(await page.locator('.orientation-black').count(), 1);
    assert.match(await page.locator('#line').textContent(), /1\. Nf3/);
    await page.goBack();
    await ready(page);
    assert.equal(await stands(page, 'g1'), 'White knight');
    await until('the game', async () => same(await page.locator('cg-board piece').count(), 32));
    const later = await browser.open(`${await annotated(browser)}?ply=2`);
    await clickMove(later, 'e4', 'e5');
    await later.waitForURL(/\/explorer\?/);
    assert.equal(new URL(later.url()).searchParams.get('play'), 'e2e4,d7d5,e4e5');
  },

  'the wheel over the board steps by notches, and leaves the page alone except at the ends of the game': async (browser) => {
    const page = await browser.open(await annotated(browser), { viewport: { width: 1000, height: 500 } });
    const scrolled = () => page.evaluate(() => scrollY);
    await page.mouse.move(...(await place(page, 'd4')));
    await page.mouse.wheel(0, 120);
    await until('a move', async () => same(await shown(page), 'e4'));
    for (let part = 0; part < 3; part += 1) await page.mouse.wheel(0, 20);
    await until('a move', async () => same(await shown(page), 'd5'));
    await page.mouse.wheel(0, -120);
    await until('back', async () => same(await shown(page), 'e4'));
    assert.equal(await scrolled(), 0);
    await page.keyboard.down('Control');
    await page.mouse.wheel(0, 120);
    await page.keyboard.up('Control');
    assert.equal(await shown(page), 'e4');
    await page.evaluate(() => scrollTo(0, 0));
    await page.keyboard.press('End');
    await page.mouse.wheel(0, 120);
    await until('the page scrolls', async () => same((await scrolled()) > 0, true));
  },

  'a variation is stepped through, and back out of it': async (browser) => {
    const page = await browser.open(await annotated(browser));
    await page.locator('.variation .move', { hasText: 'Bh5' }).first().click();
    assert.match(page.url(), /[?&]at=/);
    await page.keyboard.press('ArrowRight');
    assert.equal(await shown(page), 'g4');
    await page.reload();
    await until('the same place', async () => same(await shown(page), 'g4'));
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    assert.equal(await shown(page), 'h3');
  },

  'arrows and circles of comments are drawn': async (browser) => {
    const page = await browser.open(await annotated(browser));
    await page.locator('.move', { hasText: 'O-O-O' }).first().click();
    await until('shapes', async () => {
      const shapes = page.locator('.cg-shapes > g');
      return same([await shapes.locator('line').count(), await shapes.locator('circle').count()], [1, 2]);
    });
    await page.keyboard.press('ArrowLeft');
    await until('none', async () => same(await page.locator('.cg-shapes > g :is(line, circle)').count(), 0));
  },

  'position and game are copied': async (browser) => {
    const path = await annotated(browser);
    const page = await browser.open(path, { permissions: ['clipboard-read', 'clipboard-write'] });
    const copied = () => page.evaluate(() => navigator.clipboard.readText());
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowRight');
    await page.locator('#copy-fen').click();
    await until('a FEN', async () => (await copied()).startsWith('rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq'));
    await page.locator('#copy-pgn').click();
    await until('a PGN', async () => /\[White "Canal, Esteban"\][^]*Ba6#/.test(await copied()));
  },

  'plates, curves and the games of a position follow the moves as the server draws them': async (browser) => {
    const path = await annotated(browser);
    const page = await browser.open(path);
    const state = (of) =>
      of.evaluate(() => ({
        plates: [...document.querySelectorAll('.plate')].map((plate) => [
          [...plate.classList].sort().join(' '),
          plate.querySelector('.captured').getAttribute('aria-label'),
          plate.querySelectorAll('piece').length,
          plate.querySelector('.lead').textContent,
          plate.querySelector('.time').textContent,
        ]),
        bar: Math.round(parseFloat(document.querySelector('#eval-bar i').style.height)),
        now: [...document.querySelectorAll('.now')].map((line) => Math.round(parseFloat(line.getAttribute('transform').slice(10)))),
        here: document.getElementById('here')?.textContent.replaceAll(/\s+/g, ' '),
        current: document.querySelector('a.move[aria-current]')?.dataset.node,
        folded: document.querySelector('a.move[aria-current]')?.closest('details:not([open])') !== null,
      }));
    for (const key of ['ArrowRight', 'ArrowRight', 'End', 'ArrowLeft', 'f', 'Home']) {
      await page.keyboard.press(key);
      // The browser reports a replaced address later than the page knows it.
      const address = await page.evaluate(() => location.pathname + location.search);
      const plain = await browser.open(address, { javaScriptEnabled: false });
      const wanted = await state(plain);
      await until('the same as without a script', async () => same(await state(page), wanted));
      await plain.close();
    }
  },

  'the way to the next game keeps a flipped board, and the address keeps the list': async (browser) => {
    const page = await browser.open('/games?player=capablanca&sort=date');
    await page.locator('#games a[href^="/game/"]').first().click();
    await ready(page);
    await page.keyboard.press('f');
    await page.keyboard.press('ArrowRight');
    assert.equal(new URL(page.url()).searchParams.get('in'), 'games?player=capablanca&sort=date');
    await page.locator('#next-game').click();
    await ready(page);
    assert.equal(await page.locator('.orientation-black').count(), 1);
    assert.match(await page.locator('#to-list').textContent(), /^2 /);
    await page.locator('#to-list').click();
    assert.match(page.url(), /\/games\?player=capablanca&sort=date$/);
  },

  'board, moves and games of the position share a screen, and nothing lies outside of it': async (browser) => {
    for (const [width, height] of [[1440, 900], [1920, 1080], [768, 1024], [360, 800]]) {
      const page = await browser.open(`${await annotated(browser)}?ply=20`, { viewport: { width, height } });
      const box = async (selector) => (await page.locator(selector).count()) > 0 && page.locator(selector).first().boundingBox();
      for (const selector of ['#board', '.plate.above', '.plate.below', '.g-moves', '.game-head', '#steps', '.g-here']) {
        const found = await box(selector);
        if (!found) continue;
        assert.ok(found.x >= 0 && found.x + found.width <= width + 0.5, `${width}: ${selector} ${JSON.stringify(found)}`);
        if (width >= 1440) assert.ok(found.y + found.height <= height, `${width}: ${selector} ${JSON.stringify(found)}`);
      }
      const [board, moves, current] = await Promise.all(['#board', '#movetext', 'a.move[aria-current]'].map(box));
      if (width > 700) assert.ok(board.x + board.width <= moves.x, `${width}`);
      assert.ok(current.y >= moves.y && current.y + current.height <= moves.y + moves.height, `${width}: the current move is not in view`);
    }
  },

  'a game of engines prints on two pages, and one fold has the numbers of the current move': async (browser) => {
    const page = await browser.open('/games?player=Zappa');
    await page.locator('#games a[href^="/game/"]').first().click();
    await ready(page);
    await page.locator('#engine summary').click();
    await page.keyboard.press('ArrowRight');
    await until('the first move', async () => /wv=0\.00/.test(await page.locator('#engine').textContent()));
    await page.keyboard.press('ArrowRight');
    await until('the next move', async () => /wv=0\.01/.test(await page.locator('#engine').textContent()));
    const pages = (await page.pdf({ format: 'A4' })).toString('latin1').match(/\/Type \/Page\b/g);
    assert.ok(pages.length <= 2, `${pages.length} pages`);
    await page.emulateMedia({ media: 'print' });
    assert.deepEqual([await page.locator('#engine').isVisible(), await page.locator('.eval').last().isVisible()], [false, true]);
  },

  'a game plays by itself until it is stopped': async (browser) => {
    const page = await browser.open(await annotated(browser));
    await page.locator('#play').click();
    await until('a move', async () => same(await shown(page), 'e4'));
    await page.keyboard.press('ArrowRight');
    assert.equal(await page.locator('#play').getAttribute('aria-pressed'), 'false');
    assert.equal(await shown(page), 'd5');
  },
};
