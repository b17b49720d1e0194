// Screenshots of the pages: screenshots.js URL FOLDER.

import { mkdirSync } from 'node:fs';
import { Browser } from './browser.js';

const [url, folder] = process.argv.slice(2);
const size = { viewport: { width: 1200, height: 800 } };
const pictures = {
  explorer: ['/explorer?play=e2e4,c7c5', { ...size, colorScheme: 'light' }],
  game: ['/games?player=Canal*', { ...size, colorScheme: 'dark' }],
};

mkdirSync(folder, { recursive: true });
const browser = await Browser.launch(url);
for (const [name, [path, options]] of Object.entries(pictures)) {
  const page = await browser.open(path, { ...options, reducedMotion: 'reduce' });
  if (name === 'game') {
    await page.locator('#games a[href*="/game/"]').first().click();
    await page.locator('.move', { hasText: 'O-O-O' }).first().click();
  }
  await page.waitForTimeout(500);
  await page.screenshot({ path: `${folder}/${name}.png` });
}
await browser.close();
