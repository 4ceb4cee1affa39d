// What the chosen service can be asked to say: its slots with descriptions, each a button that adds it, and its acts.
import { actInWords, slotInWords } from './acts.js';
import { byId, made } from './dom.js';

export function listSlots(service, add) {
  byId('slots').hidden = !service;
  if (!service) return;
  byId('slots').querySelector('summary').textContent = `All that ${service.name} can talk about: ${service.slots.length} slots`;
  const slots = service.slots.map(({ name, description, possible_values: values }) => {
    const few = values.length ? made('span', { class: 'faint' }, ` ${values.slice(0, 4).join(', ')}${values.length > 4 ? ', …' : ''}`) : '';
    const button = made('button', { type: 'button', title: `add ${name}` },
      made('b', {}, `+ ${slotInWords(name)}`), made('span', {}, ` ${description}`), few);
    button.addEventListener('click', () => add(name));
    return made('li', {}, button);
  });
  const acts = service.acts.map(actInWords).join(', ');
  byId('slot-list').replaceChildren(
    made('p', { class: 'faint' }, `${service.description}. ${service.learnt ? 'The model learnt from talks about it.' : 'The model never saw it; its schema is enough.'}`),
    made('ul', {}, ...slots),
    made('p', { class: 'faint' }, `What can be done with them: ${acts}.`));
}
