// What to say, as fields (a row for each act or triple) or as text, one a line.
import { actInWords, hasSlot, hasValue, ownSlot, readAct, readTriple, slotInWords, writeAct, writeTriple } from './acts.js';
import { byId, made } from './dom.js';

const TRIPLE = ['subject', 'relation', 'object'];
const NO_SERVICE = { name: '', acts: [], slots: [], intents: [] };

export class Rows {
  constructor(changed) {
    this.changed = changed;
    this.task = 'acts';
    this.service = NO_SERVICE;
    this.rows = [];
    this.text = false;
    byId('add-row').addEventListener('click', () => { this.add(); });
    byId('as-text').addEventListener('click', () => { this.show(this.lines(), !this.text); });
    byId('input').addEventListener('input', changed);
  }

  lines() {
    if (this.text) return byId('input').value.split('\n').map(line => line.trim()).filter(Boolean);
    const write = this.task === 'acts' ? writeAct : writeTriple;
    return this.rows.map(write);
  }

  use(task, service) {
    this.task = task;
    this.service = service ?? NO_SERVICE;
  }

  // As fields, unless text is wanted or a line cannot be read.
  show(lines, text = this.text) {
    const rows = lines.map(this.task === 'acts' ? readAct : readTriple);
    this.text = text || rows.includes(null);
    this.rows = this.text ? [] : rows;
    byId('input').value = this.text ? lines.join('\n') : '';
    byId('input-label').textContent = this.task === 'acts' ? 'One act a line: OFFER(city=San Jose)' : 'One triple a line: subject | relation | object';
    byId('text-row').hidden = !this.text;
    byId('rows').hidden = byId('adding-rows').hidden = this.text;
    byId('as-text').setAttribute('aria-pressed', String(this.text));
    this.draw();
  }

  add(slot) {
    if (this.text) this.show(this.lines(), false);
    if (this.text) return;
    const act = this.rows.at(-1)?.act;
    const fresh = this.task === 'acts'
      ? { act: act && hasValue(act) && !ownSlot(act) ? act : 'OFFER', slot: slot ?? this.unused(), value: '' }
      : { subject: this.rows.at(-1)?.subject ?? '', relation: '', object: '' };
    this.rows.push(fresh);
    this.draw();
    byId('rows').lastElementChild.querySelector('input:placeholder-shown, input')?.focus();
    this.changed();
  }

  unused() {
    const names = this.service.slots.map(each => each.name);
    return names.find(name => !this.rows.some(row => row.slot === name)) ?? names[0] ?? '';
  }

  remove(place) {
    this.rows.splice(place, 1);
    this.draw();
    (byId('rows').children[Math.min(place, this.rows.length - 1)]?.querySelector('.remove') ?? byId('add-row')).focus();
    this.changed();
  }

  draw() {
    byId('rows').replaceChildren(...this.rows.map((row, place) => {
      const fields = this.task === 'acts' ? this.actFields(row, place) : TRIPLE.map(name => this.input(row, name, name));
      const remove = made('button', { type: 'button', class: 'remove quiet', 'aria-label': `remove row ${place + 1}` }, '×');
      remove.addEventListener('click', () => this.remove(place));
      return made('li', { class: this.task === 'acts' ? 'act' : 'triple' }, ...fields, remove);
    }));
  }

  actFields(row, place) {
    const fields = [this.select(row, 'act', 'act', this.acts(row.act), () => {
      row.slot = hasSlot(row.act) ? ownSlot(row.act) ?? (row.slot === 'count' || row.slot === 'intent' ? this.unused() : row.slot || this.unused()) : '';
      if (!hasValue(row.act)) row.value = '';
      this.redraw(place, 'act');
    })];
    if (hasSlot(row.act) || row.slot) fields.push(this.select(row, 'slot', 'slot', this.slots(row), () => { row.value = ''; this.redraw(place, 'slot'); }));
    if (hasValue(row.act) || row.value) fields.push(this.value(row, place));
    return fields;
  }

  redraw(place, name) {
    this.draw();
    byId('rows').children[place].querySelector(`.${name}`)?.focus();
  }

  acts(present) {
    const names = this.service.acts.includes(present) ? this.service.acts : [present, ...this.service.acts];
    return names.map(name => [name, actInWords(name)]);
  }

  slots(row) {
    const known = this.service.slots.map(({ name, description }) => [name, `${slotInWords(name)}: ${description}`]);
    if (ownSlot(row.act)) return [[row.slot, row.slot]];
    return known.some(([name]) => name === row.slot) ? known : [[row.slot, row.slot ? `${row.slot} (not of this service)` : 'no slot'], ...known];
  }

  value(row, place) {
    const slot = this.service.slots.find(each => each.name === row.slot);
    const values = row.slot === 'intent' ? this.service.intents.map(each => each.name) : slot?.possible_values ?? [];
    const about = slot?.description ?? (slotInWords(row.slot) || 'value');
    const field = this.input(row, 'value', about, values.length ? values.slice(0, 3).join(', ') : about);
    if (!values.length) return field;
    field.setAttribute('list', `values-${place}`);
    return made('span', { class: 'value' }, field, made('datalist', { id: `values-${place}` }, ...values.map(value => made('option', { value }))));
  }

  input(row, name, about, hint = about) {
    const field = made('input', { class: name, 'aria-label': about, placeholder: hint, autocomplete: 'off', spellcheck: 'false' });
    field.value = row[name];
    field.addEventListener('input', () => { row[name] = field.value; this.changed(); });
    return field;
  }

  select(row, name, about, options, then) {
    const field = made('select', { class: name, 'aria-label': about }, ...options.map(([value, words]) => made('option', { value }, words)));
    field.value = row[name];
    field.addEventListener('change', () => { row[name] = field.value; then(); this.changed(); });
    return field;
  }
}
