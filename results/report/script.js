'use strict';
// Sorts, filters, copies, and opens the panel of a number. Text from the data
// reaches the page by textContent only.
(() => {
const keys = JSON.parse(document.getElementById('keys').textContent); // of rows and columns
const root = document.documentElement, dialog = document.getElementById('panel');
const all = (selector, where = document) => [...where.querySelectorAll(selector)];
root.classList.add('live');

// el makes an element with a class, and texts or elements in it.
function el(tag, name, ...kids) {
  const e = document.createElement(tag);
  if (name) e.className = name;
  e.append(...kids.map(k => k instanceof Node ? k : String(k)));
  return e;
}
const minus = text => String(text).replaceAll('-', '−'); // of numbers
function say(text) { document.getElementById('said').textContent = text; }

// ---- what is behind the numbers: JSON in gzip in base64, unpacked when a panel first asks
let data = null;
async function unpack() {
  if (data) return;
  const bytes = Uint8Array.from(atob(document.getElementById('panels').textContent), c => c.charCodeAt(0));
  data = await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))).json();
}

// ---- the address keeps filters and orders, beside the open panel in its fragment
const state = new URLSearchParams(location.search);
function keep(values) {
  for (const [name, value] of Object.entries(values)) {
    if (value === '') state.delete(name);
    else state.set(name, value);
  }
  const query = String(state);
  history.replaceState(null, '', (query ? '?' + query : location.pathname) + location.hash);
}

// ---- sorting: numbers before texts, equal keys in the order of the file
const sorters = {};
all('table.sortable').forEach(table => {
  const body = table.tBodies[0], rows = [...body.rows], heads = all('thead th', table);
  const keyOf = (row, i) => row.cells[i].dataset.s ?? row.cells[i].textContent.trim();
  const number = text => text === '' ? NaN : Number(text === '=' ? '0' : text);
  const sort = (i, down) => {
    const head = heads[i], sign = down ? -1 : 1;
    const sorted = rows.map((row, at) => ({row, at, text: keyOf(row, i), n: number(keyOf(row, i))}));
    sorted.sort((a, b) => {
      const an = !isNaN(a.n), bn = !isNaN(b.n);
      if (an && bn) return sign * (a.n - b.n) || a.at - b.at;
      if (an !== bn) return an ? -1 : 1;
      return sign * a.text.localeCompare(b.text, 'en') || a.at - b.at;
    });
    heads.forEach(h => h.removeAttribute('aria-sort'));
    head.setAttribute('aria-sort', down ? 'descending' : 'ascending');
    body.append(...sorted.map(s => s.row));
    say('Sorted by ' + head.textContent.trim() + (down ? ', highest first' : ', lowest first'));
  };
  sorters[table.id] = (i, way) => { if (heads[i]) sort(i, way === 'down'); };
  heads.forEach((head, i) => head.querySelector('button').addEventListener('click', () => {
    const down = head.ariaSort ? head.ariaSort === 'ascending' : rows.some(r => keyOf(r, i).includes('.')) && i > 0;
    sort(i, down);
    if (table.id) keep({[table.id]: i + (down ? '.down' : '.up')});
  }));
});

// ---- filters of the matrix
const form = document.querySelector('form.tools');
const chosen = name => document.getElementById('f-' + name)?.value ?? '';
function filter() {
  const row = chosen('row'), column = chosen('column'), verdict = chosen('verdict');
  let shown = 0, known = 0;
  const squares = new Map(all('.strip a').map(a => [a.getAttribute('href'), a]));
  const matrix = document.getElementById('ranked');
  all('thead th[data-c]', matrix).forEach(h => { h.hidden = column !== '' && h.dataset.c !== column; });
  for (const tr of matrix.tBodies[0].rows) {
    const here = row === '' || tr.dataset.r === row;
    let any = false;
    for (const td of tr.querySelectorAll('td[data-c]')) {
      td.hidden = column !== '' && td.dataset.c !== column;
      const match = verdict === '' || td.dataset.v === verdict;
      td.classList.toggle('dim', !match);
      any ||= match && !td.hidden;
      squares.get(td.querySelector('a.n').getAttribute('href'))?.classList.toggle('dim', !here || !match || td.hidden);
      known++;
      shown += here && match && !td.hidden;
    }
    tr.hidden = !any || !here;
  }
  say(shown + ' of ' + known + ' numbers');
  roving.forEach(rove => rove());
}
function filterAndKeep() {
  filter();
  keep({set: keys.rows[chosen('row')] ?? '', method: keys.columns[chosen('column')] ?? '', verdict: chosen('verdict')});
}
form.addEventListener('change', filterAndKeep);
form.addEventListener('submit', e => e.preventDefault());
form.addEventListener('reset', () => setTimeout(filterAndKeep));

