// Makes an image smaller: a PNG with at most 256 colours.

import { crc32, deflateSync, inflateSync } from 'node:zlib';

const most = 256;

export function reduced(png) {
  const { width, height, size, pixels } = decoded(png);
  const counts = new Map();
  const colours = new Uint32Array(width * height);
  for (let place = 0; place < colours.length; place += 1) {
    const [red, green, blue] = pixels.subarray(place * size, place * size + 3);
    colours[place] = (red << 16) | (green << 8) | blue;
    counts.set(colours[place], (counts.get(colours[place]) ?? 0) + 1);
  }
  const palette = chosen([...counts]);
  const nearest = new Map([...counts.keys()].map((colour) => [colour, indexOf(palette, colour)]));
  const rows = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) rows[y * (width + 1) + 1 + x] = nearest.get(colours[y * width + x]);
  }
  return encoded(width, height, palette, rows);
}

const parts = (colour) => [colour >> 16, (colour >> 8) & 255, colour & 255];

function distance(one, other) {
  const [a, b] = [parts(one), parts(other)];
  return a.reduce((sum, value, place) => sum + (value - b[place]) ** 2, 0);
}

function indexOf(palette, colour) {
  let best = 0;
  for (let place = 1; place < palette.length; place += 1) {
    if (distance(palette[place], colour) < distance(palette[best], colour)) best = place;
  }
  return best;
}

// The most frequent colours, so that each is at a distance from the others.
function chosen(counts) {
  const sorted = counts.sort((a, b) => b[1] - a[1] || a[0] - b[0]).map(([colour]) => colour);
  for (let apart = 12; ; apart = Math.ceil(apart * 1.5)) {
    const found = [];
    for (const colour of sorted) {
      if (found.length <= most && found.every((other) => distance(other, colour) >= apart)) found.push(colour);
    }
    if (found.length <= most) return found;
  }
}

function decoded(png) {
  const data = [];
  let [width, height, size] = [0, 0, 3];
  for (let place = 8; place < png.length; ) {
    const [length, name] = [png.readUInt32BE(place), png.toString('latin1', place + 4, place + 8)];
    const part = png.subarray(place + 8, place + 8 + length);
    if (name === 'IHDR') [width, height, size] = [part.readUInt32BE(0), part.readUInt32BE(4), part[9] === 6 ? 4 : 3];
    if (name === 'IDAT') data.push(part);
    place += length + 12;
  }
  return { width, height, size, pixels: unfiltered(inflateSync(Buffer.concat(data)), width * size, height, size) };
}

// Undoes the filters of the rows.
function unfiltered(rows, length, height, size) {
  const pixels = Buffer.alloc(length * height);
  for (let y = 0; y < height; y += 1) {
    const filter = rows[y * (length + 1)];
    for (let x = 0; x < length; x += 1) {
      const at = y * length + x;
      const left = x >= size ? pixels[at - size] : 0;
      const above = y > 0 ? pixels[at - length] : 0;
      const corner = x >= size && y > 0 ? pixels[at - length - size] : 0;
      const near = [left, above, corner].map((value) => Math.abs(left + above - corner - value));
      const paeth = near[0] <= near[1] && near[0] <= near[2] ? left : near[1] <= near[2] ? above : corner;
      pixels[at] = rows[y * (length + 1) + 1 + x] + [0, left, above, (left + above) >> 1, paeth][filter];
    }
  }
  return pixels;
}

function encoded(width, height, palette, rows) {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3], 8);
  const chunk = (name, data) => {
    const body = Buffer.concat([Buffer.from(name, 'latin1'), data]);
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, sum]);
  };
  const start = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const packed = deflateSync(rows, { level: 9, memLevel: 9 });
  return Buffer.concat([start, chunk('IHDR', header), chunk('PLTE', Buffer.from(palette.flatMap(parts))), chunk('IDAT', packed), chunk('IEND', Buffer.alloc(0))]);
}
