// A browser that checks what must hold everywhere: no requests to other origins, no errors in the console.

import assert from 'node:assert/strict';
import { chromium } from 'playwright-core';

export class Browser {
  static async launch(url) {
    const self = new Browser();
    self.url = new URL(url);
    self.browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: ['--no-sandbox'] });
    self.contexts = [];
    return self;
  }

  // Opens a page at a path. `options` are those of a browser context, and the `status` of the answer if it is a failure.
  async open(path, { status = 200, ...options } = {}) {
    const context = await this.browser.newContext({ baseURL: this.url.origin, ...options });
    const page = await context.newPage();
    page.setDefaultTimeout(60_000);
    const faults = [];
    page.on('request', (request) => {
      const url = new URL(request.url());
      if (url.protocol !== 'data:' && url.origin !== this.url.origin) faults.push(`asked elsewhere: ${url}`);
    });
    page.on('console', (message) => {
      // Chromium reports an answer that is a failure itself.
      const expected = status !== 200 && message.text().includes(`status of ${status}`);
      if (message.type() === 'error' && !expected) faults.push(`console: ${message.text()}`);
    });
    page.on('pageerror', (error) => faults.push(`script: ${error.stack}`));
    this.contexts.push({ context, faults });
    const response = await page.goto(path);
    assert.equal(response.status(), status, path);
    if (options.javaScriptEnabled !== false) await ready(page);
    page.faults = faults;
    return page;
  }

  async closeContexts() {
    const faults = this.contexts.flatMap((opened) => opened.faults);
    await Promise.all(this.contexts.map(({ context }) => context.close()));
    this.contexts = [];
    return faults;
  }

  close() {
    return this.browser.close();
  }
}

// The script has started.
export function ready(page) {
  return page.waitForSelector('html[data-script=on]', { state: 'attached' });
}

// The board processes scrolling and the pointer in the next frame.
function drawn(page) {
  return page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
}

// The middle of a square of the board, with White or Black at the bottom.
export async function place(page, square, flipped = false) {
  await drawn(page);
  const box = await page.locator('cg-board').boundingBox();
  const file = square.charCodeAt(0) - 97;
  const rank = Number(square[1]) - 1;
  const [column, row] = flipped ? [7 - file, rank] : [file, 7 - rank];
  return [box.x + ((column + 0.5) * box.width) / 8, box.y + ((row + 0.5) * box.height) / 8];
}

export async function clickMove(page, from, to, flipped = false) {
  await page.mouse.click(...(await place(page, from, flipped)));
  await page.mouse.click(...(await place(page, to, flipped)));
}

export async function dragMove(page, from, to, flipped = false) {
  await page.mouse.move(...(await place(page, from, flipped)));
  await page.mouse.down();
  const [x, y] = await place(page, to, flipped);
  await page.mouse.move(x - 5, y - 5, { steps: 5 });
  await page.mouse.move(x, y);
  await drawn(page);
  await page.mouse.up();
}

// Waits until a condition holds; otherwise fails with the last observed value.
export async function until(what, probe) {
  let seen;
  for (let round = 0; round < 600; round += 1) {
    seen = await probe();
    if (seen === true) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  assert.fail(`${what}: ${JSON.stringify(seen)}`);
}

export const same = (seen, wanted) => JSON.stringify(seen) === JSON.stringify(wanted) || seen;

// The contents of a square according to the table of squares.
export function stands(page, square) {
  const row = 9 - Number(square[1]);
  const column = square.charCodeAt(0) - 95;
  return page.locator(`#board .squares tr:nth-child(${row}) > :nth-child(${column})`).last().textContent();
}
