// Moves by mouse, by keys and typed; the table, the URL and the announcements follow.

import assert from 'node:assert/strict';
import { clickMove, dragMove, place, ready, same, stands, until } from './browser.js';

const said = (page) => page.locator('#live').textContent();
const line = (page) => page.locator('#state').getAttribute('data-play');
const asked = (page) => new URL(page.url()).searchParams.get('play') ?? '';

// The page is at the end of a line: URL, state of the page, and announced move.
async function standsAt(page, moves, words) {
  const seen = async () => same([asked(page), await line(page)], [moves, moves]);
  await until('the line', seen);
  if (words) await until('what is said', async () => (await said(page)).startsWith(words) || (await said(page)));
}

async function press(page, ...keys) {
  for (const key of keys) await page.keyboard.press(key);
}

// Moves the focus to the row of a move with the Tab key.
async function tabTo(page, uci) {
  const on = () => page.evaluate(() => document.activeElement.closest('#moves tr')?.dataset.uci);
  for (let presses = 0; presses < 100 && (await on()) !== uci; presses += 1) await page.keyboard.press('Tab');
  assert.equal(await on(), uci);
}

async function onHistoryAndReload(page) {
  assert.equal(await stands(page, 'c5'), 'Black pawn');
  await page.goBack();
  await standsAt(page, 'e2e4', 'White: pawn e4');
  await until('the board', async () => same(await stands(page, 'c7'), 'Black pawn'));
  await page.goForward();
  await standsAt(page, 'e2e4,c7c5', 'Black: pawn c5');
  await page.reload();
  await ready(page);
  await standsAt(page, 'e2e4,c7c5');
  assert.equal(await stands(page, 'c5'), 'Black pawn');
  assert.equal(await page.locator('cg-board square.last-move').count(), 2);
}

