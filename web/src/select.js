// Choosing games of a list: the number of chosen ones, ranges with Shift, all of the page.

import { fill, words } from './words.js';

let last = null;

export function startSelecting() {
  document.addEventListener('click', (event) => {
    const box = event.target.closest?.('input[form=chosen]');
    if (!box?.form) return;
    const boxes = boxesOf(box.form);
    if (box.classList.contains('all')) boxes.forEach((other) => (other.checked = box.checked));
    else if (event.shiftKey && boxes.includes(last)) between(boxes, last, box);
    last = box;
    show(box.form);
  });
  // Fields are reset after the event.
  document.addEventListener('reset', ({ target }) => target.id === 'chosen' && setTimeout(() => show(target)));
  // The browser may restore ticks when the reader comes back.
  addEventListener('pageshow', () => show(document.getElementById('chosen')));
}

const boxesOf = (form) => [...form.elements].filter((box) => box.name === 'id');

function between(boxes, from, to) {
  const places = [boxes.indexOf(from), boxes.indexOf(to)].sort((a, b) => a - b);
  boxes.slice(places[0], places[1] + 1).forEach((box) => (box.checked = to.checked));
}

function show(form) {
  const all = document.querySelector('.all');
  if (!form || !all) return;
  const boxes = boxesOf(form);
  const count = boxes.filter((box) => box.checked).length;
  all.checked = count === boxes.length;
  all.indeterminate = count > 0 && count < boxes.length;
  form.querySelector('.chosen-count').textContent = fill(words.chosen_count, { count });
}
