// Elements by construction: texts only ever become text nodes, so nothing a user or a model says is read as markup.
export const byId = name => document.getElementById(name);

export function made(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== null && value !== false) element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}

export function table(titles, rows) {
  const head = made('tr', {}, ...titles.map(title => made('th', { scope: 'col' }, title)));
  const body = made('table', {}, made('thead', {}, head), made('tbody', {}, ...rows));
  return made('div', { class: 'scroll' }, body);
}
