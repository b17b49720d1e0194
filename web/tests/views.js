// Every view at a sweep of widths, light and dark, in both languages: named parts are inside the window and apart, texts
// are complete, targets are large enough, and axe finds nothing. `SHOTS=FOLDER` keeps an image of each at three widths.

import assert from 'node:assert/strict';
import { violations, wide } from './access.js';

const pictured = [360, 768, 1440];
const widths = [...Array.from({ length: 21 }, (_, place) => 320 + 80 * place), 360, 768].sort((a, b) => a - b);
async function openChip(page) {
  if (await page.locator('.x-tabs').isVisible()) await page.locator('.x-tabs [href="#filters"]').click();
  await page.locator('#filters summary').nth(1).click();
}
async function openDrawer(page) {
  if (await page.locator('.only-phone[href="#search"]').isVisible()) await page.locator('.only-phone[href="#search"]').click();
  await page.locator('.drawer > summary').click();
}
export async function compare(page) {
  await page.locator('.own-lines > summary').click();
  await page.locator('textarea[name=pgn]').fill('1. e4 e5 (1... c5) 2. Nf3 d6 (2... Nc6 3. Bb5) 3. d4 *');
  await page.locator('.own-lines button').click();
  await page.locator('#own-lines').waitFor();
}
const openMenu = (page) => page.locator('.top .menu > summary').click();

// The path of each view, the parts of it that must be apart, and what is done before it is measured.
export const views = {
  start: ['/', ['#board', '#tools > :first-child', '#san-form', '.x-head', '#filters', '.x-moves', '.x-games']],
  line: ['/explorer?play=e2e4,c7c5,g1f3,d7d6', ['#board', '#san-form', '#line', '#opening', '#filters', '.x-moves', '.x-games']],
  chosen: ['/explorer?player=Capablanca*&colour=white', ['#board', '#opening', '#filters', '.x-moves', '.x-games']],
  chip: ['/explorer?player=Capablanca*&date=1900..', ['.top'], openChip],
  menu: ['/explorer?play=e2e4', ['.top'], openMenu],
  games: ['/games', ['#search', '.list-head h2', '.list-head .push', '#games', '.pager']],
  filtered: ['/games?result=1-0&date=1900..1950&player=Capablanca*', ['#search', '.list-head', '#games', '.pager']],
  pattern: ['/games?pattern=*/*/*/*/????P*/*/*/*&mirror=yes', ['#search', '.list-head', '#games', '.pager']],
  drawer: ['/games', ['.top'], openDrawer],
  empty: ['/games?player=Morphy*&date=2000..', ['#search', '.list-head', '.nothing']],
  error: ['/games?pattern=oops', ['.nothing'], null, 400],
  game: ['/game/1?ply=6', ['.plate.above', '.plate.below', '.game-head', '.actions', '.g-moves', '.g-eval', '.g-here']],
  plain: ['/game/20?ply=30', ['.plate.above', '.plate.below', '.game-head', '.actions', '.g-moves', '.g-here']],
  xelto: ['/game/65?ply=4', ['#diagram', '.game-head', '.g-moves']],
  players: ['/players', ['.who', '.table', '.paging']],
  events: ['/events', ['.who', '.table']],
  openings: ['/openings', ['.who', '.table']],
  player: ['/player/Morphy,%20Paul', ['.who-name', '.who-do', '.grid', '.data-links']],
  event: ['/event/New%20York', ['.who', '.table']],
  edition: ['/event/New%20York?year=1924', ['.who-name', '.who-do', '.grid']],
  opening: ["/opening/King's%20Gambit", ['.o-head', '.o-board', '.o-main', '.data-links']],
  prepare: ['/prepare?opponent=morphy&colour=white', ['.who-name', '.who form', '.card']],
  compared: ['/prepare?opponent=*&colour=white', ['.who-name', '.who form', '.own-lines', '#own-lines', '.card:has(.tree)'], compare],
  search: ['/search?q=mo', ['h1', '.card']],
  nothing: ['/search?q=zzzzzz', ['h1', '.card']],
  editor: ['/editor', ['#board', '#editor-tools', '#editor-form', '#pattern-form']],
  report: ['/report', ['h1', '#report']],
  period: ['/report?date=1850..', ['h1', '#active-filters', '#report']],
  duplicates: ['/duplicates', ['h1']],
  about: ['/about', ['h1']],
  missing: ['/game/99999', ['.nothing'], null, 404],
  unknown: ['/player/Nobody', ['.nothing'], null, 404],
};

export async function openView(browser, name, options = {}) {
  const [path, , prepare, status] = views[name];
  const page = await browser.open(path, { reducedMotion: 'reduce', status, ...options });
  if (prepare && options.javaScriptEnabled !== false) await prepare(page);
  return page;
}