export const promises = {
  'e4 and c5 by mouse: address, table and words follow, history and reload restore': async (browser) => {
    const page = await browser.open('/explorer');
    await clickMove(page, 'e2', 'e4');
    await standsAt(page, 'e2e4', 'White: pawn e4. ');
    assert.match(await said(page), /\d games?/);
    await dragMove(page, 'c7', 'c5');
    await standsAt(page, 'e2e4,c7c5', 'Black: pawn c5. ');
    await onHistoryAndReload(page);
  },

  'e4 and c5 by keys alone': async (browser) => {
    const page = await browser.open('/explorer');
    await tabTo(page, 'e2e4');
    await press(page, 'Enter');
    await standsAt(page, 'e2e4', 'White: pawn e4');
    await tabTo(page, 'c7c5');
    await press(page, 'Enter');
    await standsAt(page, 'e2e4,c7c5', 'Black: pawn c5');
    await onHistoryAndReload(page);
  },

  'e4 and c5 typed in SAN, and what is no move is said to be none': async (browser) => {
    const page = await browser.open('/explorer');
    await page.locator('#san').focus();
    await page.keyboard.type('e4\n');
    await standsAt(page, 'e2e4', 'White: pawn e4');
    await page.keyboard.type('Ke5\n');
    await until('a warning', async () => /Ke5/.test(await page.locator('#notice').textContent()));
    assert.equal(await page.locator('#san').getAttribute('aria-invalid'), 'true');
    await page.locator('#san').fill('c5');
    await press(page, 'Enter');
    await standsAt(page, 'e2e4,c7c5', 'Black: pawn c5');
    assert.equal(await page.locator('#notice').isVisible(), false);
    await page.goBack();
    await standsAt(page, 'e2e4');
    await page.locator('#san').fill('c7c5');
    await press(page, 'Enter');
    await standsAt(page, 'e2e4,c7c5', 'Black: pawn c5');
    await onHistoryAndReload(page);
  },

  'keys step through the line and flip the board, but never in a field or with Ctrl': async (browser) => {
    const page = await browser.open('/explorer?play=e2e4,c7c5');
    await press(page, 'ArrowLeft');
    await standsAt(page, 'e2e4', 'White: pawn e4');
    await press(page, 'ArrowRight');
    await standsAt(page, 'e2e4,c7c5', 'Black: pawn c5');
    await press(page, 'Home');
    await standsAt(page, '');
    await press(page, 'End');
    await standsAt(page, 'e2e4,c7c5');
    await press(page, 'f');
    const [x, y] = await place(page, 'g1', true);
    await page.mouse.click(x, y);
    await page.mouse.click(...(await place(page, 'f3', true)));
    await standsAt(page, 'e2e4,c7c5,g1f3', 'White: knight f3');
    await page.reload();
    await ready(page);
    assert.equal(await page.locator('.cg-wrap.orientation-black').count(), 1);
    await page.locator('#san').focus();
    await press(page, 'ArrowLeft', 'f', 'x');
    await page.locator('#san').fill('');
    await page.locator('#san').blur();
    await press(page, 'Control+x', 'Alt+x');
    await standsAt(page, 'e2e4,c7c5,g1f3');
    await press(page, 'Home');
    await standsAt(page, '');
    const first = await page.locator('#moves tbody tr').first().getAttribute('data-uci');
    await press(page, 'x');
    await standsAt(page, first);
  },

  'a row shows its move on the board and plays it when clicked': async (browser) => {
    const page = await browser.open('/explorer');
    const arrows = () => page.locator('.cg-shapes > g line').count();
    const [usual, row] = [await arrows(), page.locator('#moves tbody tr').last()];
    assert.ok(usual >= 2 && usual <= 4, String(usual));
    await row.hover();
    await until('its arrow alone', async () => same(await arrows(), 1));
    await page.locator('h1').first().hover();
    await until('the usual arrows', async () => same(await arrows(), usual));
    await row.locator('a').focus();
    await until('its arrow alone', async () => same(await arrows(), 1));
    await row.locator('a').blur();
    await until('the usual arrows', async () => same(await arrows(), usual));
    await page.locator('#moves tr[data-uci=e2e4] a').click();
    await standsAt(page, 'e2e4', 'White: pawn e4');
  },

  'a pawn on the last rank asks what it becomes': async (browser) => {
    const page = await browser.open('/explorer?fen=8/4P3/8/8/8/k7/8/K7 w - - 0 1');
    await clickMove(page, 'e7', 'e8');
    await page.locator('dialog.promotion button[value=rook]').click();
    await standsAt(page, 'e7e8r', 'White: pawn e8 promotes to rook');
    await page.goBack();
    await standsAt(page, '');
    await clickMove(page, 'e7', 'e8');
    await page.keyboard.press('Escape');
    await until('the pawn', async () => same(await stands(page, 'e7'), 'White pawn'));
    assert.equal(await page.locator('cg-board piece.pawn.white').count(), 1);
    assert.equal(asked(page), '');
  },

  'castling is two squares of the king or the king on its rook': async (browser) => {
    const page = await browser.open('/explorer?fen=r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1');
    await clickMove(page, 'e1', 'g1');
    await standsAt(page, 'e1g1', 'White: castles kingside');
    await dragMove(page, 'e8', 'a8');
    await standsAt(page, 'e1g1,e8c8', 'Black: castles queenside');
    assert.deepEqual([await stands(page, 'f1'), await stands(page, 'd8')], ['White rook', 'Black rook']);
  },

  'Chess960 castles, and a pocket is dropped from': async (browser) => {
    const chess960 = await browser.open('/explorer?fen=4k3/8/8/8/8/8/8/1R3K1R w HB - 0 1');
    await clickMove(chess960, 'f1', 'h1');
    await standsAt(chess960, 'f1h1', 'White: castles kingside');
    const pocket = '/explorer?variant=crazyhouse&fen=4k3/8/8/8/8/8/8/4K3[NN] w - - 0 1';
    const house = await browser.open(pocket);
    await house.locator('.pocket li').hover();
    await house.mouse.down();
    await house.mouse.move(...(await place(house, 'f3')), { steps: 5 });
    await house.mouse.up();
    await standsAt(house, 'N@f3', 'White: drops knight f3');
    assert.equal(await stands(house, 'f3'), 'White knight');
  },

  'in German it speaks German, also of moves': async (browser) => {
    const page = await browser.open('/explorer', { locale: 'de-DE' });
    await dragMove(page, 'g1', 'f3');
    await standsAt(page, 'g1f3', 'Weiß: Springer f3. ');
    await page.locator('#san').fill('Xx');
    await press(page, 'Enter');
    await until('a warning', async () => /kein legaler Zug/.test(await page.locator('#notice').textContent()));
  },

  'a server that is gone is told of, and the board goes back to what is known': async (browser) => {
    const page = await browser.open('/explorer');
    await page.context().setOffline(true);
    await clickMove(page, 'e2', 'e4');
    await page.locator('#notice').waitFor();
    page.faults.length = 0;
    await page.context().setOffline(false);
    await page.reload();
    await standsAt(page, 'e2e4');
  },

  'the line shows its last move on a phone, at first and after each move': async (browser) => {
    const page = await browser.open('/?play=e2e4,e7e5,g1f3,b8c6,f1b5,a7a6,b5a4,g8f6,e1g1', { viewport: { width: 360, height: 740 } });
    const last = () => page.locator('#line [aria-current]').evaluate((move) => [move.textContent, move.getBoundingClientRect().right <= innerWidth]);
    assert.deepEqual(await last(), ['O-O', true]);
    await clickMove(page, 'f8', 'e7');
    await until('the move', async () => same(await last(), ['Be7', true]));
  },
};
