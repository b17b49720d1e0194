// Importing with a drop and with progress.

const form = document.querySelector('#import');

if (form) {
  const files = form.querySelector('input[type=file]');
  const bar = form.querySelector('progress');
  const status = form.querySelector('[role=status]');

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

  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    bar.hidden = false;
    bar.removeAttribute('value');
    try {
      const headers = { accept: 'application/x-ndjson' };
      await read(await fetch(form.action, { method: 'POST', body: new FormData(form), headers }));
    } catch {
      status.textContent = form.dataset.failed;
    }
    bar.hidden = true;
  });

  // Shows the progress, one line of JSON at a time.
  async function read(response) {
    if (!response.headers.get('content-type')?.includes('ndjson')) {
      status.textContent = (await response.json()).error;
      return;
    }
    let rest = '';
    for await (const part of response.body.pipeThrough(new TextDecoderStream())) {
      const lines = (rest + part).split('\n');
      rest = lines.pop();
      for (const line of lines) show(JSON.parse(line));
    }
  }

  function show({ source, games, bytes, total_bytes: all, index, report, error }) {
    if (error) status.textContent = error;
    else if (report) done(report);
    else {
      const [part, of] = index ? [index.games, index.of] : [bytes, all];
      if (of) bar.value = (100 * part) / of;
      status.textContent = `${source}: ${games.toLocaleString(document.documentElement.lang)}`;
    }
  }

  // Fills in the report that the page has in a template.
  function done(report) {
    const template = document.querySelector('#report-form');
    document.querySelector('#report')?.remove();
    const section = template.content.cloneNode(true).firstElementChild;
    for (const [name, value] of Object.entries(report)) {
      const place = section.querySelector(`[data-of="${name}"]`);
      if (place) place.textContent = value.toLocaleString(document.documentElement.lang);
    }
    const problems = [...report.failures, ...report.rejects, ...report.unfinished];
    const rows = section.querySelector('tbody');
    for (const { source, game, line, reason } of problems) {
      const row = rows.insertRow();
      for (const text of [source, game, line, reason]) row.insertCell().textContent = text;
    }
    section.querySelector('.scroll').hidden = !problems.length;
    section.querySelector('.known').hidden = !report.met.length;
    section.classList.add(problems.length ? 'bad' : 'done');
    form.before(section);
    form.reset();
    status.textContent = '';
    section.querySelector('h2').focus();
  }
}
