// Images of the pages of two programs next to each other: before-and-after.js FOLDER SERVERS. The second folder has the
// URLs of the servers, in files, and a page with diagrams.

import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { chromium } from 'playwright-core';

const [folder, servers] = process.argv.slice(2);
const programs = ['before', 'after'];
// The most bytes of an image.
const most = 60_000;
const wide = { viewport: { width: 1440, height: 900 } };
const phone = { viewport: { width: 360, height: 800 }, deviceScaleFactor: 2 };
const game = '/game/1?ply=21';
const [player, event, prepare] = ['/player/Elm, E', '/event/Forest Cup?year=2024', '/prepare?opponent=Elm, E&colour=white'];

// The pages on a screen: the path, and the options if they are not those of a wide window.
const screens = {
  game: [game],
  'engine-game': [engineGame],
  explorer: ['/explorer?play=e2e4,e7e5,g1f3'],
  player: [player],
  crosstable: [event],
  report: ['/report'],
  prepare: [prepare],
  editor: ['/editor?fen=8/5k2/3p4/1p1Pp2p/pP2Pp1P/P4P1K/8/8 b - - 99 50'],
  edit: ['/edit/game/1?ply=21', { ...wide, edited: true }],
  'game-phone': [game, phone],
};
// The pages on paper. The program before had no diagrams in print: its page of the game is shown instead.
const prints = {
  'print-crosstable': event,
  'print-diagrams': (program) => (program === 'after' ? `file://${servers}/diagrams.html` : '/game/16'),
  'print-player': player,
  'print-prepare': prepare,
  'print-report': '/report',
  'print-list': '/games?player=Elm*&sort=date',
};

const browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: ['--no-sandbox'] });

// The URL that a server has printed.
const url = (program, kind) => new URL(readFileSync(`${servers}/${program}-${kind}`, 'utf8').split('\n')[0]);

async function engineGame(program) {
  const answer = await fetch(new URL('/api/v1/games?event=Engine%20match', url(program, 'shown')));
  return `/game/${(await answer.json()).games[0].id}?ply=24`;
}

async function opened(program, path, { edited = false, ...options } = {}) {
  const server = url(program, edited ? 'edited' : 'shown');
  const context = await browser.newContext({ baseURL: server.origin, locale: 'en', colorScheme: 'light', reducedMotion: 'reduce', ...options });
  const page = await context.newPage();
  if (edited) await page.goto(server.href);
  if (server.username) await context.setExtraHTTPHeaders({ authorization: `Basic ${btoa(`${server.username}:${server.password}`)}` });
  await page.goto(typeof path === 'string' ? path : await path(program));
  await page.waitForTimeout(500);
  return page;
}

// Two images next to each other, each with the name of its program.
async function pair(name, images, width) {
  const figures = images.map((image, place) => `<figure><figcaption>${programs[place]}</figcaption><img width="${width}" src="data:image/png;base64,${image.toString('base64')}"></figure>`);
  const style = 'body { display: inline-flex; gap: 16px; margin: 0; padding: 8px; background: #fff; font: 13px sans-serif; } figure { margin: 0; } img { display: block; border: 1px solid #999; }';
  const page = await browser.newPage({ viewport: { width: 2 * width + 40, height: 100 } });
  await page.setContent(`<style>${style}</style>${figures.join('')}`);
  const { width: right, height: bottom } = await page.locator('body').boundingBox();
  const session = await page.context().newCDPSession(page);
  const clip = { x: 0, y: 0, width: right, height: bottom, scale: 1 };
  for (let quality = 80; ; quality -= 5) {
    const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality, clip, captureBeyondViewport: true });
    const image = Buffer.from(data, 'base64');
    if (image.length <= most || quality <= 5) {
      writeFileSync(`${folder}/${name}.webp`, image);
      break;
    }
  }
  await page.close();
}

mkdirSync(folder, { recursive: true });
for (const [name, [path, options = wide]] of Object.entries(screens)) {
  const images = [];
  for (const program of programs) {
    const page = await opened(program, path, options);
    images.push(await page.screenshot());
    await page.context().close();
  }
  await pair(name, images, options === phone ? 360 : 700);
}
for (const [name, path] of Object.entries(prints)) {
  const images = [];
  for (const program of programs) {
    const page = await opened(program, path, wide);
    const file = `${servers}/printed`;
    await page.pdf({ path: `${file}.pdf`, format: 'A4', preferCSSPageSize: true });
    execFileSync('pdftoppm', ['-r', '100', '-l', '1', '-singlefile', '-png', `${file}.pdf`, file]);
    images.push(readFileSync(`${file}.png`));
    await page.context().close();
  }
  await pair(name, images, 560);
}
await browser.close();
