// An element with attributes and children. Text of games only ever becomes text nodes.
export function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === true) element.setAttribute(key, '');
    else if (value !== undefined && value !== false) element.setAttribute(key, value);
  }
  element.append(...children);
  return element;
}
