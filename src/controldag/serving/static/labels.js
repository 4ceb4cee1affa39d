// Constraints in words. The service names them as Python writes them: contains('San Jose').
export function quoted(text) {
  const escaped = text.replaceAll('\\', '\\\\');
  return text.includes("'") && !text.includes('"') ? `"${escaped}"` : `'${escaped.replaceAll("'", "\\'")}'`;
}

const FORMS = [
  [/^contains\((['"])(.*)\1.*\)$/s, 'say', 'does not say'],
  [/^~contains\((['"])(.*)\1.*\)$/s, 'not say', 'says'],
  [/^pattern\((['"])(.*)\1.*\)$/s, 'match', 'does not match'],
];
const LENGTH = /^(length|words)\((=)?(\d+)(-)?(\d+)?\)$/;
const UNITS = { length: 'tokens', words: 'words' };

// What the constraint asks for: “say San Jose”.
export function demand(label) {
  return inWords(label, 1) ?? size(label, 'have') ?? (label.startsWith('vocabulary(') ? 'use known words, and names and numbers of the input, only' : label);
}

// What a text does that breaks it.
export function fault(label) {
  return inWords(label, 2) ?? size(label, 'does not have') ?? (label.startsWith('vocabulary(') ? 'uses an unknown word, name or number' : `breaks ${label}`);
}

function inWords(label, column) {
  for (const form of FORMS) {
    const found = form[0].exec(label);
    if (found) return `${form[column]} “${found[2].replace(/\\(.)/g, '$1')}”`;
  }
  return null;
}

// length(=18), length(10-20), words(8-): “have 10 to 20 tokens”.
function size(label, verb) {
  const found = LENGTH.exec(label);
  if (!found) return null;
  const [, kind, exact, low, , high] = found;
  const bounds = exact ? `exactly ${low}` : !high ? `at least ${low}` : low === '1' ? `at most ${high}` : `${low} to ${high}`;
  return `${verb} ${bounds} ${UNITS[kind]}`;
}
