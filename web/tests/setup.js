// The editor: set up a position by mouse and by FEN, and search for it.

import assert from 'node:assert/strict';
import { dragMove, place, ready, same, stands, until } from './browser.js';

const fen = (page) => page.locator('#fen').inputValue();
const choose = (page, value) => page.locator(`#editor-tools input[value="${value}"]`).check({ force: true });

export const promises = {
  'pieces are set, moved and removed, and the FEN follows': async (browser) => {
    const page = await browser.open('/editor');
    await page.locator('#editor-tools button').first().click();
    await until('an empty board', async () => same(await fen(page), '8/8/8/8/8/8/8/8 w - - 0 1'));
    for (const [piece, square] of [['white king', 'e1'], ['black king', 'e8'], ['white rook', 'a1'], ['white pawn', 'h2']]) {
      await choose(page, piece);
      await page.mouse.click(...(await place(page, square)));
    }
    await choose(page, 'remove');
    await page.mouse.click(...(await place(page, 'h2')));
    await page.locator('#editor-tools input[name=piece]').first().check();
    await dragMove(page, 'a1', 'a7');
    await page.locator('#editor-tools input[name=turn][value=b]').check();
    await until('the FEN', async () => same(await fen(page), '4k3/R7/8/8/8/8/8/4K3 b - - 0 1'));
  },

  'a piece that was chosen is set, even if another one is chosen at once': async (browser) => {
    const page = await browser.open('/editor');
    await page.locator('#editor-tools button').first().click();
    await choose(page, 'black king');
    const [clientX, clientY] = await place(page, 'e8');
    await page.evaluate(([clientX, clientY]) => {
      const press = new MouseEvent('mousedown', { clientX, clientY, bubbles: true, cancelable: true });
      document.querySelector('cg-board').dispatchEvent(press);
      document.querySelector('#editor-tools input[value="white rook"]').click();
    }, [clientX, clientY]);
    await page.mouse.click(...(await place(page, 'a1')));
    await until('the FEN', async () => same(await fen(page), '4k3/8/8/8/8/8/8/R7 w - - 0 1'));
  },

  'pieces that are set are a pattern, which games are searched for': async (browser) => {
    const page = await browser.open('/editor');
    const pattern = () => page.locator('#pattern-form [name=pattern]').inputValue();
    await page.locator('#editor-tools button').first().click();
    for (const [piece, square] of [['white pawn', 'd5'], ['white rook', 'e1'], ['black king', 'g8'], ['empty', 'd1'], ['empty', 'c1']]) {
      await choose(page, piece);
      await page.mouse.click(...(await place(page, square)));
    }
    await until('the pattern', async () => same(await pattern(), '??????k*/*/*/???P*/*/*/*/??2R*'));
    await until('empty squares', async () => same(await page.locator('cg-board square.empty').count(), 2));
    await page.mouse.click(...(await place(page, 'c1')));
    await until('the pattern', async () => same(await pattern(), '??????k*/*/*/???P*/*/*/*/???1R*'));
    await page.locator('#pattern-form button').click();
    await page.waitForURL(/\/games\?.*pattern=/);
    assert.match(await page.locator('#active-filters').textContent(), /Pattern: .*k\*\/\*\/\*\/\?\?\?P/);
    const found = page.locator('#games tbody tr th a');
    assert.ok((await found.count()) > 0);
    // The game is opened at the position with the pattern.
    await found.first().click();
    await page.waitForURL(/\/game\/\d+\?ply=\d+/);
    await ready(page);
    assert.deepEqual(await Promise.all(['d5', 'e1', 'g8', 'd1'].map((square) => stands(page, square))), ['White pawn', 'White rook', 'Black king', '']);
  },

  'a pattern that is typed stands on the board, and comes back to it from the games': async (browser) => {
    const page = await browser.open('/editor');
    const field = page.locator('#pattern-form [name=pattern]');
    await field.fill('*k*/*/*/[NB]*/*/*/*/*');
    await field.fill('*/*/*/????p*/????P2*/*/*/*');
    await until('the board', async () => same(await page.locator('cg-board piece').count(), 2));
    assert.equal(await field.inputValue(), '*/*/*/????p*/????P2*/*/*/*');
    await page.locator('#pattern-form [name=material]').fill('Q* Q*');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/games\?/);
    assert.equal(await page.locator('#active-filters li').count(), 3);
    await page.locator('.drawer > summary').click();
    await page.locator('#draw-pattern').click();
    await page.waitForURL(/\/editor\?/);
    await ready(page);
    assert.equal(await page.locator('#pattern-form [name=material]').inputValue(), 'Q* Q*');
    assert.equal(await field.inputValue(), '*/*/*/????p*/????P2*/*/*/*');
    await until('the board', async () => same(await page.locator('cg-board piece').count(), 2));
    await until('empty squares', async () => same(await page.locator('cg-board square.empty').count(), 2));
  },

  'a FEN that is pasted stands on the board, and is looked for': async (browser) => {
    const page = await browser.open('/editor');
    await page.locator('#fen').fill('not a position');
    await until('a warning', async () => same(await page.locator('#notice').isVisible(), true));
    await page.locator('#fen').fill('rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2');
    await until('the board', async () => same(await page.locator('cg-board piece').count(), 32));
    await page.locator('#editor-form button').last().click();
    await page.waitForURL(/\/explorer\?/);
    assert.match(await page.locator('#state').getAttribute('data-fen'), /^rnbqkbnr\/pp1ppppp\/8\/2p5\/4P3/);
  },
};
