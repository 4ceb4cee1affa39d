// The constraints a person has put together: a list of chips, each with a button to remove it.
import { made } from './dom.js';
import { quoted } from './labels.js';

const NAMES = { must: 'must', must_any: 'any of', must_not: 'must not', pattern: 'pattern' };
// How the service names them in a conflict.
const LABELS = {
  must: value => [`contains(${quoted(value)})`],
  must_any: value => [`any_of(${parts(value).map(quoted).join(', ')})`],
  must_not: value => [`~contains(${quoted(value)})`],
  pattern: value => [`pattern(${quoted(value)})`],
};

const parts = value => value.split('|').map(part => part.trim()).filter(Boolean);

export class Chips {
  constructor(list, changed) {
    this.list = list;
    this.changed = changed;
    this.chips = [];
  }

  add(kind, text) {
    const value = text.trim();
    if (!value || this.chips.some(chip => chip.kind === kind && chip.value === value)) return;
    this.chips.push({ kind, value });
    this.show();
  }

  remove(place) {
    this.chips.splice(place, 1);
    this.show();
    const buttons = this.list.querySelectorAll('button');
    if (buttons.length) buttons[Math.min(place, buttons.length - 1)].focus();
    else this.changed();
  }

  removeLast() {
    if (this.chips.length) this.chips.pop();
    this.show();
  }

  replace(item) {
    this.chips = [];
    for (const kind of Object.keys(NAMES)) {
      for (const value of item[kind] || []) this.chips.push({ kind, value: Array.isArray(value) ? value.join(' | ') : value });
    }
    this.show();
  }

  // As the fields of an item.
  wishes() {
    const found = {};
    for (const { kind, value } of this.chips) (found[kind] ??= []).push(kind === 'must_any' ? parts(value) : value);
    return found;
  }

  show(conflict = []) {
    this.list.replaceChildren(...this.chips.map(({ kind, value }, place) => {
      const remove = made('button', { type: 'button', 'aria-label': `remove ${NAMES[kind]}: ${value}` }, '×');
      remove.addEventListener('click', () => this.remove(place));
      remove.addEventListener('keydown', event => {
        if (event.key === 'Delete' || event.key === 'Backspace') { event.preventDefault(); this.remove(place); }
      });
      const clashes = LABELS[kind](value).some(label => conflict.includes(label));
      return made('li', { class: clashes && 'conflict' },
        made('span', { class: 'what' }, NAMES[kind]), made('span', { class: 'value' }, value), remove);
    }));
  }
}
