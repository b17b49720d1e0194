// Writes the pieces in a style as text instead of base64, which compresses better: pieces.js FILE.

import { readFileSync, writeFileSync } from 'node:fs';

const [file] = process.argv.slice(2);
const escapes = { '"': "'", '#': '%23', '<': '%3C', '>': '%3E' };
const text = (_, packed) => {
  const svg = Buffer.from(packed, 'base64').toString().replaceAll(/["#<>]/g, (sign) => escapes[sign]);
  return `url("data:image/svg+xml,${svg}")`;
};
const style = readFileSync(file, 'utf8');
writeFileSync(file, style.replaceAll(/url\(["']?data:image\/svg\+xml;base64,([^"')]*)["']?\)/g, text));
