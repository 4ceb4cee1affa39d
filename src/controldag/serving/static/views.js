// What an inspection looks like: both texts, evidence, constraints, graph, n-best, time.
import { made, section, table } from './dom.js';
import { colours, marked } from './marked.js';
import { graphView } from './graph.js';
import { demand, fault } from './labels.js';
import { evidence } from './evidence.js';

export function pair(laid) {
  const { result, greedy } = laid;
  const classes = colours(result.constraints, greedy?.constraints);
  return made('div', { class: 'pair' }, greedyCard(greedy, classes), oursCard(result, classes));
}

export function greedyCard(greedy, classes) {
  const card = made('article', { class: 'card', id: 'greedy' }, made('h2', {}, 'greedy: the model alone'));
  if (!greedy) {
    card.append(made('p', { class: 'said bad' }, 'nothing: its walk ends without a text'));
    return card;
  }
  const invented = greedy.invented.map(([begin, end]) => `invents “${Array.from(greedy.text).slice(begin, end).join('')}”`);
  card.append(
    made('p', { class: 'said' }, ...marked(greedy.text, greedy.constraints, classes, greedy.invented)),
    ...evidence({ ...greedy, origin: 'graph' }),
    verdict(greedy, invented));
  return card;
}

// What is wrong with a text; a tick only where the verifier finds nothing either.
function verdict({ constraints, verified }, others = []) {
  const faults = [...constraints.filter(each => !each.satisfied).map(each => fault(each.label)), ...others];
  const lines = faults.map(text => made('li', { class: 'bad' }, `✗ ${text}`));
  const held = constraints.length === 1 ? 'the constraint holds' : `all ${constraints.length} constraints hold`;
  const good = verified ? made('li', { class: 'good' }, `✓ ${held}`) : made('li', { class: 'faint' }, held);
  return made('ul', { class: 'faults' }, ...(lines.length || !constraints.length ? lines : [good]));
}

function oursCard(result, classes) {
  return made('article', { class: 'card ours', id: 'ours' }, made('h2', {}, result.decoder),
    made('p', { class: 'said' }, ...marked(result.text, result.constraints, classes)),
    ...result.warnings.map(text => made('p', { class: 'bad' }, text)),
    ...evidence(result),
    verdict(result));
}

export function details(laid, texts) {
  const { result, greedy } = laid;
  return [
    section('The graph', ...graphView(laid.svg)),
    section('Constraints', constraints(result, greedy)),
    ...(texts > 1 ? [section('The best texts', made('div', { id: 'best' }, ...best(result)))] : []),
    section('Where the milliseconds went', times(result)),
  ];
}

function constraints(result, greedy) {
  const classes = colours(result.constraints, greedy?.constraints);
  const cell = good => made('td', { class: good ? 'good' : 'bad' }, good ? 'holds' : 'broken');
  return table(['constraint', result.decoder, 'greedy'], result.constraints.map((each, place) => made('tr', {},
    made('td', {}, made('span', { class: classes[place] || 'cd-grey', 'aria-hidden': 'true' }, '● '), demand(each.label)),
    cell(each.satisfied), greedy ? cell(greedy.constraints[place].satisfied) : made('td', {}, '–'))));
}

export function best(result) {
  const rows = result.n_best.map((each, place) => made('tr', {},
    made('td', { class: 'number' }, String(place + 1)), made('td', {}, each.text),
    made('td', { class: 'number' }, each.cost.toFixed(3)), made('td', { class: 'number' }, each.objective.toFixed(3))));
  const notes = result.left_out.map(habit => made('p', { class: 'faint' }, `left out, for it took too long: ${habit}`));
  return [table(['', 'text', 'cost', 'objective'], rows), ...notes];
}

function times(result) {
  const stages = Object.entries(result.ms);
  const total = stages.reduce((sum, [, ms]) => sum + ms, 0) || 1;
  const rows = stages.map(([stage, ms]) => {
    const bar = made('span', { class: 'share' });
    bar.style.width = `${(100 * ms) / total}%`;
    return made('tr', {}, made('td', {}, stage), made('td', { class: 'number' }, `${ms.toFixed(2)} ms`), made('td', { class: 'wide' }, bar));
  });
  return table(['stage', `${total.toFixed(1)} ms`, 'share'], rows);
}
