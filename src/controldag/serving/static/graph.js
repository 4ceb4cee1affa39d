// The drawing of the graph: as wide as the page, all of it; what the pointer, a finger or the keyboard is on, beside it.
import { made } from './dom.js';

const BOX = 150, EDGE = 20; // as drawing/grid.py spaces them
const LARGEST = 1.2; // letters of 14 pixels are large enough

// So many columns of boxes fit into so many pixels, letters at their full size.
export const columnsFor = pixels => Math.max(2, Math.min(16, Math.floor((pixels - EDGE) / BOX)));

export function graphView(markup) {
  // picture.css has the rules of the style inside, which the page's policy would not allow.
  const plain = markup.replace(/<style>.*?<\/style>/s, '');
  const svg = document.importNode(new DOMParser().parseFromString(plain, 'image/svg+xml').documentElement, true);
  const { width } = svg.viewBox.baseVal;
  svg.removeAttribute('width');
  svg.removeAttribute('height');
  const box = made('div', { class: 'graph' }, svg);
  const tip = made('div', { class: 'tip', 'aria-hidden': 'true', hidden: '' });
  name(svg);
  let zoom = 1;
  const show = next => {
    zoom = Math.min(4, Math.max(0.4, next));
    svg.style.maxWidth = zoom === 1 ? `${LARGEST * width}px` : 'none';
    svg.style.width = zoom === 1 ? '' : `${zoom * Math.min(LARGEST * width, box.clientWidth)}px`;
  };
  show(1);
  const tools = made('div', { class: 'tools' });
  const tool = (sign, label, action) => {
    const button = made('button', { type: 'button', class: 'quiet', 'aria-label': label }, sign);
    button.addEventListener('click', action);
    tools.append(button);
  };
  tool('+', 'zoom in', () => show(zoom * 1.3));
  tool('−', 'zoom out', () => show(zoom / 1.3));
  tool('fit', 'show all of the graph', () => show(1));
  tools.append(made('span', { class: 'hint' }, 'Point at a box or a line, touch it, or go from box to box with Tab: what it stands for is shown beside it.'));
  explain(box, tip);
  drag(box);
  box.addEventListener('wheel', event => {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    show(zoom * Math.exp(-event.deltaY / 400));
  }, { passive: false });
  return [tools, box, tip];
}

// Boxes are things to stop at; a browser's own tooltips, which come late and never on touch, make way for ours.
function name(svg) {
  svg.setAttribute('role', 'group');
  svg.setAttribute('aria-label', svg.querySelector(':scope > title').textContent);
  for (const title of svg.querySelectorAll('title')) {
    const owner = title.parentNode;
    owner.dataset.about = title.textContent;
    title.remove();
    if (owner.localName !== 'g') continue;
    owner.setAttribute('role', 'img');
    owner.setAttribute('aria-label', owner.dataset.about);
    owner.setAttribute('tabindex', '0');
  }
  delete svg.dataset.about;
}

function explain(box, tip) {
  const tell = (target, x, y) => {
    const about = target.closest?.('[data-about]')?.dataset.about;
    tip.hidden = !about;
    if (!about) return;
    tip.textContent = about;
    const { width, height } = tip.getBoundingClientRect();
    const room = document.documentElement.clientWidth - width - 8;
    tip.style.left = `${Math.max(8, x + 14 <= room ? x + 14 : Math.min(room, x - width - 14))}px`;
    tip.style.top = `${y + 18 + height > innerHeight ? y - height - 12 : y + 18}px`;
  };
  const beside = target => {
    const { left, bottom, width } = target.getBoundingClientRect();
    tell(target, left + width / 2 - 14, bottom - 12);
  };
  box.addEventListener('pointermove', event => { if (event.pointerType !== 'touch') tell(event.target, event.clientX, event.clientY); });
  box.addEventListener('pointerleave', event => { if (event.pointerType !== 'touch') tip.hidden = true; });
  box.addEventListener('click', event => tell(event.target, event.clientX, event.clientY));
  box.addEventListener('focusin', event => { if (event.target.matches(':focus-visible')) beside(event.target); });
  box.addEventListener('focusout', () => { tip.hidden = true; });
  addEventListener('scroll', () => { tip.hidden = true; }, { passive: true });
}

// A mouse drags what is larger than its box; fingers scroll of themselves.
function drag(box) {
  let held = null;
  box.addEventListener('pointerdown', event => { if (event.pointerType === 'mouse') held = [event.clientX, event.clientY]; });
  addEventListener('pointerup', () => { held = null; });
  box.addEventListener('pointermove', event => {
    if (!held) return;
    box.scrollBy(held[0] - event.clientX, held[1] - event.clientY);
    held = [event.clientX, event.clientY];
  });
}
