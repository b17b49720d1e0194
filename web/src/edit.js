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

  function show({ source, games, bytes, total_bytes: all, index, report, error: why }) {
    if (why) failed(why);
    else if (report) done(report);
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

  // Fills in the report that the page has in a template.
  function done(report) {
    const template = document.querySelector('#report-form');
    document.querySelector('#report')?.remove();
    const section = template.content.cloneNode(true).firstElementChild;
    for (const [name, value] of Object.entries(report)) {
      const place = section.querySelector(`[data-of="${name}"]`);
      if (place) place.textContent = number(value);
    }
    const detailed = report.warnings.filter(({ detail }) => detail);
    const problems = [...report.failures, ...report.rejects, ...report.unfinished, ...detailed];
    const rows = section.querySelector('tbody');
    for (const { source, game, line, reason, detail = reason } of problems) {
      const row = rows.insertRow();
      for (const text of [source, game, line, detail]) {
        const cell = row.insertCell();
        cell.textContent = text;
        if (text === game || text === line) cell.className = 'num';
      }
    }
    const { former, omitted } = report;
    const more = report.rejected - report.rejects.length;
    for (const [name, count] of Object.entries({ former, omitted, more })) {
      section.querySelector(`.${name}`).hidden = !count;
      section.querySelector(`.${name} .num`).textContent = number(count ?? 0);
    }
    const notes = section.querySelector('.notes');
    notes.hidden = !report.notes.length;
    notes.append(
      ...report.notes.map(([text, count]) => {
        const note = document.createElement('li');
        note.textContent = `${text}: ${number(count)}`;
        return note;
      }),
    );
    section.querySelector('.scroll').hidden = !problems.length;
    section.querySelector('.known').hidden = !report.met.length;
    section.querySelector('[data-of=rejected]').parentNode.classList.toggle('is-bad', report.rejected > 0);
    const leftOut = section.querySelector('#left-out');
    if (report.left_out) leftOut.href += report.left_out;
    else leftOut.remove();
    section.querySelectorAll('header > svg')[problems.length ? 0 : 1].remove();
    section.classList.add(problems.length ? 'bad' : 'done');
    progress.after(section);
    form.reset();
    section.querySelector('h2').focus();
  }
}