// ---- copying: the ranked table as it is shown, filtered and sorted
function shownTable() {
  const cells = tr => [...tr.cells].filter(c => !c.hidden);
  const number = td => td.querySelector('a.n')?.firstChild?.textContent ?? td.textContent.trim();
  return [cells(matrix.tHead.rows[0]).map(c => c.textContent.trim()),
    ...[...matrix.tBodies[0].rows].filter(tr => !tr.hidden).map(tr => cells(tr).map(c => c.classList.contains('dim') ? '' : number(c)))];
}
const formats = {
  // A spreadsheet takes what begins so for a formula, and what has an apostrophe before it for a text.
  csv: rows => rows.map(row => row.map(f => /^[=+\-@＝＋－＠\t\r]/.test(f) ? "'" + f : f)
    .map(f => /[",\n\r]/.test(f) ? '"' + f.replaceAll('"', '""') + '"' : f).join(',') + '\n').join(''),
  latex: rows => {
    // As table.tex spells them: signs of mathematics, and by number what is beyond Latin 1.
    const signs = {'λ': 'lambda', 'γ': 'gamma', 'α': 'alpha', 'β': 'beta', 'μ': 'mu', 'Σ': 'Sigma', '√': 'surd', '†': 'dagger', '×': 'times', '≤': 'leq', '≥': 'geq'};
    const spelled = c => c === '−' ? '$-$' : c in signs ? '$\\' + signs[c] + '$' : '\\texttt{U+' + c.codePointAt(0).toString(16).toUpperCase().padStart(4, '0') + '}';
    const special = {'\\': '\\textbackslash{}', '~': '\\textasciitilde{}', '^': '\\textasciicircum{}', '–': '--', '<': '\\textless{}', '>': '\\textgreater{}'};
    const lines = rows.map(row => row.map(f => '{' + f.replace(/[\\{}$&#^_%~–<>]/g, c => special[c] ?? '\\' + c).replace(/[^\x20-\x7eÀ-ÏÑ-ÖØ-Ýß-ïñ-öø-ýÿ]/gu, spelled) + '}').join(' & ') + ' \\\\\n');
    return '\\begin{tabular}{l' + 'r'.repeat(rows[0].length - 1) + '}\n\\hline\n' + lines[0] + '\\hline\n' + lines.slice(1).join('') + '\\hline\n\\end{tabular}\n';
  },
};
all('button[data-copy]').forEach(button => button.addEventListener('click', async () => {
  const text = formats[button.dataset.copy](shownTable());
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = el('textarea', 'vh');
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand('copy');
    area.remove();
    button.focus();
  }
  say('Copied ' + text.trimEnd().split('\n').length + ' lines');
}));

// ---- arrow keys: a large table, its heads included, is one stop of the Tab key
const matrix = document.getElementById('ranked'), focusable = 'button, a:not(.mark)';
const roving = all('#ranked, table.matrix').map(table => {
  const stops = () => all('tr:not([hidden])', table).map(tr => [...tr.cells].filter(c => !c.hidden).map(c => c.querySelector(focusable)));
  let stop = null;
  const rove = to => {
    const shown = stops().flat().filter(e => e);
    stop = to ?? (shown.includes(stop) ? stop : shown.find(e => e.closest('tbody')) ?? shown[0]);
    all(focusable, table).forEach(e => { e.tabIndex = e === stop ? 0 : -1; });
  };
  table.addEventListener('focusin', e => { if (e.target.matches(focusable)) rove(e.target); });
  table.addEventListener('keydown', e => {
    const grid = stops(), r = grid.findIndex(line => line.includes(e.target));
    if (r < 0) return;
    const c = grid[r].indexOf(e.target), line = grid[r], column = grid.map(l => l[c]);
    const next = {
      ArrowRight: () => line.slice(c + 1).find(x => x), ArrowLeft: () => line.slice(0, c).findLast(x => x),
      ArrowDown: () => column.slice(r + 1).find(x => x), ArrowUp: () => column.slice(0, r).findLast(x => x),
      Home: () => line.find(x => x), End: () => line.findLast(x => x),
    }[e.key];
    if (!next) return;
    e.preventDefault();
    next()?.focus();
  });
  rove();
  return rove;
});

// ---- the panel
function facts(pairs) {
  return el('dl', 'facts', ...pairs.map(([name, value]) => el('div', '', el('dt', '', name), el('dd', '', value))));
}
function part(title, ...kids) { return el('section', '', el('h3', '', title), ...kids); }

// tableOf: the first field of a row is its heading; a field may be an element.
function tableOf(label, head, rows) {
  const th = (text, scope, kind = '') => { const e = el('th', kind, text); e.scope = scope; return e; };
  const figure = f => f instanceof HTMLTableCellElement ? f.classList.contains('num') : /^[<+−\d][\d.e− to,+−]*$/.test(f);
  const cell = f => f instanceof HTMLTableCellElement ? f : el('td', figure(f) ? 'num' : '', f);
  const heads = head.map((h, i) => th(h, 'col', i > 0 && rows.every(row => figure(row[i])) ? 'num' : ''));
  const body = rows.map(row => el('tr', '', th(row[0], 'row'), ...row.slice(1).map(cell)));
  const table = el('table', 'plain', el('caption', '', label), el('thead', '', el('tr', '', ...heads)), el('tbody', '', ...body));
  const box = el('div', 'wide', table);
  box.tabIndex = 0;
  box.setAttribute('role', 'region');
  box.setAttribute('aria-label', label);
  return box;
}

// percent with two decimals, rounded half up as everywhere.
function percent(count, of) {
  const hundredths = Math.floor((count * 20000 + of) / (2 * of));
  return Math.floor(hundredths / 100) + '.' + String(hundredths % 100).padStart(2, '0');
}

function profile(grid) {
  const good = grid.correct.filter(c => c >= 0), low = Math.min(...good), high = Math.max(...good);
  const share = c => high > low ? (c - low) / (high - low) : 1;
  const score = i => {
    const td = el('td', 'heat', grid.correct[i] < 0 ? 'failed' : percent(grid.correct[i], grid.n));
    td.style.setProperty('--share', grid.correct[i] < 0 ? '0%' : Math.round(8 + 52 * share(grid.correct[i])) + '%');
    td.title = grid.failures?.[i] ?? grid.correct[i] + ' of ' + grid.n;
    if (i === grid.chosen) {
      td.classList.add('chosen');
      td.append(el('span', 'vh', ' (chosen)'));
    }
    return td;
  };
  const about = el('p', '', 'Percent right of ' + grid.n + ' validation samples; the setting with the border was chosen.' + (grid.fixed ? ' Fixed: ' + grid.fixed + '.' : ''));
  if (grid.axes.length < 2) {
    const name = grid.axes[0] ?? 'setting';
    const head = [name, ...grid.points.map(p => p[0] ?? '')];
    return [about, lineOf(grid, share, low, high), tableOf('Validation profile', head, [['% right', ...grid.points.map((_, i) => score(i))]])];
  }
  const across = grid.axes.at(-1), columns = [...new Set(grid.points.map(p => p.at(-1)))];
  const lines = new Map();
  grid.points.forEach((p, i) => {
    const name = p.slice(0, -1).join(', ');
    if (!lines.has(name)) lines.set(name, new Map());
    lines.get(name).set(p.at(-1), i);
  });
  const rows = [...lines].map(([name, at]) => [name, ...columns.map(c => at.has(c) ? score(at.get(c)) : '')]);
  return [about, tableOf('Validation profile: ' + grid.axes.slice(0, -1).join(', ') + ' down, ' + across + ' across', [grid.axes.slice(0, -1).join(', ') + ' \\ ' + across, ...columns], rows)];
}

// surface shows the accuracy of every setting on the validation and on the test samples.
function surface(s) {
  const down = s.axes[0], across = s.axes.slice(1).join(', ') || 'accuracy';
  const columns = [...new Set(s.points.map(p => p[0].slice(1).join(', ')))], lines = [...new Set(s.points.map(p => p[0][0]))];
  const at = new Map(s.points.map(p => [JSON.stringify([p[0][0], p[0].slice(1).join(', ')]), p]));
  const map = (title, index, of) => {
    const known = s.points.map(p => p[index]).filter(n => n >= 0), low = Math.min(...known), high = Math.max(...known);
    const cell = point => {
      if (!point || point[index] < 0) return el('td', '', point ? 'failed' : '');
      const [, , , chosen, best, reaches] = point;
      const td = el('td', 'heat num' + (chosen ? ' chosen' : ''), percent(point[index], of));
      td.style.setProperty('--share', Math.round(8 + 52 * (high > low ? (point[index] - low) / (high - low) : 1)) + '%');
      td.title = point[index] + ' of ' + of;
      const marks = (index === 2 && best ? '*' : '') + (index === 2 && reaches ? '=' : '');
      if (marks) td.append(el('sup', '', marks));
      if (chosen) td.append(el('span', 'vh', ' (chosen)'));
      return td;
    };
    return tableOf(title + ': ' + down + ' down' + (s.axes.length > 1 ? ', ' + across + ' across' : ''), [down, ...columns.map(c => c === '' ? '%' : Number(c) >= 1e4 ? Number(c).toExponential().replace('e+', 'e') : c)],
      lines.map(l => [l, ...columns.map(c => cell(at.get(JSON.stringify([l, c]))))]));
  };
  const both = el('div', 'both', ...(s.validation ? [map('Validation, % of ' + s.validation, 1, s.validation)] : []), map('Test, % of ' + s.n, 2, s.n));
  return [el('p', '', 'With a border: chosen. *: best on the test samples. =: within 1 point or 1 test sample of the printed number.' +
    (s.printed ? ' The printed number is ' + s.printed + '.' : '') + (s.fixed ? ' Fixed: ' + s.fixed + '.' : '')), both];
}

// lineOf draws the scores of a grid with one parameter; its table follows.
function lineOf(grid, share, low, high) {
  const make = (tag, attributes, text) => {
    const e = document.createElementNS('http://www.w3.org/2000/svg', tag);
    for (const [name, value] of Object.entries(attributes)) e.setAttribute(name, value);
    if (text !== undefined) e.textContent = text;
    return e;
  };
  const svg = make('svg', {viewBox: '0 0 520 130', class: 'profile', 'aria-hidden': 'true'});
  const x = i => 55 + i * 440 / Math.max(grid.points.length - 1, 1), y = c => 100 - 80 * share(c);
  const good = grid.correct.map((c, i) => [c, i]).filter(([c]) => c >= 0);
  svg.append(make('line', {x1: 45, x2: 505, y1: 108, y2: 108, stroke: 'currentColor', opacity: 0.4}));
  svg.append(make('text', {x: 2, y: 24}, percent(high, grid.n)), make('text', {x: 2, y: 104}, percent(low, grid.n)));
  svg.append(make('polyline', {points: good.map(([c, i]) => x(i) + ',' + y(c)).join(' '), fill: 'none', stroke: 'currentColor', 'stroke-width': 2}));
  good.forEach(([c, i]) => svg.append(make('circle', {cx: x(i), cy: y(c), r: i === grid.chosen ? 6 : 3, fill: 'currentColor'})));
  grid.points.forEach((p, i) => svg.append(make('text', {x: x(i), y: 124, 'text-anchor': 'middle'}, p[0] ?? '')));
  return svg;
}

function confusion(cell, row) {
  const most = Math.max(1, ...cell.counts.flat());
  const name = code => row.labels[code] || String(code);
  const rows = cell.counts.map((line, i) => [name(cell.codes[i]), ...line.map((n, j) => {
    const td = el('td', 'heat num' + (i === j ? ' right' : ''), n);
    td.style.setProperty('--share', (n ? Math.round(8 + 52 * n / most) : 0) + '%');
    return td;
  })]);
  const box = tableOf('Confusion matrix: true class down, predicted class across', ['true \\ predicted', ...cell.codes.map(name)], rows);
  box.classList.toggle('dense', cell.codes.length > 12);
  return box;
}

// seen returns a pair of a row as the first of its methods sees it, or null.
function seen(row, a, b) {
  for (const [p, q, only, other, plain, holm, differs, difference, range, g] of row.pairs) {
    if (p === a && q === b) return {only, other, plain, holm, differs, difference, range, g};
    if (p === b && q === a) return {only: other, other: only, plain, holm, differs, difference: turned(difference), range: [turned(range[1]), turned(range[0])], g};
  }
  return null;
}
function turned(text) {
  if (Number(text) === 0) return '0.00';
  return text.startsWith('-') ? '+' + text.slice(1) : '-' + text.replace('+', '');
}
function outcome(s) { return !s.differs || s.only === s.other ? 'tie' : s.only > s.other ? 'win' : 'loss'; }

// readings lists what every reading of the protocol gives for the printed number.
function readings(cell) {
  if (!cell.readings) return [];
  const box = tableOf('What each reading of the protocol gives', ['reading', 'mean', 'sd', 'runs', 'verdict'], cell.readings);
  box.classList.add('readings');
  return [box];
}

function cellPanel(r, c) {
  const row = data.rows[r], column = data.columns[c], cell = data.cells[r][c];
  const parts = cell.lead ? [el('p', 'gist', cell.lead)] : [];
  parts.push(part('Number', facts(cell.facts)));
  if (cell.verdict) parts.push(part('Verdict', facts(cell.verdict), ...readings(cell)));
  if (cell.warnings) parts.push(part('Warnings', el('ul', '', ...cell.warnings.map(w => el('li', '', w)))));
  if (cell.chosen) parts.push(part('Chosen parameters', el('p', '', el('code', '', cell.chosen))));
  if (cell.surface) parts.push(part('Every setting, on validation and on test samples', ...surface(cell.surface)));
  if (cell.grid && !cell.surface?.validation) parts.push(part('Validation profile', ...profile(cell.grid)));
  if (cell.counts) parts.push(part('Confusion matrix', confusion(cell, row)));
  const rivals = data.columns.map((other, o) => [other.name, seen(row, c, o), data.cells[r][o]]).filter(f => f[1]);
  if (rivals.length) {
    parts.push(part('Against every other method', tableOf('McNemar’s test, Holm’s correction over ' + row.family + ' pairs; b: only this method is right, c: only the other; difference in points',
      ['method', 'accuracy', 'b', 'c', 'p', 'p after Holm', 'difference', '95 %', 'outcome'],
      rivals.map(([name, s, other]) => [name, other.accuracy ?? '', s.only, s.other, s.plain, s.holm, minus(s.difference), minus(s.range.join(' to ')), outcome(s)]))));
  }
  parts.push(part('Data and split', facts(row.facts)), part('Method', facts(column.facts)));
  if (cell.run) parts.push(part('Run', facts(cell.run)));
  parts.push(part('The commands that rerun it', el('pre', '', cell.commands.join('\n'))));
  open(row.title + ' / ' + column.name, parts);
}

function comparisonPanel(a, b) {
  const rows = [], n = {win: 0, tie: 0, loss: 0};
  data.rows.forEach((row, r) => {
    const s = seen(row, a, b);
    if (!s) return;
    n[outcome(s)]++;
    rows.push([row.title, data.cells[r][a].accuracy, data.cells[r][b].accuracy, minus(s.difference), minus(s.range.join(' to ')), s.only, s.other, s.holm, s.g, outcome(s)]);
  });
  const x = data.columns[a].name, y = data.columns[b].name;
  open(x + ' against ' + y, [
    el('p', '', n.win + ' wins, ' + n.tie + ' ties, ' + n.loss + ' losses of ' + x + '. Differences are in points with Newcombe’s interval; Cohen’s g is the larger share of b + c, less one half.'),
    tableOf(x + ' against ' + y, ['data set', x, y, 'difference', '95 %', 'b', 'c', 'p after Holm', 'g', 'outcome'], rows)]);
}

let shown = '', opener = null; // the fragment whose panel is open, and what had the focus
function open(title, parts) {
  shown = location.hash;
  if (!dialog.open) opener = document.activeElement;
  document.getElementById('panel-title').textContent = title;
  document.getElementById('panel-body').replaceChildren(...parts);
  if (!dialog.open) dialog.showModal();
  dialog.scrollTop = 0;
  document.getElementById('panel-title').focus();
}

// show opens a panel when its data are there, unless another link has been followed.
async function show(panel) {
  const asked = location.hash;
  try {
    await unpack();
  } catch {
    return open('Not shown', [el('p', '', 'This browser cannot unpack what is behind the numbers (DecompressionStream). Newer ones can; the tables and files beside this page need nothing.')]);
  }
  if (location.hash === asked) panel();
}

// follow opens what the fragment of the address names: #robot/itml is a number,
// #versus/itml/plml a comparison, and the name of a closed part opens that.
function follow() {
  let names;
  try {
    names = location.hash.slice(1).split('/').map(decodeURIComponent);
  } catch {
    return;
  }
  const column = id => keys.columns.indexOf(id), r = keys.rows.indexOf(names[0]);
  if (names.length === 2 && r >= 0 && column(names[1]) >= 0) return show(() => cellPanel(r, column(names[1])));
  if (names.length === 3 && names[0] === 'versus' && column(names[1]) >= 0 && column(names[2]) >= 0) return show(() => comparisonPanel(column(names[1]), column(names[2])));
  if (dialog.open) dialog.close();
  const target = document.getElementById(location.hash.slice(1)) ?? document.getElementById(names.join('/'));
  for (let part = target?.closest('details'); part; part = part.parentElement.closest('details')) part.open = true;
  target?.closest('details')?.scrollIntoView();
}
document.getElementById('close').addEventListener('click', () => dialog.close());
dialog.addEventListener('click', e => { if (e.target === dialog) dialog.close(); });
dialog.addEventListener('close', () => {
  if (location.hash !== shown) return; // another link has been followed
  const link = opener?.matches('a, summary') ? opener : all('a.n', matrix).find(a => a.getAttribute('href') === shown);
  history.replaceState(null, '', location.search + '#table'); // the same link may be followed again
  if (link && !document.activeElement?.matches('a')) link.focus();
});
addEventListener('hashchange', follow);

// ---- tables that fit scroll with the page, under their heads; others in a box of their own
function fit() {
  for (const box of all('.pooled > .wide')) box.classList.add('tall');
  for (const box of all('.tall')) {
    box.classList.remove('fits');
    box.classList.toggle('fits', box.firstElementChild.scrollWidth <= box.clientWidth);
  }
}
addEventListener('resize', fit);

// ---- the address keeps which parts are open
addEventListener('toggle', e => {
  fit();
  if (e.target.matches('details[id]')) keep({open: all('main details[id][open]').map(d => d.id).join(' ')});
}, true);

// ---- what the address asks for
const row = keys.rows.indexOf(state.get('set')), column = keys.columns.indexOf(state.get('method'));
if (row >= 0) document.getElementById('f-row').value = row;
if (column >= 0) document.getElementById('f-column').value = column;
const wanted = document.getElementById('f-verdict');
if (wanted && [...wanted.options].some(o => o.value === state.get('verdict'))) wanted.value = state.get('verdict');
for (const [id, sort] of Object.entries(sorters)) {
  const [i, way] = (state.get(id) ?? '').split('.');
  if (/^\d+$/.test(i)) sort(Number(i), way);
}
if (String(state)) {
  filter();
  if (['set', 'method', 'verdict', 'ranked'].some(name => state.has(name))) document.getElementById('splits')?.setAttribute('open', '');
}
for (const id of (state.get('open') ?? '').split(' ')) {
  const part = document.getElementById(id);
  if (part instanceof HTMLDetailsElement) part.open = true;
}
fit();
follow();
})();
