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
.cd-report .cd-graph { overflow-x: auto; }
.cd-report .cd-graph svg { display: block; max-width: max(100%, 900px); height: auto; }
.cd-report .cd-tip { position: fixed; max-width: 320px; padding: 6px 10px; border-radius: 6px; font-size: 13px;
  color: var(--page); background: var(--ink); pointer-events: none; }
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
  const svg = box.querySelector('svg'), width = svg.clientWidth;
  const tools = document.createElement('div'), tip = document.createElement('div');
  let scale = 1;
  const show = next => {
    scale = Math.min(4, Math.max(0.2, next));
    svg.style.maxWidth = scale === 1 ? '' : 'none';
    svg.style.width = scale === 1 ? '' : scale * width + 'px';
  };
  const add = (name, action) => {
    const button = document.createElement('button');
    button.textContent = name; button.addEventListener('click', action); tools.append(button);
  };
  tools.className = 'cd-tools'; tip.className = 'cd-tip'; tip.hidden = true;
  add('+', () => show(1.25 * scale));
  add('\\u2212', () => show(scale / 1.25));
  add('fit', () => show(1));
  tools.append('point at a box or a line, or touch it, to see what it stands for');
  box.before(tools);
  box.after(tip);
  svg.querySelectorAll('title').forEach(title => {
    title.parentNode.dataset.about = title.textContent;
    if (title.parentNode !== svg) title.remove();
  });
  const tell = event => {
    const found = event.target.closest('[data-about]');
    tip.hidden = !found || found === svg;
    if (tip.hidden) return;
    tip.textContent = found.dataset.about;
    tip.style.left = Math.max(8, Math.min(event.clientX + 14, innerWidth - tip.offsetWidth - 8)) + 'px';
    tip.style.top = event.clientY + 18 + 'px';
  };
  box.addEventListener('pointermove', tell);
  box.addEventListener('click', tell);
  box.addEventListener('pointerleave', event => { tip.hidden = event.pointerType !== 'touch'; });
  addEventListener('scroll', () => { tip.hidden = true; });
});
"""
