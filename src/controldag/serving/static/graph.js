// The drawing of the graph: zoom, drag, and what the pointer or the keyboard is on, in words.
import { made } from './dom.js';

export function graphView(markup) {
  // picture.css has the rules of the style inside, which the page's policy would not allow.
  const plain = markup.replace(/<style>.*?<\/style>/s, '');
  const svg = document.importNode(new DOMParser().parseFromString(plain, 'image/svg+xml').documentElement, true);
  const { width, height } = svg.viewBox.baseVal;
  svg.removeAttribute('width');
  svg.removeAttribute('height');
  svg.setAttribute('preserveAspectRatio', 'xMinYMin meet');
  const box = made('div', { class: 'graph' }, svg);
  const about = made('p', { class: 'about', 'aria-live': 'polite' }, 'Point at a box or a line to see its probability; Tab goes from box to box.');
  // Scale 1 shows the whole width; letters must stay readable on a phone.
  let left = 0, top = 0, scale = 1, held = null;
  const shape = () => box.clientHeight / Math.max(1, box.clientWidth);
  const show = () => svg.setAttribute('viewBox', `${left} ${top} ${width / scale} ${(width / scale) * shape()}`);
  const reset = to => { left = top = 0; scale = to; show(); };
  const zoom = (factor, x = 0.5, y = 0.3) => {
    const next = Math.min(8, Math.max(0.2, scale * factor));
    left += (width / scale - width / next) * x;
    top += (width / scale - width / next) * shape() * y;
    scale = next;
    show();
  };
  const tools = made('div', { class: 'tools' });
  const tool = (name, label, action) => {
    const button = made('button', { type: 'button', 'aria-label': label }, name);
    button.addEventListener('click', action);
    tools.append(button);
  };
  tool('+', 'zoom in', () => zoom(1.3));
  tool('−', 'zoom out', () => zoom(1 / 1.3));
  tool('all', 'show all of the graph', () => reset(Math.min(1, (width * shape()) / height)));
  tools.append(made('span', { class: 'hint' }, 'drag to move, Ctrl and wheel to zoom'));
  box.addEventListener('wheel', event => {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    const frame = box.getBoundingClientRect();
    zoom(Math.exp(-event.deltaY / 400), (event.clientX - frame.left) / frame.width, (event.clientY - frame.top) / frame.height);
  }, { passive: false });
  box.addEventListener('pointerdown', event => { held = [event.clientX, event.clientY]; box.setPointerCapture(event.pointerId); });
  box.addEventListener('pointerup', () => { held = null; });
  box.addEventListener('pointermove', event => {
    tell(event.target);
    if (!held) return;
    const unit = width / scale / Math.max(1, box.clientWidth);
    left -= (event.clientX - held[0]) * unit;
    top -= (event.clientY - held[1]) * unit;
    held = [event.clientX, event.clientY];
    show();
  });
  const tell = target => {
    const title = target.closest('g, path')?.querySelector(':scope > title');
    if (title) about.textContent = title.textContent;
  };
  for (const group of svg.querySelectorAll('g:has(> title)')) {
    group.setAttribute('tabindex', '0');
    group.addEventListener('focus', () => tell(group));
  }
  new ResizeObserver(() => show()).observe(box);
  requestAnimationFrame(() => reset(Math.max(1, width / Math.max(1, 1.9 * box.clientWidth))));
  return [tools, box, about];
}
