// In print a board has another size, but its pieces are placed by pixels: they are placed again before printing.

// As in print.css.
const size = document.querySelector('.game') ? '234px' : '340px';

export function fitToPaper(ground, api) {
  const draw = (width) => {
    ground.style.width = width;
    api.redrawAll();
  };
  addEventListener('beforeprint', () => draw(size));
  addEventListener('afterprint', () => draw(''));
}
