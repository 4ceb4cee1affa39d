// What a text says and satisfies, part by part: acts as the verifier judges them, then what was asked besides.
import { inWords, valuesOf } from './acts.js';
import { made } from './dom.js';
import { colour, slice } from './marked.js';

const VERDICTS = { said: 'said', wrong: 'said wrongly', missing: 'not said' };
const ICONS = { bad: '✗ ', good: '✓ ', plain: '' };
const percent = probability => `${Math.round(100 * probability)} %`;

// The parts of a judged text. Those of all texts for one input come in the same order and so have the same colours,
// which are those of the `strips` below the graph where there are such.
export function partsOf({ acts, constraints }, strips = []) {
  const said = acts.map(each => ({
    words: inWords(each.act), good: each.verdict === 'said', verdict: VERDICTS[each.verdict] ?? each.verdict,
    spans: each.places, sure: each.probability,
  }));
  const asked = constraints.filter(each => !isValue(each, acts) && !(isVocabulary(each) && each.satisfied)).map(each => ({
    words: `${each.granted === null ? 'must' : 'should'} ${each.words}`, good: each.satisfied, wish: each.granted !== null,
    verdict: each.granted === null ? (each.satisfied ? 'holds' : 'broken') : each.granted ? 'granted' : 'left out', spans: each.spans,
  }));
  const missing = constraints.filter(each => isValue(each, acts) && !each.satisfied).map(each => ({
    words: `must ${each.words} word for word`, good: false, verdict: 'broken', spans: [],
  }));
  return coloured([...said, ...asked, ...missing], strips.filter(strip => strip.colour !== null));
}

function coloured(parts, strips) {
  const waiting = [...strips];
  const taken = parts.map(({ words }) => {
    const place = waiting.findIndex(({ label }) => words.endsWith(label) || words.includes(phrase(label) ?? label));
    return place < 0 ? null : waiting.splice(place, 1)[0].colour;
  });
  let next = strips.length;
  return parts.map((part, place) => ({ ...part, colour: colour(taken[place] ?? next++) }));
}

const phrase = words => /^say “(.*)”$/s.exec(words)?.[1];

// Whether an act tells of it already: a value that is to be said word for word.
function isValue({ words }, acts) {
  return acts.some(({ act }) => valuesOf(act).includes(phrase(words)));
}

// Ticks are for texts that the verifier accepts: under another one they would promise too much.
export function evidence(judged, parts) {
  const trusted = judged.verified === true;
  const lines = parts.map(part => line({ ...part, where: part.spans.map(span => `“${slice(judged.text, span)}”`).join(', ') }, trusted));
  return made('ul', { class: 'evidence', 'aria-label': 'evidence' }, ...lines, whole(judged, trusted));
}

// Of the text as a whole.
function whole({ constraints, nothing_else: nothingElse, whole_english: english }, trusted) {
  const known = constraints.some(each => isVocabulary(each) && each.satisfied) ? 1 : null;
  const parts = [['nothing else is said', nothingElse], ['whole English', english], ['known words only', known]];
  return made('li', { class: 'whole' }, ...parts.filter(([, sure]) => sure !== null).map(([words, sure]) => {
    const state = trusted && sure > 0.5 ? 'good' : trusted || sure > 0.5 ? 'plain' : 'bad';
    return made('span', { class: state }, `${ICONS[state]}${words}`, made('span', { class: 'sure' }, sure === known ? '' : ` ${percent(sure)}`));
  }));
}

const isVocabulary = ({ label }) => label.startsWith('vocabulary(');

function line({ words, good, wish, verdict, spans, where, sure, colour: name }, trusted) {
  const state = !good ? 'bad' : trusted && verdict !== 'left out' ? 'good' : 'plain';
  return made('li', {},
    made('span', { class: `dot ${spans.length ? name : 'cd-grey'}`, 'aria-hidden': 'true' }),
    made('span', { class: 'words' }, words),
    made('span', { class: `verdict ${state}` }, `${ICONS[state]}${verdict}`, where && !wish ? made('span', { class: 'where' }, ` ${where}`) : ''),
    made('span', { class: 'sure', title: sure === undefined ? null : 'how sure the verifier is' }, sure === undefined ? '' : percent(sure)));
}

// What is wrong with a text, in words.
export function faults(judged, parts) {
  const found = parts.filter(part => !part.good && !part.wish).map(part => part.verdict === 'broken' ? part.words : `${part.verdict}: ${part.words}`);
  for (const place of judged.invented ?? []) found.push(`invents “${slice(judged.text, place)}”`);
  if (!found.length && judged.verified === false) found.push(doubt(judged));
  return found;
}

function doubt({ nothing_else: nothingElse, whole_english: whole }) {
  return nothingElse < whole ? 'says something that the input does not' : 'is not whole English';
}
