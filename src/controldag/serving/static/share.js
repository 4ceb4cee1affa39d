// Taking it elsewhere: the text, a link to this very question, and the question as a curl command.
import { made } from './dom.js';

export const linkTo = asked => `${location.origin}${location.pathname}#${encodeURIComponent(JSON.stringify(asked))}`;

// What the address asks for; null where it asks for nothing that can be read.
export function linked() {
  try {
    const asked = JSON.parse(decodeURIComponent(location.hash.slice(1)));
    return typeof asked.item === 'object' ? asked : null;
  } catch {
    return null;
  }
}

const quoted = text => `'${text.replaceAll("'", "'\\''")}'`;

export function curl({ model, item }, guarded) {
  const headers = ["-H 'Content-Type: application/json'", ...(guarded ? ['-H "Authorization: Bearer $CONTROLDAG_TOKEN"'] : [])];
  return [`curl -s ${location.origin}/v1/generate`, ...headers, `-d ${quoted(JSON.stringify({ model, items: [item] }))}`].join(' \\\n  ');
}

// Buttons to copy; `code` gives the command, which is shown as well.
export function actions(text, asked, guarded, copied) {
  const button = (name, what, action) => {
    const made_ = made('button', { type: 'button', class: 'quiet', title: what }, name);
    made_.addEventListener('click', action);
    return made_;
  };
  const command = curl(asked, guarded);
  const shown = made('pre', { id: 'curl', tabindex: '0', 'aria-label': 'as a curl command', hidden: '' }, command);
  const copy = async (what, name) => copied(await copyText(what) ? `${name} copied` : `${name}: your browser does not let pages copy`);
  const code = button('curl', 'the same from a terminal', () => {
    shown.hidden = !shown.hidden;
    code.setAttribute('aria-expanded', String(!shown.hidden));
    if (!shown.hidden) copy(command, 'command');
  });
  code.setAttribute('aria-expanded', 'false');
  return [[
    button('copy text', 'copy the text', () => copy(text, 'text')),
    button('copy link', 'copy a link to this question', () => copy(linkTo(asked), 'link')),
    code,
  ], shown];
}

// Pages that are not served over TLS or from this machine have no clipboard of their own.
async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const field = made('textarea', { class: 'skip' }, text);
    document.body.append(field);
    field.select();
    const done = document.execCommand('copy');
    field.remove();
    return done;
  }
}
