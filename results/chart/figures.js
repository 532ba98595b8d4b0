// ---- figures: the values of marks, under the pointer and by the arrow keys
(() => {
const box = document.createElement('div');
box.className = 'fig-tip';
box.setAttribute('role', 'status');
document.body.append(box);
let on = null;

// tell shows what a mark says beside it, and under that what marks at its place say.
function tell(mark, all = []) {
  if (on === mark) return;
  on?.classList.remove('on');
  on = mark;
  box.textContent = '';
  if (!mark) return;
  mark.classList.add('on');
  const says = [mark, ...all.filter(other => other !== mark && apart(mark, other) < 3)].map(one => one.dataset.say);
  const most = 8;
  box.textContent = says.slice(0, most).join('\n') + (says.length > most ? '\nand ' + (says.length - most) + ' more here' : '');
  place();
}
function place() {
  if (!on) return;
  const r = on.getBoundingClientRect(), b = box.getBoundingClientRect();
  const left = Math.max(4, Math.min(innerWidth - b.width - 4, r.left + r.width / 2 - b.width / 2));
  box.style.left = left + 'px';
  box.style.top = (r.top - b.height - 8 > 0 ? r.top - b.height - 8 : r.bottom + 8) + 'px';
}

// marksOf takes the titles of marks, which browsers would show a second time.
function marksOf(figure) {
  const marks = [...figure.querySelectorAll('.m, a')];
  for (const mark of marks) {
    const title = mark.querySelector('title');
    if (!title) continue;
    mark.dataset.say = title.textContent;
    mark.setAttribute('aria-label', title.textContent);
    title.remove();
  }
  return marks;
}
const apart = (a, b) => { const [x, y] = middle(a), [u, v] = middle(b); return Math.hypot(x - u, y - v); };
const middle = mark => { const r = mark.getBoundingClientRect(); return [r.left + r.width / 2, r.top + r.height / 2]; };

// next is the mark to which an arrow key goes from another.
function next(marks, from, way) {
  const forward = way[0] + way[1] > 0, ordered = forward ? marks : [...marks].reverse();
  const same = ordered.slice(ordered.indexOf(from) + 1).find(mark => apart(mark, from) <= 0.5);
  if (same) return same;
  const r = from.getBoundingClientRect(), [x, y] = middle(from);
  let to = from, least = Infinity;
  for (const mark of ordered) {
    const [a, b] = middle(mark), ahead = (a - x) * way[0] + (b - y) * way[1];
    if (ahead <= 0.5) continue;
    const s = mark.getBoundingClientRect(), half = way[0] ? (r.width + s.width) / 2 : (r.height + s.height) / 2;
    const cost = Math.max(0, ahead - half) + 2 * Math.abs((a - x) * way[1] + (b - y) * way[0]) + ahead / 1000;
    if (cost < least) [to, least] = [mark, cost];
  }
  return to;
}

for (const figure of document.querySelectorAll('.fig, .strip > svg')) {
  let marks = null;
  const known = () => marks ??= marksOf(figure);
  figure.addEventListener('pointermove', e => {
    let best = e.target.closest?.('.m, a'), near = 14;
    if (!best || !figure.contains(best)) {
      best = null;
      for (const mark of known()) {
        const [x, y] = middle(mark), d = Math.hypot(x - e.clientX, y - e.clientY);
        if (d < near) [best, near] = [mark, d];
      }
    }
    tell(best, known());
  });
  figure.addEventListener('pointerleave', () => tell(null));
  figure.addEventListener('focusout', () => tell(null));
  figure.addEventListener('focusin', e => { known(); if (e.target !== figure) tell(e.target, marks); });
  // An arrow key goes through the marks at one place, forwards to the right and down. Then it goes
  // to the nearest mark in its direction, from edge to edge, the sideways distance counting double.
  figure.addEventListener('keydown', e => {
    if (e.key === 'Escape') return tell(null);
    const way = {ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1]}[e.key];
    if (!way || !known().length) return;
    e.preventDefault();
    tell(on && figure.contains(on) ? next(marks, on, way) : marks[0], marks);
    const to = on;
    if (to.matches('a')) to.focus();
    to.scrollIntoView({block: 'nearest', inline: 'nearest'});
    place();
  });
}
// The strip is one stop of the Tab key.
for (const strip of document.querySelectorAll('.strip > svg')) {
  const links = [...strip.querySelectorAll('a')];
  links.forEach((a, i) => a.setAttribute('tabindex', i ? -1 : 0));
  strip.addEventListener('focusin', e => links.forEach(a => a.setAttribute('tabindex', a === e.target ? 0 : -1)));
}
addEventListener('scroll', place, {passive: true, capture: true});
})();
