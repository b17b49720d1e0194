// Importing with a drop and with progress; and a question before what was entered in a form is lost.

let isEntered = false;
addEventListener('input', (event) => (isEntered ||= event.target.form?.method === 'post'));
addEventListener('submit', () => (isEntered = false));
addEventListener('beforeunload', (event) => isEntered && event.preventDefault());

const form = document.querySelector('#import');

if (form) {
  const files = form.querySelector('input[type=file]');
  const progress = document.querySelector('#progress');
  const error = document.querySelector('#import-error');
  const number = (value) => value.toLocaleString(document.documentElement.lang);
  let request;

  addEventListener('dragover', (event) => {
    event.preventDefault();
    form.classList.add('over');
  });
  addEventListener('dragleave', (event) => event.relatedTarget || form.classList.remove('over'));
  addEventListener('drop', (event) => {
    event.preventDefault();
    form.classList.remove('over');
    if (event.dataTransfer.files.length) {
      files.files = event.dataTransfer.files;
      form.requestSubmit();
    }
  });

  progress.querySelector('button').addEventListener('click', () => request.abort());

  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    request?.abort();
    const { signal } = (request = new AbortController());
    show({ source: [...files.files].map((file) => file.name).join(', '), games: 0 });
    error.hidden = true;
    progress.hidden = false;
    try {
      const headers = { accept: 'application/x-ndjson' };
      await read(await fetch(form.action, { method: 'POST', body: new FormData(form), headers, signal }));
    } catch {
      if (!signal.aborted) failed(form.dataset.failed);
    }
    progress.hidden = true;
  });

  function failed(why) {
    error.textContent = why;
    error.hidden = false;
  }

  // Shows the progress, one line of JSON at a time.
  async function read(response) {
    if (!response.headers.get('content-type')?.includes('ndjson')) {
      failed((await response.json()).error);
      return;
    }
    let rest = '';
    for await (const part of response.body.pipeThrough(new TextDecoderStream())) {
      const lines = (rest + part).split('\n');
      rest = lines.pop();
      for (const line of lines) show(JSON.parse(line));
    }
  }

  function show({ source, games, bytes, total_bytes: all, index, page, error: why }) {
    if (why) failed(why);
    else if (page) done(page);
    else {
      const [part, of] = index ? [index.games, index.of] : [bytes, all];
      const bar = progress.querySelector('progress');
      if (of) bar.value = (100 * part) / of;
      else bar.removeAttribute('value');
      progress.querySelector('h2').textContent = source;
      progress.querySelector('header .num').textContent = of ? `${Math.floor(bar.value)} %` : '';
      progress.querySelector('.body .num').textContent = number(games);
    }
  }

  // Takes the report from the page that the server would have answered without a script.
  function done(page) {
    const section = new DOMParser().parseFromString(page, 'text/html').querySelector('#report');
    document.querySelector('#report')?.remove();
    progress.after(section);
    form.reset();
    section.querySelector('h2').focus();
  }
}
