// The page: what is asked, the asking, and what comes back.
import { ask, Problem } from './api.js';
import { Chips, KINDS } from './chips.js';
import { byId, made } from './dom.js';
import { lengthChanged, lengthWish, showExamples, showLength } from './form.js';
import { columnsFor } from './graph.js';
import { Rows } from './rows.js';
import { actions, linked, linkTo } from './share.js';
import { listSlots } from './slots.js';
import { answer, best, COMPARED, details, others } from './views.js';

const chips = new Chips(byId('chips'), { emptied: () => byId('phrase').focus(), changed });
const rows = new Rows(changed);
const main = document.querySelector('main');
const cards = new Map();
let models = [];
let card = null;
let going = null;
let turns = 0;

const model = () => models.find(each => each.name === byId('model').value);
const token = () => byId('token').value;

async function start() {
  try {
    models = (await ask('/v1/models', { token: token() })).models;
    byId('token-row').hidden = !token();
  } catch (error) {
    if (error.status === 401) byId('token-row').hidden = false;
    byId('texts').replaceChildren();
    showProblem(error);
    return;
  }
  byId('problem').replaceChildren();
  byId('model').replaceChildren(...models.map(each => made('option', { value: each.name }, each.name)));
  const wanted = linked();
  if (wanted) await showAsked(wanted);
  else await modelChosen();
}

async function showAsked({ model: name, item }) {
  if (models.some(each => each.name === name)) byId('model').value = name;
  try {
    await say(item);
  } catch {
    await modelChosen(); // the address was not written by this page
  }
}

const modelChosen = () => say(model().examples[0], 'm0');

// Fills the form and asks, unless the next choice was made meanwhile.
async function say(item, example = '') {
  if (await showItem(item, example)) await generate();
}

// What a service can talk about comes first, since rows offer its slots.
async function showItem(item, example) {
  const turn = ++turns;
  const { task, services, about, examples } = model();
  byId('service-row').hidden = task !== 'acts';
  const names = item.service && !services.includes(item.service) ? [item.service, ...services] : services;
  byId('service').replaceChildren(...names.map(name => made('option', { value: name }, about[name] ? `${name}: ${about[name]}` : name)));
  byId('service').value = item.service ?? '';
  const found = task === 'acts' ? await serviceCard(item.service) : null;
  if (turn !== turns) return false;
  card = found;
  showExamples(examples, card);
  byId('example').value = example;
  rows.use(task, card);
  rows.show((item.acts ?? item.triples ?? []).map(String), false);
  listSlots(card, slot => rows.add(slot));
  chips.replace(item);
  showLength(item.length);
  if (item.n_best) byId('n-best').value = item.n_best;
  return true;
}

async function serviceCard(name) {
  const path = `/v1/models/${encodeURIComponent(model().name)}/services/${encodeURIComponent(name ?? '')}`;
  if (name && !cards.has(path)) await ask(path, { token: token() }).then(told => cards.set(path, told), () => {});
  return cards.get(path) ?? null;
}

function exampleChosen() {
  const example = byId('example').value;
  return say((example[0] === 's' ? card : model()).examples[Number(example.slice(1))], example);
}

async function serviceChosen() {
  const service = byId('service').value;
  const found = await serviceCard(service);
  await (found ? say(found.examples[0], 's0') : say({ service, acts: rows.lines() }));
}

