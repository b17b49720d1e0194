// URLs of pages.

// Sets a parameter, or removes it if the value is empty; commas stay readable.
export function setParameter(url, name, value) {
  if (value) url.searchParams.set(name, value);
  else url.searchParams.delete(name);
  url.search = url.search.replaceAll('%2C', ',');
}

// The URL that a form requests, without its empty fields.
export function addressOf(form, submitter) {
  const url = new URL(form.action);
  const fields = [...new FormData(form, submitter)].filter(([, value]) => value !== '');
  url.search = new URLSearchParams(fields).toString();
  for (const name of ['date', 'elo']) joinRange(url, name);
  return url;
}

// The fields of both ends become one parameter, as on the server: `date_from=2015` becomes `date=2015..`.
function joinRange(url, name) {
  const ends = [`${name}_from`, `${name}_to`];
  if (!ends.some((end) => url.searchParams.has(end))) return;
  const [from, to] = ends.map((end) => url.searchParams.get(end)?.trim() ?? '');
  ends.forEach((end) => url.searchParams.delete(end));
  setParameter(url, name, from === to ? from : `${from}..${to}`);
}
