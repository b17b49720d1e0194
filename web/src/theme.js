// Runs before the page is drawn, so that a chosen scheme does not flash in the other one.
const chosen = (() => {
  try {
    return localStorage.getItem('theme');
  } catch {
    return null;
  }
})();
if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen;
