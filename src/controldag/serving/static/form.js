// The form as an item of a request, and back.
import { byId, made } from './dom.js';
import { inWords } from './acts.js';

const LENGTH = /^(=)?(\d+)(-)?(\d+)?(?: (word|token)s?)?$/;

export function lengthWish() {
  const count = byId('length').value;
  const bounds = { about: count, exactly: `=${count}`, most: `1-${count}`, least: `${count}-` }[byId('length-kind').value];
  return bounds && count ? `${bounds} ${byId('length-unit').value}` : undefined;
}

export function showLength(wish = '') {
  const found = LENGTH.exec(String(wish));
  const [, exact, low, range, high, unit] = found ?? [];
  byId('length-kind').value = !found ? '' : exact ? 'exactly' : high ? 'most' : range ? 'least' : 'about';
  if (found) byId('length').value = high ?? low;
  byId('length-unit').value = found && unit !== 'word' ? 'tokens' : 'words';
  lengthChanged();
}

export function lengthChanged() {
  byId('length').hidden = byId('length-unit').hidden = !byId('length-kind').value;
}

// Examples of the model, and turns that a service may take.
export function showExamples(examples, service) {
  const options = (items, prefix) => items.map((item, place) => made('option', { value: `${prefix}${place}` }, titled(item)));
  byId('example').replaceChildren(made('optgroup', { label: 'to begin with' }, ...options(examples, 'm')),
    ...(service ? [made('optgroup', { label: service.name }, ...options(service.examples, 's'))] : []));
}

function titled({ id, acts, triples }) {
  if (id && !/-\d+$/.test(id)) return id;
  const words = (acts ?? triples).map(inWords).join(', ');
  return words.length > 60 ? `${words.slice(0, 59)}…` : words;
}
