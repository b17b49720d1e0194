// Screenshots of the pages: screenshots.js FOLDER URL URL_FOR_EDITING. The second server prints its URL with a key.

import { mkdirSync, writeFileSync } from 'node:fs';
import { Browser } from './browser.js';
import { reduced } from './palette.js';

const [folder, url, edits] = process.argv.slice(2);
const wide = { viewport: { width: 1440, height: 900 } };
const medium = { viewport: { width: 768, height: 1024 } };
const phone = { viewport: { width: 360, height: 800 }, deviceScaleFactor: 2 };
const [light, dark] = [{ colorScheme: 'light' }, { colorScheme: 'dark' }];

const annotated = '/game/1?ply=21';
const images = {
  explorer: ['/explorer?play=e2e4,e7e5,g1f3', { ...wide, ...light }],
  'explorer-dark': ['/explorer?play=e2e4,c7c5', { ...wide, ...dark }],
  'explorer-phone': ['/explorer?play=d2d4', { ...phone, ...light }],
  game: [annotated, { ...wide, ...light }],
  'game-dark': [annotated, { ...medium, ...dark }],
  games: ['/games?player=Capablanca*&sort=date', { ...wide, ...light }, (page) => page.locator('#games [name=id]').nth(1).check()],
  'games-phone': ['/games?player=Capablanca*&sort=date', { ...phone, ...dark }],
  player: ['/player/Capablanca, José Raúl', { ...wide, ...light }],
  event: ['/event/New York?year=1924', { ...wide, ...light }],
  opening: ["/opening/King's Gambit", { ...wide, ...dark }],
  search: ['/explorer', { ...wide, ...light }, suggest],
  edit: ['/edit/game/1?ply=21', { ...wide, ...light }],
};

async function suggest(page) {
  await page.locator('#q').pressSequentially('al');
  await page.locator('#hits [role=option]').first().waitFor();
}

async function take(browser, name, state = {}) {
  const [path, options, prepare] = images[name];
  const page = await browser.open(path, { locale: 'en', reducedMotion: 'reduce', ...options, ...state });
  await prepare?.(page);
  await page.waitForTimeout(500);
  writeFileSync(`${folder}/${name}.png`, reduced(await page.screenshot()));
}

mkdirSync(folder, { recursive: true });
const browser = await Browser.launch(url);
for (const name of Object.keys(images).filter((name) => name !== 'edit')) await take(browser, name);
await browser.close();
const editor = await Browser.launch(edits);
const entry = await editor.open(edits);
const extraHTTPHeaders = { authorization: `Basic ${btoa(`${editor.url.username}:${editor.url.password}`)}` };
await take(editor, 'edit', { storageState: await entry.context().storageState(), extraHTTPHeaders });
await editor.close();
