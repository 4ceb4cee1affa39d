// The page: what is asked, the asking, and what comes back.
import { ask, Problem } from './api.js';
import { Chips } from './chips.js';
import { byId, made } from './dom.js';
import { demand } from './labels.js';
import { colours } from './marked.js';
import { best, details, greedyCard, pair } from './views.js';

const chips = new Chips(byId('chips'), () => byId('phrase').focus());
let models = [];
let going = null;

const model = () => models.find(each => each.name === byId('model').value);
const token = () => byId('token').value;
const lines = () => byId('input').value.split('\n').map(line => line.trim()).filter(Boolean);

async function start() {
  try {
    const told = await ask('/v1/models', { token: token() });
    models = told.models;
    byId('token-row').hidden = !token();
  } catch (error) {
    if (error.status === 401) byId('token-row').hidden = false;
    showProblem(error);
    return;
  }
  byId('problem').replaceChildren();
  byId('model').replaceChildren(...models.map(each => made('option', { value: each.name }, each.name)));
  modelChosen();
}

function modelChosen() {
  const { task, services, examples } = model();
  byId('service-row').hidden = task !== 'acts';
  byId('input-label').textContent = task === 'acts' ? 'acts, one a line: OFFER(city=San Jose)' : 'triples, one a line: subject | relation | object';
  byId('services').replaceChildren(...services.map(name => made('option', { value: name })));
  byId('example').replaceChildren(...examples.map((each, place) => made('option', { value: place }, each.id)));
  exampleChosen();
}

function exampleChosen() {
  const item = model().examples[byId('example').value];
  byId('service').value = item.service || '';
  byId('input').value = (item.acts || item.triples).join('\n');
  chips.replace(item);
}

function lengthWish() {
  const tokens = byId('length').value;
  return { about: tokens, exactly: `=${tokens}`, most: `1-${tokens}`, least: `${tokens}-` }[byId('length-kind').value];
}

function lengthChanged() {
  byId('length').hidden = byId('length').disabled = !byId('length-kind').value;
  byId('length-shown').textContent = byId('length').disabled ? '' : `${byId('length').value} tokens`;
}

function item() {
  const acts = model().task === 'acts';
  const wish = lengthWish();
  return {
    ...(acts ? { acts: lines(), service: byId('service').value.trim() } : { triples: lines() }),
    ...chips.wishes(),
    ...(wish ? { length: wish } : {}),
    n_best: Number(byId('n-best').value) || 1,
  };
}

async function generate(event) {
  event?.preventDefault();
  if (!models.length) { await start(); return; }
  addChip();
  going?.abort();
  const mine = going = new AbortController();
  busy(true, 'working …');
  const asked = item();
  const options = { token: token(), signal: mine.signal, waiting: seconds => busy(true, `the service is busy: again in ${seconds} s`) };
  try {
    const body = { model: byId('model').value, item: { ...asked, n_best: 1 }, picture: true };
    const laid = await ask('/v1/inspect', { ...options, body });
    chips.show();
    byId('problem').replaceChildren();
    byId('texts').replaceChildren(pair(laid));
    byId('more').replaceChildren(...details(laid, asked.n_best));
    reveal();
    if (asked.n_best > 1) {
      busy(true, 'done; looking for more texts …');
      await showMore(asked, options);
    }
    busy(false, 'done');
  } catch (error) {
    if (error.name === 'AbortError') { if (going === mine) busy(false, 'given up'); return; }
    busy(false, '');
    showProblem(error);
    byId('more').replaceChildren();
    byId('texts').replaceChildren();
    reveal();
    if (error.kind === 'Infeasible') await showGreedy(asked, options);
  }
}

// The search for several texts takes longer than that for the best one, which is shown meanwhile.
async function showMore(asked, options) {
  const place = byId('best');
  try {
    const told = await ask('/v1/generate', { ...options, body: { model: byId('model').value, items: [asked] } });
    place.replaceChildren(...best(told.results[0]));
  } catch (error) {
    if (error.name === 'AbortError') throw error;
    place.replaceChildren(made('p', { class: 'faint' }, error.message));
  }
}

// What the model would say, where nothing can be said as asked.
async function showGreedy(asked, options) {
  const item = { ...asked, n_best: 1, decoder: 'greedy' };
  try {
    const { greedy } = await ask('/v1/inspect', { ...options, body: { model: byId('model').value, item } });
    byId('texts').replaceChildren(greedyCard(greedy, greedy ? colours(greedy.constraints) : []));
  } catch { /* the conflict is told already, and it is what matters */ }
}

function showProblem(error) {
  const known = error instanceof Problem;
  if (!known) console.error(error);
  const conflict = known ? error.conflict : [];
  chips.show(conflict);
  const title = conflict.length > 1 ? 'These demands exclude each other' : conflict.length ? 'This demand cannot be met' : 'That did not work';
  const parts = [made('h2', {}, title)];
  if (conflict.length) parts.push(made('ul', {}, ...conflict.map(label => made('li', {}, demand(label)))));
  else parts.push(made('p', {}, known ? error.message : 'The page met an error of its own.'));
  if (known && error.remedy) parts.push(made('p', { class: 'faint' }, error.remedy));
  byId('problem').replaceChildren(...parts);
}

// On a phone the results stand below the form.
function reveal() {
  if (byId('results').getBoundingClientRect().top > 0.7 * innerHeight) byId('results').scrollIntoView();
}

function busy(working, message) {
  byId('cancel').hidden = !working;
  byId('results').setAttribute('aria-busy', String(working));
  byId('status').textContent = message;
}

function addChip() {
  chips.add(byId('kind').value, byId('phrase').value);
  byId('phrase').value = '';
}

byId('form').addEventListener('submit', generate);
byId('cancel').addEventListener('click', () => going?.abort());
byId('model').addEventListener('change', modelChosen);
byId('example').addEventListener('change', exampleChosen);
byId('add').addEventListener('click', () => { addChip(); byId('phrase').focus(); });
byId('length-kind').addEventListener('change', lengthChanged);
byId('length').addEventListener('input', lengthChanged);
byId('token').addEventListener('change', start);
byId('phrase').addEventListener('keydown', event => {
  if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey && byId('phrase').value.trim()) { event.preventDefault(); addChip(); }
  if (event.key === 'Backspace' && !byId('phrase').value) chips.removeLast();
});
document.addEventListener('keydown', event => {
  if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) generate(event);
  if (event.key === 'Escape') going?.abort();
});
await start();
