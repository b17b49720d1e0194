// Runs before the page is drawn, so that it does not flash in the wrong colours or the wrong language.
const recall = (name) => {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
};
const language = recall('lang');
const here = new URL(location);
if (language && language !== document.documentElement.lang && !here.searchParams.has('lang')) {
  here.searchParams.set('lang', language);
  location.replace(here);
}
const chosen = recall('theme');
if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen;
