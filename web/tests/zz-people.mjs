import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { chromium } from 'playwright-core';
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const url = process.argv[2], W = 'w'.repeat(3000);
const paths = ['/players', '/players?q=wwww', '/events', '/openings', '/openings?q=najdorf', '/player/Morphy,%20Paul', '/player/Rosalers,%20Johan', '/player/' + W, '/player/morphy', '/player/nobody', '/player/Morphi', '/event/New%20York', '/event/New%20York?year=1924', '/event/34th%20Alienadingen%20Masters', "/event/Long%20words%20" + W, "/opening/King's%20Gambit", '/opening/Sicilian%20Defense', '/prepare', '/prepare?opponent=Rosalers&colour=white', '/prepare?opponent=' + W];
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
for (const colorScheme of ['light', 'dark']) for (const width of [1440, 768, 360]) {
  const context = await browser.newContext({ baseURL: url, colorScheme, viewport: { width, height: 900 } });
  const page = await context.newPage();
  page.on('console', (m) => m.type() === 'error' && !m.text().includes('404') && console.log('CONSOLE', m.text()));
  for (const path of paths) {
    if (width !== 1440 && colorScheme === 'dark') continue;
    await page.goto(path);
    const wide = await page.evaluate(() => Math.max(document.documentElement.scrollWidth, document.body.scrollWidth));
    if (wide > width) {
      const who = await page.evaluate((w) => [...document.querySelectorAll('main *')].filter((e) => e.getBoundingClientRect().right > w + 1 && !e.closest('.scroll') && !e.closest('svg')).slice(0, 4).map((e) => e.outerHTML.slice(0, 120)), width);
      console.log('WIDE', width, path.slice(0, 50), wide, who);
    }
    await page.evaluate(axe);
    const found = await page.evaluate(() => window.axe.run({ rules: { 'target-size': { enabled: true } } }));
    for (const { id, nodes } of found.violations) console.log('AXE', colorScheme, width, path.slice(0, 50), id, nodes.length, nodes[0].html.slice(0, 160), nodes[0].failureSummary.slice(0, 200));
  }
  await context.close();
}
await browser.close();
