// Where a text is from, and what the verifier says of each act or triple.
import { made } from './dom.js';

const ORIGINS = {
  graph: 'from the graph',
  clauses: 'from the graph, act by act',
  templates: 'from templates',
  plain: 'said plainly',
};
const VERDICTS = { said: 'said', wrong: 'said wrongly', missing: 'not said' };
const percent = probability => `${Math.round(100 * probability)} %`;

// A line with the origin; below it, where a verifier was asked, one for each act and one for the text as a whole.
export function evidence(result) {
  const origin = ORIGINS[result.origin] ?? result.origin;
  if (result.verified === null) return [made('p', { class: 'origin faint' }, `${origin}, meaning not checked`)];
  const verified = result.verified ? 'verified' : 'not verified';
  const lines = result.acts.map(each => line(each.verdict === 'said',
    `${each.act}: ${VERDICTS[each.verdict] ?? each.verdict} (said rightly: ${percent(each.probability)})`));
  lines.push(made('li', { class: 'faint' }, whole(result)));
  return [
    made('p', { class: 'origin' }, `${origin}, `, made('span', { class: result.verified ? 'good' : 'bad' }, verified)),
    made('ul', { class: 'faults evidence', 'aria-label': 'what the verifier says' }, ...lines),
  ];
}

const line = (good, text) => made('li', { class: good ? 'good' : 'bad' }, `${good ? '✓' : '✗'} ${text}`);

function whole({ nothing_else: nothingElse, whole_english: wholeEnglish }) {
  const parts = [['nothing else is said', nothingElse], ['whole English', wholeEnglish]].filter(([, sure]) => sure !== null);
  return parts.map(([what, sure]) => `${what}: ${percent(sure)}`).join(', ');
}
