// The reader's choices, stored by the browser; if storage is unavailable, they last as long as the page.

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
