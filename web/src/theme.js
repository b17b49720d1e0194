// Runs before the page is drawn, so that it does not flash in the wrong colours.
const chosen = (() => {
  try {
    return localStorage.getItem('theme');
  } catch {
    return null;
  }
})();
if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen;
