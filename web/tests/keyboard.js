// Everything is reached and used by keys alone: the focus is visible, is not covered, and comes back.

import assert from 'node:assert/strict';
import { ready, same, until } from './browser.js';
import { openView } from './views.js';

// Presses Tab until the focus is on an element.
async function tabTo(page, selector) {
  const on = () => page.evaluate((selector) => document.activeElement.matches(selector), selector);
  for (let presses = 0; presses < 150 && !(await on()); presses += 1) await page.keyboard.press('Tab');
  assert.ok(await on(), selector);
}

// What is wrong with the focus: not visible, outside the window, or below another element.
const focus = (page) =>
  page.evaluate(() => {
    const active = document.activeElement;
    if (active === document.body) return { end: true };
    // A ticked-off button is drawn by its label.
    const drawn = active.closest('label') ?? document.querySelector(`label.btn[for="${active.id}"]`) ?? active;
    const { left, top, width, height } = drawn.getBoundingClientRect();
    const [x, y] = [left + width / 2, top + Math.min(height / 2, 20)];
    const over = document.elementFromPoint(x, y);
    const { outlineStyle, outlineWidth } = getComputedStyle(drawn.matches(':has(:focus-visible)') && drawn !== active && getComputedStyle(active).outlineStyle === 'none' ? drawn : active);
    const name = `${active.localName}#${active.id}.${active.className} "${active.textContent.trim().slice(0, 20)}"`;
    const faults = [];
    if (outlineStyle === 'none' || parseFloat(outlineWidth) < 2) faults.push(`not visible: ${name}`);
    if (!over || !(drawn.contains(over) || over.contains(drawn))) faults.push(`covered: ${name} by ${over?.outerHTML.slice(0, 80)} at ${x},${y}`);
    return { name, faults };
  });

export const promises = {
  'the focus is visible and not covered at each stop of a view': async (browser) => {
    for (const [name, width] of [['start', 1440], ['start', 360], ['games', 1440], ['games', 360], ['game', 1440], ['player', 1440], ['event', 360], ['opening', 1440], ['editor', 768]]) {
      const page = await openView(browser, name, { viewport: { width, height: 800 } });
      const names = [];
      for (let presses = 0; presses < 60; presses += 1) {
        await page.keyboard.press('Tab');
        const { end, name: on, faults } = await focus(page);
        if (end) break;
        assert.deepEqual(faults, [], `${name} ${width}`);
        names.push(on);
      }
      assert.ok(names.length > 8, `${name}: ${names.length}`);
      await page.context().close();
    }
  },

  'the first stop skips the header': async (browser) => {
    const page = await browser.open('/games');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    assert.equal(await page.evaluate(() => document.activeElement.id), 'main');
  },

  'Enter in a list of choices submits its chip, and ends of a range are one parameter': async (browser) => {
    const page = await browser.open('/explorer?play=e2e4');
    await page.locator('#filters details').nth(3).locator('summary').click();
    await page.locator('#filters [name=result]').focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await until('the filter', async () => /[?&]result=1-0$/.test(page.url()) || page.url());
    await page.locator('#filters details').nth(2).locator('summary').click();
    await page.locator('[name=elo_to]').fill('2500');
    await page.keyboard.press('Enter');
    await until('the range', async () => /[?&]elo=..2500$/.test(page.url()) || page.url());
  },

  'a chip opens, is submitted, and gives the focus back': async (browser) => {
    const page = await browser.open('/explorer?play=d2d4');
    await tabTo(page, '#filters details:nth-child(2) > summary');
    await page.keyboard.press('Enter');
    await tabTo(page, '[name=date_from]');
    await page.keyboard.press('Escape');
    const chip = page.locator('#filters details').nth(1);
    const held = () => chip.evaluate((chip) => !chip.open && document.activeElement === chip.querySelector('summary'));
    assert.ok(await held());
    await page.keyboard.press('Enter');
    await tabTo(page, '[name=date_from]');
    await page.keyboard.type('1950');
    await page.keyboard.press('Enter');
    await until('the filter', async () => (await chip.locator('summary').textContent()).includes('1950'));
    await until('the focus', held);
    assert.match(page.url(), /play=d2d4/);
    // Leaving it closes it as well, and so does a press outside.
    await page.keyboard.press('Enter');
    assert.ok(await chip.evaluate((chip) => chip.open));
    await tabTo(page, '#filters details:nth-child(3) > summary');
    assert.equal(await chip.evaluate((chip) => chip.open), false);
    await page.keyboard.press('Space');
    await page.locator('.x-head').click();
    assert.equal(await page.locator('details.chip[open]').count(), 0);
  },

  'the menu and the drawer of filters close with Escape': async (browser) => {
    const page = await browser.open('/games');
    for (const summary of ['.top .menu > summary', '.drawer > summary']) {
      await tabTo(page, summary);
      await page.keyboard.press('Enter');
      assert.equal(await page.locator('details:is(.chip, .drawer)[open]').count(), 1);
      await page.keyboard.press('Tab');
      await page.keyboard.press('Escape');
      assert.equal(await page.locator('details:is(.chip, .drawer)[open]').count(), 0);
      assert.ok(await page.evaluate((summary) => document.activeElement.matches(summary), summary));
    }
  },

  'a game is opened from a list, stepped through, and left for the next one': async (browser) => {
    const page = await browser.open('/games?player=Capablanca*');
    await tabTo(page, '#games tbody tr:first-child .c-res a');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/game\/\d+/);
    await ready(page);
    await tabTo(page, 'a.move');
    await page.keyboard.press('Enter');
    await until('the first move', async () => same(await page.locator('a.move[aria-current]').getAttribute('data-ply'), '1'));
    await page.keyboard.press('ArrowRight');
    await until('the second move', async () => same(await page.locator('a.move[aria-current]').getAttribute('data-ply'), '2'));
    const first = new URL(page.url()).pathname;
    await page.locator('#next-game').focus();
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => url.pathname !== first);
  },

  'games are chosen and downloaded': async (browser) => {
    const page = await browser.open('/games');
    await tabTo(page, '#games [name=id]');
    await page.keyboard.press('Space');
    assert.match(await page.locator('.chosen-count').textContent(), /^1 /);
    await page.keyboard.press('Shift+Tab');
    for (let presses = 0; presses < 20 && !(await page.evaluate(() => document.activeElement.matches('.selbar .btn:not([formaction], [type])'))); presses += 1) {
      await page.keyboard.press('Shift+Tab');
    }
    const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')]);
    assert.match(download.url(), /export\?id=\d+$/);
  },

  'the curves of a game and the theme are switched': async (browser) => {
    const page = await browser.open('/game/1', { colorScheme: 'light' });
    await tabTo(page, '#curve-evals');
    await page.keyboard.press('ArrowRight');
    assert.ok(await page.locator('#clocks').isVisible());
    assert.equal(await page.locator('#evals').isVisible(), false);
    await page.locator('#theme').focus();
    await page.keyboard.press('Enter');
    assert.equal(await page.locator('html').getAttribute('data-theme'), 'dark');
  },
};
