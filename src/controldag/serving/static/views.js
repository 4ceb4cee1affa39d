// What an answer looks like: our text with its evidence, what others say, graph, more texts, time.
import { made, table } from './dom.js';
import { evidence, faults, partsOf } from './evidence.js';
import { graphView } from './graph.js';
import { marked } from './marked.js';

const ORIGINS = {
  graph: 'from the model’s graph',
  clauses: 'from the graph, act by act',
  templates: 'from your templates',
  plain: 'said plainly',
};
const DECODERS = {
  cascade: 'Control-DAG',
  'control-dag': 'Control-DAG before the verifier',
  greedy: 'greedy: the model alone',
  viterbi: 'Viterbi: the likeliest path',
  'cbs-dag': 'constrained beam search',
};
export const COMPARED = ['viterbi', 'cbs-dag'];
const named = decoder => DECODERS[decoder] ?? decoder;

export function answer(laid, actions) {
  const { result } = laid;
  const parts = partsOf(result, laid.graph.strips);
  return made('article', { class: 'card hero', id: 'ours' },
    made('div', { class: 'heading' },
      made('h2', {}, named(result.decoder)),
      made('span', { class: 'pill origin' }, ORIGINS[result.origin] ?? result.origin), seal(result.verified),
      made('div', { class: 'actions' }, ...actions)),
    made('p', { class: 'said' }, ...marked(result.text, parts)),
    ...result.warnings.map(text => made('p', { class: 'warning' }, text)),
    evidence(result, parts));
}

function seal(verified) {
  if (verified === null) return made('span', { class: 'pill plain' }, 'meaning not checked');
  return made('span', { class: `pill ${verified ? 'good' : 'bad'}` }, verified ? '✓ verified' : '✗ not verified');
}

// Decoders that promise nothing, those with the same text together.
export function others(laid, { text: ours } = {}) {
  const { greedy } = laid;
  const said = [...laid.others];
  const place = said[0]?.decoder === 'control-dag' ? 1 : 0;
  said.splice(place, 0, ...(greedy ? [{ decoder: 'greedy', ...greedy }] : []));
  const byText = Map.groupBy(said, each => each.text);
  const cards = [...byText.values()].map(same => otherCard(same, laid.graph.strips, same[0].text === ours));
  if (!greedy) cards.unshift(made('article', { id: 'greedy' }, made('h3', {}, named('greedy')), made('p', { class: 'bad' }, 'nothing: its walk ends without a text')));
  return made('section', { class: 'card', id: 'others' }, made('h2', {}, 'What others say to the same input'), made('div', { class: 'cards' }, ...cards));
}

function otherCard(same, strips, isOurs) {
  const [first] = same;
  const parts = partsOf(first, strips);
  const wrong = faults(first, parts);
  const id = same.some(each => each.decoder === 'greedy') ? 'greedy' : null;
  const verdict = wrong.map(text => made('li', { class: 'bad' }, `✗ ${text}`));
  if (isOurs) verdict.push(made('li', { class: 'faint' }, 'the same text'));
  else if (!wrong.length) verdict.push(made('li', { class: 'faint' }, first.verified ? 'the verifier finds nothing wrong' : 'meaning not checked'));
  return made('article', { id },
    made('h3', {}, same.map(each => named(each.decoder)).join('; ')),
    made('p', { class: 'said' }, ...marked(first.text, parts, first.invented)),
    made('ul', { class: 'faults' }, ...verdict));
}

export function details(laid, texts) {
  const { result } = laid;
  const elsewhere = result.origin === 'graph' ? [] : [made('p', { class: 'faint' }, 'The text above is not a path of this graph: what the graph says was refused.')];
  // On a phone it is many screens long, and opened by who wants it.
  const graph = made('details', { class: 'card', id: 'graph', open: innerWidth > 860 && '' }, made('summary', {}, made('h2', {}, 'The graph that the model predicts')), ...elsewhere, ...graphView(laid.svg));
  return [
    graph,
    made('div', { class: 'cards' },
      ...(texts > 1 ? [made('section', { class: 'card' }, made('h2', {}, 'More texts'), made('div', { id: 'best' }, ...best(result)))] : []),
      made('section', { class: 'card' }, made('h2', {}, 'Where the milliseconds went'), times(result))),
  ];
}

export function best(result) {
  const rows = result.n_best.map((each, place) => made('tr', {},
    made('td', { class: 'number' }, String(place + 1)), made('td', {}, each.text), made('td', { class: 'number' }, each.cost.toFixed(2))));
  const notes = result.left_out.map(habit => made('p', { class: 'faint' }, `left out, for it took too long: ${habit}`));
  if (rows.length === 1) notes.push(made('p', { class: 'faint' }, 'There is no other that is accepted.'));
  return [table(['', 'text', 'cost'], rows), ...notes];
}

function times(result) {
  const stages = Object.entries(result.ms);
  const total = stages.reduce((sum, [, ms]) => sum + ms, 0) || 1;
  const rows = stages.map(([stage, ms]) => {
    const bar = made('span', { class: 'share' });
    bar.style.width = `${(100 * ms) / total}%`;
    return made('tr', {}, made('td', {}, stage), made('td', { class: 'number' }, `${ms.toFixed(1)} ms`), made('td', { class: 'wide' }, bar));
  });
  return table(['stage', `${total.toFixed(0)} ms in all`, 'share'], rows);
}
