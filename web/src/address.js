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
  return url;
}
