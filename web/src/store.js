// What a reader chose, kept by the browser; where it keeps nothing, choices last as long as the page.

const forNow = new Map();

export function recall(name) {
  try {
    return localStorage.getItem(name) ?? forNow.get(name) ?? null;
  } catch {
    return forNow.get(name) ?? null;
  }
}

export function keep(name, value) {
  forNow.set(name, value);
  try {
    localStorage.setItem(name, value);
  } catch {
    // Storage is switched off or full.
  }
}
