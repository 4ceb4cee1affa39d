// A text with its constraints in colour and what is invented underlined.
import { made } from './dom.js';

const COLOURS = 8;

// By constraint: the class of its colour; those without a place in either text have none.
export function colours(constraints, others = []) {
  let next = 0;
  return constraints.map((each, place) =>
    each.spans.length || others[place]?.spans.length ? `cd-c${next++ % COLOURS}` : '');
}

// Spans count code points, as Python does; JavaScript's strings count UTF-16 units.
export function marked(text, constraints, classes, invented = []) {
  const letters = Array.from(text);
  const look = letters.map(() => '');
  constraints.forEach((each, place) => each.spans.forEach(([begin, end]) => look.fill(`mark ${classes[place]} ${begin}`, begin, end)));
  invented.forEach(([begin, end]) => look.fill(`invented ${begin}`, begin, end));
  const pieces = [];
  for (let begin = 0, end; begin < letters.length; begin = end) {
    for (end = begin + 1; end < letters.length && look[end] === look[begin]; end++);
    const piece = letters.slice(begin, end).join('');
    const [kind, colour] = look[begin].split(' ');
    if (kind === 'mark') pieces.push(made('mark', { class: colour }, piece));
    else if (kind === 'invented') pieces.push(made('span', { class: 'invented', title: 'neither a known word nor in the input' }, piece));
    else pieces.push(piece);
  }
  return pieces;
}
