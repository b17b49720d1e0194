// On paper a board has a size of its own, and its pieces stand by pixels: they are put there before the paper is drawn.

// As print.css has it.
const size = '340px';

export function fitToPaper(ground, api) {
  const draw = (width) => {
    ground.style.width = width;
    api.redrawAll();
  };
  addEventListener('beforeprint', () => draw(size));
  addEventListener('afterprint', () => draw(''));
}
