// ---- figures: the values of marks, under the pointer and by the arrow keys
(() => {
const box = document.createElement('div');
box.className = 'fig-tip';
box.setAttribute('role', 'status');
document.body.append(box);
let on = null;

// tell shows what a mark says beside it.
function tell(mark) {
  if (on === mark) return;
  on?.classList.remove('on');
  on = mark;
  box.textContent = '';
  if (!mark) return;
  mark.classList.add('on');
  box.textContent = mark.dataset.say;
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
const middle = mark => { const r = mark.getBoundingClientRect(); return [r.left + r.width / 2, r.top + r.height / 2]; };

for (const figure of document.querySelectorAll('svg.fig, .strip > svg')) {
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
    known();
    tell(best);
  });
  figure.addEventListener('pointerleave', () => tell(null));
  figure.addEventListener('focusout', () => tell(null));
  figure.addEventListener('focusin', e => { known(); if (e.target !== figure) tell(e.target); });
  // The nearest mark in the direction of an arrow key, the sideways distance counting double.
  figure.addEventListener('keydown', e => {
    if (e.key === 'Escape') return tell(null);
    const way = {ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1]}[e.key];
    if (!way || !known().length) return;
    e.preventDefault();
    let to = marks[0], least = Infinity;
    if (on && figure.contains(on)) {
      to = on;
      const [x, y] = middle(on);
      for (const mark of marks) {
        const [a, b] = middle(mark), ahead = (a - x) * way[0] + (b - y) * way[1], aside = Math.abs((a - x) * way[1]) + Math.abs((b - y) * way[0]);
        if (mark !== on && ahead > 0.5 && ahead + 2 * aside < least) [to, least] = [mark, ahead + 2 * aside];
      }
    }
    if (to.matches('a')) to.focus();
    to.scrollIntoView({block: 'nearest', inline: 'nearest'});
    tell(to);
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