function item() {
  const acts = model().task === 'acts';
  const wish = lengthWish();
  return {
    ...(acts ? { service: byId('service').value, acts: rows.lines() } : { triples: rows.lines() }),
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
  const asked = { model: model().name, item: item() };
  if (event) history.replaceState(null, '', linkTo(asked));
  busy(true, 'working …');
  const options = { token: token(), signal: mine.signal, waiting: seconds => busy(true, `the service is busy: again in ${seconds} s`) };
  const look = { picture: true, columns: columnsFor(byId('results').clientWidth - 34), compare: COMPARED };
  try {
    const laid = await ask('/v1/inspect', { ...options, body: { model: asked.model, item: { ...asked.item, n_best: 1 }, ...look } });
    chips.show();
    byId('problem').replaceChildren();
    const [buttons, command] = actions(laid.result.text, asked, Boolean(token()), message => busy(false, message));
    const ours = answer(laid, buttons);
    ours.append(command);
    byId('texts').replaceChildren(ours, others(laid, laid.result));
    byId('more').replaceChildren(...details(laid, asked.item.n_best));
    if (event) reveal();
    if (asked.item.n_best > 1) {
      busy(true, 'done; looking for more texts …', false);
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
    if (error.kind === 'Infeasible') await showOthers(asked, options, look);
  }
}

// The search for several texts takes longer than that for the best one, which is shown meanwhile.
async function showMore(asked, options) {
  const place = byId('best');
  try {
    const told = await ask('/v1/generate', { ...options, body: { model: asked.model, items: [asked.item] } });
    place.replaceChildren(...best(told.results[0]));
  } catch (error) {
    if (error.name === 'AbortError') throw error;
    place.replaceChildren(made('p', { class: 'faint' }, error.message));
  }
}

// What the model would say, where nothing can be said as asked.
async function showOthers(asked, options, look) {
  const alone = { ...asked.item, n_best: 1, decoder: 'greedy' };
  try {
    const laid = await ask('/v1/inspect', { ...options, body: { model: asked.model, item: alone, ...look, picture: false } });
    byId('texts').replaceChildren(others(laid));
  } catch { /* the conflict is told already, and it is what matters */ }
}

function showProblem(error) {
  const known = error instanceof Problem;
  if (!known) console.error(error);
  const conflict = known ? error.conflict : [];
  chips.show(conflict);
  const title = conflict.length > 1 ? 'These demands exclude each other' : conflict.length ? 'This demand cannot be met' : 'That did not work';
  const parts = [made('h2', {}, title)];
  if (conflict.length) parts.push(made('ul', {}, ...conflict.map(words => made('li', {}, words))));
  else parts.push(made('p', {}, known ? error.message : 'The page met an error of its own.'));
  if (known && error.remedy) parts.push(made('p', {}, conflict.length ? 'Drop or relax one of them.' : error.remedy));
  byId('problem').replaceChildren(...parts);
}

// On a phone the results stand above the form.
function reveal() {
  if (byId('results').getBoundingClientRect().top < 0) byId('results').scrollIntoView();
}

// `dim`: whether what is shown is of an earlier question.
function busy(working, message, dim = working) {
  byId('cancel').hidden = !working;
  byId('results').setAttribute('aria-busy', String(dim));
  main.classList.toggle('working', dim);
  main.classList.remove('stale');
  byId('status').textContent = message;
}

function changed() {
  main.classList.add('stale');
  byId('status').textContent = 'changed since';
}

function addChip() {
  chips.add(byId('kind').value, byId('phrase').value);
  byId('phrase').value = '';
}

const kindChosen = () => { byId('phrase').placeholder = KINDS[byId('kind').value].hint; };

byId('kind').append(...Object.entries(KINDS).map(([kind, { name }]) => made('option', { value: kind }, name)));
kindChosen();
byId('form').addEventListener('submit', generate);
byId('cancel').addEventListener('click', () => going?.abort());
byId('model').addEventListener('change', modelChosen);
byId('example').addEventListener('change', exampleChosen);
byId('service').addEventListener('change', serviceChosen);
byId('kind').addEventListener('change', kindChosen);
byId('add').addEventListener('click', () => { addChip(); byId('phrase').focus(); });
byId('length-kind').addEventListener('change', () => { lengthChanged(); changed(); });
for (const name of ['length', 'length-unit', 'n-best']) byId(name).addEventListener('input', changed);
byId('token').addEventListener('change', start);
byId('phrase').addEventListener('keydown', event => {
  if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey && byId('phrase').value.trim()) { event.preventDefault(); addChip(); }
  if (event.key === 'Backspace' && !byId('phrase').value) chips.removeLast();
});
document.addEventListener('keydown', event => {
  if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) generate(event);
  if (event.key === 'Escape') going?.abort();
});
addEventListener('hashchange', () => { const wanted = linked(); if (wanted) showAsked(wanted); });
await start();
