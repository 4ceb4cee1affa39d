"""Style and script of the page: constants, so that no text of a user ever gets into them."""

from __future__ import annotations

STYLE = """
.cd-report { --ink: #16202c; --faint: #5c6876; --page: #ffffff; --soft: #f3f5f8; --line: #d5dae1; --good: #1f7a4d;
  --bad: #b3261e; --accent: #2f6db3; font: 15px/1.5 system-ui, "Segoe UI", "DejaVu Sans", sans-serif;
  color: var(--ink); background: var(--page); max-width: 1240px; margin: 0 auto; padding: 24px; }
@media (prefers-color-scheme: dark) {
  .cd-report { --ink: #f0f4f8; --faint: #a5b1bf; --page: #10161d; --soft: #1a222c; --line: #303a46; --good: #5fd08f;
    --bad: #ff8a80; --accent: #6aa9ee; }
  body:has(> .cd-report) { background: #10161d; }
}
.cd-report h1 { font-size: 26px; line-height: 1.35; font-weight: 600; margin: 0 0 16px; overflow-wrap: anywhere; }
.cd-report h2 { font-size: 17px; margin: 32px 0 8px; }
.cd-report .cd-over { color: var(--faint); font-size: 13px; margin: 0; }
.cd-report .cd-input { font-family: ui-monospace, "DejaVu Sans Mono", monospace; font-size: 13px; margin: 0 0 16px;
  overflow-wrap: anywhere; max-height: 12em; overflow: auto; }
.cd-report .cd-origin { margin: -8px 0 16px; }
.cd-report .cd-said { margin: 0 0 16px; overflow-wrap: anywhere; }
.cd-report mark { background: rgb(127 127 127 / 16%);
  background: color-mix(in srgb, currentColor 14%, transparent); border-bottom: 2px solid;
  border-radius: 3px; padding: 0 2px; }
.cd-report .cd-figures { display: flex; flex-wrap: wrap; gap: 8px 32px; margin: 0; padding: 12px 16px;
  background: var(--soft); border-radius: 10px; }
.cd-report .cd-figures dt { color: var(--faint); font-size: 13px; }
.cd-report .cd-figures dd { margin: 0; font-size: 18px; font-variant-numeric: tabular-nums; }
.cd-report .cd-graph { overflow: auto; max-height: 80vh; }
.cd-report .cd-graph svg { display: block; }
.cd-report .cd-graph.cd-live { overflow: hidden; cursor: grab; touch-action: none; }
.cd-report .cd-tools { display: flex; gap: 6px; align-items: center; margin-bottom: 6px; color: var(--faint);
  font-size: 13px; }
.cd-report .cd-tools button { font: inherit; color: var(--ink); background: var(--soft); cursor: pointer;
  border: 1px solid var(--line); border-radius: 6px; padding: 2px 10px; }
.cd-report .cd-scroll { overflow-x: auto; }
.cd-report table { border-collapse: collapse; width: 100%; }
.cd-report th { text-align: left; font-weight: 500; font-size: 13px; color: var(--faint); }
.cd-report th, .cd-report td { padding: 5px 16px 5px 0; border-bottom: 1px solid var(--line); vertical-align: top;
  overflow-wrap: anywhere; }
.cd-report .cd-number { font-variant-numeric: tabular-nums; white-space: nowrap; }
.cd-report .cd-wide { width: 60%; }
.cd-report .cd-share { display: inline-block; height: 10px; min-width: 1px; border-radius: 3px;
  background: var(--accent); }
.cd-report .cd-good { color: var(--good); }
.cd-report .cd-broken { color: var(--bad); font-weight: 600; }
"""

SCRIPT = """
document.querySelectorAll('.cd-graph').forEach(box => {
  const svg = box.querySelector('svg'), whole = svg.viewBox.baseVal;
  const width = whole.width, height = whole.height;
  let scale = 1, left = 0, top = 0, held = null;
  box.classList.add('cd-live');
  svg.setAttribute('width', '100%');
  const show = () => {
    const room = svg.clientWidth || 1100;
    svg.setAttribute('viewBox', [left, top, room / scale, height / scale].join(' '));
  };
  const zoom = (factor, x, y) => {
    const next = Math.min(4, Math.max(0.1, scale * factor));
    left += x / scale - x / next; top += y / scale - y / next; scale = next; show();
  };
  const fit = () => { left = top = 0; scale = Math.min(1, svg.clientWidth / width); show(); };
  const tools = document.createElement('div');
  tools.className = 'cd-tools';
  const add = (name, action) => {
    const button = document.createElement('button');
    button.textContent = name; button.addEventListener('click', action); tools.append(button);
  };
  add('+', () => zoom(1.25, svg.clientWidth / 2, height / 2));
  add('\\u2212', () => zoom(0.8, svg.clientWidth / 2, height / 2));
  add('all', fit);
  add('1:1', () => { left = top = 0; scale = 1; show(); });
  tools.append('drag to move, Ctrl and wheel to zoom');
  box.before(tools);
  box.addEventListener('wheel', event => {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    const frame = svg.getBoundingClientRect();
    zoom(Math.exp(-event.deltaY / 400), event.clientX - frame.left, event.clientY - frame.top);
  }, { passive: false });
  box.addEventListener('pointerdown', event => { held = [event.clientX, event.clientY]; });
  addEventListener('pointerup', () => { held = null; });
  addEventListener('pointermove', event => {
    if (!held) return;
    left -= (event.clientX - held[0]) / scale; top -= (event.clientY - held[1]) / scale;
    held = [event.clientX, event.clientY]; show();
  });
  addEventListener('resize', show);
  show();
});
"""