// What is wrong with the places and sizes of the elements of a page; runs in the browser.
function faultsOf(parts) {
  const style = (element, name) => getComputedStyle(element)[name];
  const shown = (element) => element.checkVisibility({ visibilityProperty: true }) && !element.closest('.off-screen, #help, coords') && style(element, 'clipPath') === 'none';
  const box = (element) => element.getBoundingClientRect();
  const told = (element) => `${element.localName}#${element.id}.${element.className} "${element.textContent.trim().slice(0, 30)}"`;
  const scrolled = (element) => {
    for (let other = element.parentElement; other && other !== document.body; other = other.parentElement) {
      if (style(other, 'overflowX') !== 'visible') return true;
    }
    return false;
  };
  const found = [];
  const all = [...document.querySelectorAll('body *')].filter((element) => shown(element) && box(element).width > 0);
  for (const element of all) {
    const { left, right, width, height } = box(element);
    if (!element.closest('svg') && !scrolled(element) && (left < -0.5 || right > innerWidth + 0.5)) found.push(`outside: ${told(element)} ${left}–${right}`);
    const cuts = style(element, 'overflowX') === 'hidden' && element.scrollWidth > element.clientWidth + 1;
    if (cuts && !element.closest('[title], .bar') && element.textContent.trim()) found.push(`cut without a title: ${told(element)}`);
    if (element.matches('.btn, summary, th a, h1, h2, header, .board-tools, .row, .actions, .seg') && element.scrollWidth > element.clientWidth + 1 && style(element, 'overflowX') === 'visible' && style(element, 'display') !== 'inline') {
      found.push(`wider than itself: ${told(element)}`);
    }
    const target = element.matches('.btn, button, summary, select, .chip, nav a, .m:has(> .move), .one .move, input:not([type=checkbox], [type=radio])');
    if (target && (width < 23.5 || height < 23.5)) found.push(`small target: ${told(element)} ${width}×${height}`);
  }
  const charts = [...document.querySelectorAll('.body:has(> .curve)')].filter((body) => body.checkVisibility());
  found.push(...charts.filter((body) => ![...body.querySelectorAll('.curve')].some(shown)).map((body) => `no chart: ${told(body.parentElement)}`));
  const named = parts.map((part) => [part, [...document.querySelectorAll(part)].filter(shown)]);
  const boxes = named.flatMap(([part, of]) => of.map((element) => [part, element, box(element)]));
  const fixed = (element) => ['fixed', 'sticky'].includes(style(element, 'position'));
  // What is in the header stays there while the page scrolls below it.
  const isInHeader = (element) => element.closest('.top') !== null;
  const cards = [...document.querySelectorAll('main .card')].filter((card) => shown(card) && !card.parentElement.closest('.card'));
  boxes.push(...cards.filter((card) => !boxes.some(([, other]) => other.contains(card) || card.contains(other))).map((card) => ['card', card, box(card)]));
  for (const [place, [part, element, one]] of boxes.entries()) {
    for (const [other, next, two] of boxes.slice(place + 1)) {
      if (element.contains(next) || next.contains(element) || fixed(element) || fixed(next) || isInHeader(element) !== isInHeader(next)) continue;
      const apart = one.right <= two.left + 1 || two.right <= one.left + 1 || one.bottom <= two.top + 1 || two.bottom <= one.top + 1;
      if (!apart) found.push(`overlap: ${part} and ${other}`);
    }
  }
  return { found, absent: named.filter(([, of]) => of.length === 0).map(([part]) => part) };
}

// The parts of a view that a narrow window has elsewhere: a panel, a menu, another section.
const elsewhere = ['#search', '.list-head .push', '.x-games', '.x-trend', '#filters', '.game-head'];

// What is wrong with a view at all widths.
async function measure(browser, name, colorScheme, locale) {
  const page = await openView(browser, name, { colorScheme, locale, viewport: { width: widths[0], height: 900 } });
  const parts = ['.logo', '.top > nav', '#find', '.top > .tools', ...views[name][1]];
  const faults = [];
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 });
    if ((await wide(page)) > width) faults.push(`${width}: the page is ${await wide(page)} wide`);
    const { found, absent } = await page.evaluate(faultsOf, parts);
    const missing = absent.filter((part) => width === 1440 || !['.top > nav', ...elsewhere].includes(part));
    faults.push(...[...found, ...missing.map((part) => `not shown: ${part}`)].map((fault) => `${width}: ${fault}`));
    if (process.env.SHOTS && pictured.includes(width)) await page.screenshot({ path: `${process.env.SHOTS}/${name}-${width}-${colorScheme}-${locale}.png` });
  }
  return faults.map((fault) => `${colorScheme} ${locale} ${fault}`);
}

export const promises = {
  'board, moves and the first games of a position are seen at once': async (browser) => {
    for (const locale of ['en', 'de']) {
      for (const [path, parts] of [
        ['/', ['#board', '#san-form', '#moves tbody tr:nth-child(5)', '#games-table tbody tr:nth-child(2)']],
        ['/explorer?play=e2e4,e7e5,g1f3,b8c6', ['#board', '#line', '#filters', '#moves tbody tr', '#games-table tbody tr:nth-child(3)']],
        ['/game/20?ply=7', ['.plate.above', '#board', '.plate.below', '#steps', 'a.move[aria-current]', '#here']],
      ]) {
        const page = await browser.open(path, { locale, viewport: { width: 1440, height: 900 } });
        for (const part of parts) {
          const { y, height } = await page.locator(part).first().boundingBox();
          assert.ok(y >= 0 && y + height <= 900, `${path}: ${part} ends at ${y + height}`);
        }
      }
    }
  },
};

// A newcomer's test run measures each theme and each language once; VIEWS=all every pair.
const pairs = [['light', 'en'], ['dark', 'de']];
if (process.env.VIEWS === 'all') pairs.push(['light', 'de'], ['dark', 'en']);

for (const name of Object.keys(views)) {
  promises[`parts of a view are apart, inside the window and large enough: ${name}`] = async (browser) => {
    const faults = [];
    for (const [colorScheme, locale] of pairs) {
      faults.push(...(await measure(browser, name, colorScheme, locale)), ...(await browser.closeContexts()));
    }
    assert.deepEqual(faults, []);
  };
  promises[`no violations that axe finds: ${name}`] = async (browser) => {
    for (const [colorScheme, locale, width] of [['light', 'en', 1440], ['dark', 'de', 1440], ['light', 'de', 360]]) {
      const page = await openView(browser, name, { colorScheme, locale, viewport: { width, height: 900 } });
      assert.deepEqual(await violations(page), [], `${width} ${colorScheme} ${locale}`);
    }
  };
}
