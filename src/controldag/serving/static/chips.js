// What a person asks of the text beside the input: a list of chips, each with a button to remove it.
import { made } from './dom.js';

const quote = text => `“${text}”`;
const parts = value => value.split('|').map(part => part.trim()).filter(Boolean);

// By field of an item: its name, a hint, whether a value is a group, and the demand as the service words it.
export const KINDS = {
  must: { name: 'must say', hint: 'a phrase, then Enter', words: value => `say ${quote(value)}` },
  must_any: { name: 'must say one of', hint: 'one | another', group: true, words: value => `say ${parts(value).map(quote).join(' or ')}` },
  must_not: { name: 'must not say', hint: 'a phrase, then Enter', words: value => `not say ${quote(value)}` },
  in_order: { name: 'in this order', hint: 'first | then', group: true, words: value => `say ${parts(value).map(quote).join(', then ')}` },
  prefer: { name: 'better with', hint: 'a phrase it may leave out', words: value => `say ${quote(value)}, if it can be` },
  pattern: { name: 'must match', hint: 'a pattern: [0-9]+ (am|pm)', words: value => `hold a match of ${value}` },
};

export class Chips {
  constructor(list, { emptied, changed }) {
    this.list = list;
    this.emptied = emptied;
    this.changed = changed;
    this.chips = [];
  }

  add(kind, text) {
    const value = text.trim();
    if (!value || this.chips.some(chip => chip.kind === kind && chip.value === value)) return;
    this.chips.push({ kind, value });
    this.show();
    this.changed();
  }

  remove(place) {
    this.chips.splice(place, 1);
    this.show();
    const buttons = this.list.querySelectorAll('button');
    if (buttons.length) buttons[Math.min(place, buttons.length - 1)].focus();
    else this.emptied();
    this.changed();
  }

  removeLast() {
    if (!this.chips.length) return;
    this.chips.pop();
    this.show();
    this.changed();
  }

  replace(item) {
    this.chips = Object.keys(KINDS).flatMap(kind =>
      (item[kind] ?? []).map(value => ({ kind, value: Array.isArray(value) ? value.join(' | ') : value })));
    this.show();
  }

  // As the fields of an item.
  wishes() {
    const found = {};
    for (const { kind, value } of this.chips) (found[kind] ??= []).push(KINDS[kind].group ? parts(value) : value);
    return found;
  }

  // `conflict`: demands in words that exclude each other.
  show(conflict = []) {
    this.list.replaceChildren(...this.chips.map(({ kind, value }, place) => {
      const { name, words } = KINDS[kind];
      const remove = made('button', { type: 'button', 'aria-label': `remove ${name}: ${value}` }, '×');
      remove.addEventListener('click', () => this.remove(place));
      remove.addEventListener('keydown', event => {
        if (event.key === 'Delete' || event.key === 'Backspace') { event.preventDefault(); this.remove(place); }
      });
      return made('li', { class: conflict.includes(words(value)) && 'conflict' },
        made('span', { class: 'what' }, name), made('span', { class: 'value' }, value), remove);
    }));
  }
}
