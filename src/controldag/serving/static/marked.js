// A text with the places of its parts in colour and what is invented underlined.
import { made } from './dom.js';

const COLOURS = 8;

export const colour = place => `cd-c${place % COLOURS}`;

// Spans count code points, as Python does; JavaScript's strings count UTF-16 units.
export const slice = (text, [begin, end]) => Array.from(text).slice(begin, end).join('');

// `parts`: each with `spans` and `colour`, or `good` false where they are said wrongly; of two that overlap, the first shows.
export function marked(text, parts, invented = []) {
  const letters = Array.from(text);
  const look = letters.map(() => '');
  for (const { spans, colour: name, good } of [...parts].reverse()) {
    for (const [begin, end] of spans) look.fill(`mark ${good ? name : 'wrong'} ${begin}`, begin, end);
  }
  for (const [begin, end] of invented) look.fill(`invented ${begin}`, begin, end);
  const pieces = [];
  for (let begin = 0, end; begin < letters.length; begin = end) {
    for (end = begin + 1; end < letters.length && look[end] === look[begin]; end++);
    const piece = letters.slice(begin, end).join('');
    const [kind, name] = look[begin].split(' ');
    if (kind === 'mark') pieces.push(made('mark', { class: name }, made('span', {}, piece)));
    else if (kind === 'invented') pieces.push(made('span', { class: 'invented', title: 'neither a known word nor in the input' }, piece));
    else pieces.push(piece);
  }
  return pieces;
}
