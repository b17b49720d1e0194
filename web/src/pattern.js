// Patterns as the server reads them: pieces, empty squares, and squares with any contents.

const files = [...'abcdefgh'];
const ranks = [...'87654321'];
const letters = { pawn: 'p', knight: 'n', bishop: 'b', rook: 'r', queen: 'q', king: 'k' };
const roles = Object.fromEntries(Object.entries(letters).map(([role, letter]) => [letter, role]));

// The pattern of pieces on squares and of squares that must be empty.
export function patternOf(pieces, empty) {
  const on = (square) => {
    const piece = pieces.get(square);
    if (!piece) return empty.has(square) ? '1' : '?';
    return piece.color === 'white' ? letters[piece.role].toUpperCase() : letters[piece.role];
  };
  const rank = (number) => {
    const signs = files.map((file) => on(file + number)).join('');
    return signs.replace(/\?+$/, '*').replace(/1+/g, (run) => String(run.length));
  };
  return ranks.map(rank).join('/');
}

// The part of a pattern that a board can show: pieces and empty squares. Null if there is more.
export function boardOf(pattern) {
  const [pieces, empty] = [new Map(), new Set()];
  const rows = pattern.trim().split('/');
  if (rows.length !== 8) return null;
  for (const [index, row] of rows.entries()) {
    if (!/^[PNBRQKpnbrqk?1-8]*\*?$/.test(row)) return null;
    const signs = row.replace('*', '').replace(/\d/g, (count) => '1'.repeat(Number(count)));
    if (signs.length > 8 || (signs.length < 8 && !row.endsWith('*'))) return null;
    for (const [place, sign] of [...signs].entries()) {
      const square = files[place] + ranks[index];
      if (sign === '1') empty.add(square);
      else if (sign !== '?') pieces.set(square, { color: sign < 'a' ? 'white' : 'black', role: roles[sign.toLowerCase()] });
    }
  }
  return { pieces, empty };
}
