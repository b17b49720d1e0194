// Menus, chips of filters and drawers are <details>: Escape, a press outside and the focus outside close them. A chip
// that opens is ready for typing, unless that would cover a phone with its keyboard.

const menus = 'details:is(.chip, .drawer)[open]';

export function startMenus() {
  for (const name of ['pointerdown', 'focusin']) document.addEventListener(name, ({ target }) => closeMenus(target));
  document.addEventListener('keydown', (event) => {
    const menu = document.querySelector(menus);
    if (event.key !== 'Escape' || event.defaultPrevented || !menu || document.querySelector('dialog[open]')) return;
    event.preventDefault();
    closeMenus();
    menu.querySelector('summary').focus();
  });
  // Enter in a field sends its form; in a list of choices, browsers do not agree.
  document.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || event.defaultPrevented || !event.target.matches?.('.chip form select')) return;
    event.preventDefault();
    event.target.form.requestSubmit();
  });
  document.addEventListener('toggle', ({ target }) => target.open && !matchMedia('(pointer: coarse)').matches && enter(target), true);
  // What a menu offers is done, and the menu is in the way.
  document.addEventListener('click', ({ target }) => target.closest?.('.menu-list button') && closeMenus());
}

const enter = (chip) => chip.matches('#filters > .chip') && chip.querySelector('.field :is(input, select)')?.focus();

// Closes all menus, except one that an element is in. What is dark around a drawer belongs to the drawer itself.
export function closeMenus(element) {
  for (const menu of document.querySelectorAll(menus)) {
    if (!element || element === menu || !menu.contains(element)) menu.open = false;
  }
}
