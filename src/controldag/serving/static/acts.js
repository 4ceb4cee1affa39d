// Acts and triples: as people type them, as fields, and in words.
const ACT = /^([A-Za-z][A-Za-z0-9_]*)(?:\(\s*([A-Za-z][A-Za-z0-9_]*)?\s*(?:=(.*))?\))?$/s;
const WORDS = {
  OFFER: 'offer', INFORM: 'tell', CONFIRM: 'confirm', REQUEST: 'ask for', SELECT: 'choose',
  INFORM_COUNT: 'tell how many', OFFER_INTENT: 'offer to', INFORM_INTENT: 'want to',
  NOTIFY_SUCCESS: 'report success', NOTIFY_FAILURE: 'report failure', REQ_MORE: 'ask what else',
  AFFIRM: 'say yes', NEGATE: 'say no', GREETING: 'greet', GOODBYE: 'say goodbye', THANK_YOU: 'thank', WELCOME: 'say “welcome”',
};
// Acts about one slot of their own, and acts about none.
const OWN_SLOT = { INFORM_COUNT: 'count', OFFER_INTENT: 'intent', INFORM_INTENT: 'intent' };
const NO_SLOT = new Set(['NOTIFY_SUCCESS', 'NOTIFY_FAILURE', 'REQ_MORE', 'GOODBYE', 'BYE', 'GREETING', 'HELLO', 'THANK_YOU', 'WELCOME']);

export const actInWords = act => WORDS[act] ?? act;
export const slotInWords = slot => slot.replaceAll('_', ' ');
export const ownSlot = act => OWN_SLOT[act];
export const hasSlot = act => !NO_SLOT.has(act);
export const hasValue = act => hasSlot(act) && act !== 'REQUEST';

// Values stay as typed, escapes and all: the service reads them. Null where the line is no act.
export function readAct(line) {
  const found = ACT.exec(line.trim());
  return found && { act: found[1], slot: found[2] ?? '', value: (found[3] ?? '').trim() };
}

export function writeAct({ act, slot, value }) {
  if (value.trim()) return `${act}(${slot}=${value.trim()})`;
  return slot ? `${act}(${slot})` : act;
}

export function readTriple(line) {
  const parts = line.split(/(?<!\\)\|/).map(part => part.trim());
  return parts.length === 3 ? { subject: parts[0], relation: parts[1], object: parts[2] } : null;
}

export const writeTriple = ({ subject, relation, object }) => [subject, relation, object].map(part => part.trim()).join(' | ');

const parts = text => text.split(/\s*(?<!\\)\|\s*/).map(part => part.replace(/\\\|/g, '|').trim());

// The values of an act, or all of a triple.
export const valuesOf = line => parts(readAct(line)?.value ?? line);

// “offer price $317”; what is no act is a triple.
export function inWords(line) {
  const found = readAct(line);
  if (!found) return parts(line).join(' · ');
  const slot = found.slot === ownSlot(found.act) ? '' : slotInWords(found.slot);
  return [actInWords(found.act), slot, parts(found.value).join(', ')].filter(Boolean).join(' ');
}
