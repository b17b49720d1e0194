// Writes dist/manifest.json, which says what the files of dist/ are and what they were made of, and dist/LICENCES.txt.

import { createHash } from 'node:crypto';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';

const hash = (path) => createHash('sha256').update(readFileSync(path)).digest('hex');
const list = (folder) => readdirSync(folder).sort();
const lock = JSON.parse(readFileSync('package-lock.json', 'utf8'));
const packages = Object.entries(lock.packages).filter(([path]) => path !== '');

const describe = ([path, { version, license, integrity }]) => ({
  name: path.replace('node_modules/', ''),
  version,
  licence: license,
  integrity,
});
const bundled = packages.filter(([, { dev }]) => !dev);
const esbuild = packages.find(([path]) => path === 'node_modules/esbuild');

const manifest = {
  about: 'Made by web/build.sh of web/src and the packages named here.',
  files: Object.fromEntries(
    list('dist').map((name) => [name, { bytes: readFileSync(`dist/${name}`).length, sha256: hash(`dist/${name}`) }]),
  ),
  sources: Object.fromEntries(list('src').map((name) => [`src/${name}`, hash(`src/${name}`)])),
  packages: bundled.map(describe),
  bundler: describe(esbuild),
};
writeFileSync('dist/manifest.json', `${JSON.stringify(manifest, null, 2)}\n`);

// Each licence once, below all that it is the licence of.
const texts = new Map();
for (const [path] of bundled) {
  const { name, version, license, author, repository } = JSON.parse(readFileSync(`${path}/package.json`, 'utf8'));
  const file = list(path).find((file) => /^(licen[cs]e|copying)/i.test(file));
  const text = readFileSync(`${path}/${file}`, 'utf8').trim();
  const by = typeof author === 'string' ? author : author.name;
  const from = typeof repository === 'string' ? repository : repository.url;
  const heading = [`${name} ${version}, ${license}`, `  by ${by}`, `  source: ${from}`].join('\n');
  texts.set(text, [...(texts.get(text) ?? []), heading]);
}
const pieces = [
  'The pieces of the board, GPL-2.0-or-later',
  '  by Colin M. L. Burnett',
  '  source: assets/chessground.cburnett.css of chessground',
].join('\n');
const rule = `\n\n${'-'.repeat(80)}\n\n`;
const licences = [...texts].map(([text, headings]) => `${headings.join('\n')}\n\n${text}`);
writeFileSync('dist/LICENCES.txt', `${[pieces, ...licences].join(rule)}\n`);
