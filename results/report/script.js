'use strict';
// Sorts, filters, copies, and opens the panel of a number. Text from the data
// reaches the page by textContent only.
(() => {
const root = document.documentElement, dialog = document.getElementById('panel'), matrix = document.getElementById('ranked');
const all = (selector, where = document) => [...where.querySelectorAll(selector)];
// The keys of rows and columns are those of the links to their numbers, such as #robot/itml.
const links = [...matrix.tBodies[0].rows].map(row => all('a.n', row).map(a => a.getAttribute('href').slice(1).split('/').map(decodeURIComponent)));
const keys = {rows: links.map(row => row[0]?.[0]), columns: (links[0] ?? []).map(link => link[1])};
root.classList.add('live');

// Characters that act in place of being seen, as in the rest of the page.
const hidden = /(?![\n\t])[\p{Cc}\p{Cf}\u2028\u2029]/gu;

// el makes an element with a class, and texts or elements in it.
function el(tag, name, ...kids) {
  const e = document.createElement(tag);
  if (name) e.className = name;
  e.append(...kids.map(k => k instanceof Node ? k : String(k).replace(hidden, '\ufffd')));
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
// taken is object i of lists of values by key, without those that are null.
function taken(lists, i) {
  const values = Object.entries(lists).map(([key, list]) => [key, Array.isArray(list) ? list[i] : taken(list, i)]).filter(([, value]) => value !== null);
  return values.length ? Object.fromEntries(values) : null;
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

// ---- sorting: numbers before texts, equal keys in the order of the file; the address keeps it by name
function sortable(table, name) {
  const heads = all('thead th', table), body = table.tBodies[0];
  const key = cell => cell.dataset.s ?? (cell.firstChild?.textContent ?? '').trim().replaceAll('−', '-');
  [...body.rows].forEach((row, i) => { row.dataset.i ??= i; });
  function sort(i, down) {
    const sign = down ? -1 : 1, rows = [...body.rows].sort((a, b) => a.dataset.i - b.dataset.i);
    const sorted = rows.map(row => ({row, text: key(row.cells[i]), n: key(row.cells[i]) === '' ? NaN : Number(key(row.cells[i]))}));
    sorted.sort((a, b) => {
      const an = !isNaN(a.n), bn = !isNaN(b.n);
      if (an && bn) return sign * (a.n - b.n);
      if (an !== bn) return an ? -1 : 1;
      return sign * a.text.localeCompare(b.text, 'en');
    });
    heads.forEach(h => h.removeAttribute('aria-sort'));
    heads[i].setAttribute('aria-sort', down ? 'descending' : 'ascending');
    body.append(...sorted.map(s => s.row));
    say('Sorted by ' + heads[i].textContent.trim() + (down ? ', highest first' : ', lowest first'));
  }
  heads.forEach((head, i) => head.querySelector('button').addEventListener('click', () => {
    const down = head.ariaSort ? head.ariaSort === 'ascending' : i > 1;
    sort(i, down);
    keep({[name]: i + (down ? '.down' : '.up')});
  }));
  const again = () => {
    const [by, way] = (state.get(name) ?? '').split('.');
    if (/^\d+$/.test(by) && heads[by]) sort(Number(by), way === 'down');
  };
  again();
  return again;
}
sortable(matrix, 'ranked');
const pooled = document.querySelector('table.pooled'), tables = pooled ? [pooled, matrix] : [matrix];
if (pooled) sortable(pooled, 'pooled');
const resort = document.getElementById('winners') && sortable(document.getElementById('winners'), 'winners');

// ---- filters of the tables of data sets: a text in the name, any number of methods, a verdict
const form = document.querySelector('form.tools:has(#f-find)'), find = document.getElementById('f-find'), wanted = document.getElementById('f-verdict');
const methods = all('#f-methods input');
// The table that is counted and copied: that of every split if it is open.
const current = () => pooled && !document.getElementById('splits').open ? pooled : matrix;
const numbers = tr => all('a.n', tr).map(a => a.closest('td'));
function filter() {
  const text = find.value.trim().toLowerCase(), verdict = wanted?.value ?? '', some = methods.some(m => m.checked);
  const hides = c => some && !methods[c].checked;
  const squares = new Map(all('a.sq').map(a => [a.getAttribute('href'), a]));
  let shown = 0, known = 0;
  for (const table of tables) {
    all('thead th[data-c]', table).forEach((h, c) => { h.hidden = hides(c); });
    for (const tr of table.tBodies[0].rows) {
      const here = tr.cells[0].textContent.toLowerCase().includes(text);
      let any = false;
      for (const [c, td] of numbers(tr).entries()) {
        td.hidden = hides(c);
        const match = verdict === '' || td.dataset.v === verdict || table === pooled;
        td.classList.toggle('dim', !match);
        any ||= match && !td.hidden;
        squares.get(td.querySelector('a.n').getAttribute('href'))?.classList.toggle('dim', !here || !match || td.hidden);
        if (table !== current()) continue;
        known++;
        shown += here && match && !td.hidden;
      }
      tr.hidden = !any || !here;
    }
  }
  say(shown + ' of ' + known + ' numbers');
  roving.forEach(rove => rove());
}
function filterAndKeep() {
  filter();
  keep({find: find.value, methods: methods.filter(m => m.checked).map(m => encodeURIComponent(m.value)).join(' '), verdict: wanted?.value ?? ''});
}
form.addEventListener('input', filterAndKeep);
form.addEventListener('submit', e => e.preventDefault());
form.addEventListener('reset', () => setTimeout(filterAndKeep));

// ---- copying: the table as it is shown, filtered and sorted
function shownTable() {
  const cells = tr => [...tr.cells].filter(c => !c.hidden), table = current();
  const number = td => td.querySelector('a.n')?.firstChild?.textContent ?? td.textContent.trim();
  return [cells(table.tHead.rows[0]).map(c => c.textContent.trim()),
    ...[...table.tBodies[0].rows].filter(tr => !tr.hidden).map(tr => cells(tr).map(c => c.classList.contains('dim') ? '' : number(c)))];
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
const focusable = 'button, a';
const roving = tables.map(table => {
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

// ---- the panel: what "explain --format json" says of a number, x
const num = text => el('td', 'num', text), code = text => el('code', '', text);
const present = pairs => pairs.filter(p => p[1] !== undefined && p[1] !== '' && p[1] !== null);
function facts(pairs) {
  return el('dl', 'facts', ...present(pairs).map(([name, value]) => el('div', '', el('dt', '', name), el('dd', '', value))));
}
function part(title, ...kids) { return el('section', '', el('h3', '', title), ...kids); }
// decimals rounds a half away from 0, also where the number lies just below it, as the program does.
const decimals = (x, n = 2) => minus((x + Math.sign(x) * 1e-9).toFixed(n).replace(/^-(0\.0*)$/, '$1'));
const fixed = x => decimals(x);
const signed = x => (x > 0 ? '+' : '') + fixed(x);
const counted = (n, noun) => n + ' ' + noun + (n === 1 ? '' : 's');
const settings = params => Object.keys(params).sort().map(k => k + '=' + params[k]).join(' ') || 'no parameters';
// Two significant digits, a tie to the even one, and more where they would say 0.05.
function twoDigits(p) {
  const tie = p.toExponential(20).match(/^(\d\.\d)50*(e.*)$/);
  return Number(tie && tie[1].at(-1) % 2 === 0 ? tie[1] + tie[2] : p.toPrecision(2));
}
const shortP = p => p < 0.0001 ? '<0.0001' : String(twoDigits(p) === 0.05 && p !== 0.05 ? Number(p.toPrecision(4)) : twoDigits(p));

// tableOf: the first field of a row is its heading; a field may be an element.
function tableOf(label, head, rows) {
  const th = (text, scope, kind = '') => { const e = el('th', kind, text); e.scope = scope; return e; };
  const figure = f => f instanceof HTMLTableCellElement ? f.classList.contains('num') : /^[<+−\d][\d.e− to,+−±%]*$/.test(f);
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

// heat is a field whose color grows with a share from 0 to 1.
function heat(text, share, chosen = false) {
  const td = el('td', 'heat num' + (chosen ? ' chosen' : ''), text);
  td.style.setProperty('--share', Math.round(8 + 52 * share) + '%');
  if (chosen) td.append(el('span', 'vh', ' (chosen)'));
  return td;
}

// grid shows right answers of n at every setting; the parameter that varies fastest is
// across. A point has params, chosen, and its count under the given name; others are optional.
function grid(title, points, n, name) {
  const values = p => ({...p.params, ...(p.restart ? {'random start': p.restart} : {})}), all = points.map(values);
  const axes = [...new Set(all.flatMap(Object.keys))].sort().filter(k => all.some(v => v[k] !== all[0][k]));
  const across = axes.find(k => all[1]?.[k] !== all[0][k]) ?? '';
  const down = v => axes.filter(k => k !== across).map(k => k + '=' + v[k]).join(' ');
  const columns = [...new Set(all.map(v => v[across]))], lines = [...new Set(all.map(down))];
  const known = points.map(p => p[name]).filter(c => c !== undefined), low = Math.min(...known), high = Math.max(...known);
  const field = i => {
    const p = points[i];
    if (!p) return el('td');
    if (p[name] === undefined) { const td = el('td', '', 'failed'); td.title = p.failure ?? ''; return td; }
    const td = heat(percent(p[name], n), high > low ? (p[name] - low) / (high - low) : 1, p.chosen);
    td.title = p[name] + ' of ' + n;
    const marks = name === 'test' ? (p.best ? '*' : '') + (p.reaches ? '=' : '') : '';
    if (marks) td.append(el('sup', '', marks));
    return td;
  };
  const rows = lines.map(line => [line || '% right', ...columns.map(c => field(all.findIndex(v => down(v) === line && v[across] === c)))]);
  return tableOf(title + ', % of ' + n + (across ? '; across: ' + across : ''), ['', ...columns.map(c => c ?? 'default')], rows);
}

function confusion(x) {
  const {codes, counts} = x.result.confusion, most = Math.max(1, ...counts.flat());
  const name = code => { const c = x.data.classes.find(c => c.code === code); return c?.name || c?.label || String(code); };
  const rows = counts.map((line, i) => [name(codes[i]), ...line.map((n, j) => {
    const td = heat(n, n / most);
    td.classList.toggle('right', i === j);
    return td;
  })]);
  const box = tableOf('True class down, predicted class across', ['', ...codes.map(name)], rows);
  box.classList.toggle('dense', codes.length > 12);
  return box;
}

// warnings of predictions that do not depend on the sample, of a choice that does not carry
// over to the test samples, of the fit, and of settings that failed, each reason once.
function warnings(x) {
  const all = [], result = x.result, chosen = x.tried.find(t => t.chosen);
  if (result) {
    const {counts} = result.confusion, sums = counts.map((_, j) => counts.reduce((sum, line) => sum + line[j], 0));
    const there = counts.filter(line => line.some(n => n > 0)).length;
    if (there > 1 && sums.filter(n => n > 0).length === 1) all.push('Every test sample is given the same label.');
  }
  if (result && chosen?.correct !== undefined && x.validation_n && Math.abs(chosen.correct / x.validation_n - result.correct / result.n) > 0.1)
    all.push('Validation and test differ by more than 10 points: ' + percent(chosen.correct, x.validation_n) + ' and ' + result.accuracy + '.');
  return [...new Set([...all, ...(x.warnings ?? []), ...x.tried.filter(t => t.failure).map(t => 'A setting failed: ' + t.failure)])];
}

function cellPanel(r, c) {
  const x = taken(data.cells, r * data.columns.length + c), {result, verdict, surface, published, run} = x, parts = [];
  const chosen = x.tried.find(t => t.chosen), mib = n => n ? (n / 2 ** 20).toFixed(1) + ' MiB' : '';
  const gist = () => verdict.verdict[0].toUpperCase() + verdict.verdict.slice(1) + ': printed ' + verdict.published +
    (verdict.mean === undefined ? '' : ', ours ' + fixed(verdict.mean) + ' ± ' + fixed(verdict.sd) + ' in ' + counted(verdict.runs, 'run')) + '. ' +
    verdict.reason[0].toUpperCase() + verdict.reason.slice(1) + '.';
  if (verdict) parts.push(el('p', 'gist', gist()));
  parts.push(part('Number', facts([
    ...(result ? [['Accuracy', result.accuracy + ' %, ' + result.correct + ' of ' + result.n], ['Interval', result.interval.join(' to ') + ', Wilson, 95 %'], ...result.metrics.map(m => [m.title, minus(m.value)]),
      ['Rank', result.against.length ? result.rank + ', letters ' + result.letters : '']] : [['Status', [x.status, x.reason].filter(s => s).join(': ')]]),
    ['Published', published && published.accuracy + ', rank ' + published.rank + (published.mark ? ', ours with seed 1: ' + minus(published.mark) : '')],
    ['Difference', verdict && verdict.difference !== undefined ? signed(verdict.difference) + ' points, our mean less the printed value' : ''],
    ['Runs', verdict && verdict.runs + ' of ' + verdict.planned + ' planned'], ['Not compared', x.unjudged],
    ['Chosen setting', chosen && code(settings(chosen.params) + (chosen.restart ? ', random start ' + chosen.restart : ''))],
    ['Neighbors', x.neighbors], ['Seed', x.seed], ...x.facts.map(f => [f.name, f.count + ' of ' + f.of])])));
  const said = warnings(x);
  if (said.length) parts.push(part('Warnings', el('ul', '', ...said.map(w => el('li', '', w)))));
  if (x.readings) {
    const box = tableOf('What each reading of the protocol gives', ['reading', 'mean', 'sd', 'runs', 'verdict'],
      x.readings.map(r => [r.reading, r.mean === null ? '-' : fixed(r.mean), r.mean === null ? '' : fixed(r.sd), r.runs + ' of ' + r.planned, r.verdict]));
    box.classList.add('readings');
    parts.push(part('Readings of the protocol', box));
  }
  if (surface?.points.length > 1) parts.push(part('Every setting, on validation and on test samples',
    el('p', '', 'With a border: chosen. *: best on the test samples. =: within 1 point or 1 test sample of the printed number. Fixed: ' + settings(surface.fixed) + '.'),
    el('div', 'both', ...(surface.validation_n ? [grid('Validation', surface.points, surface.validation_n, 'validation')] : []), grid('Test', surface.points, surface.n, 'test'))));
  if (x.validation_n && x.tried.length > 1 && !surface?.validation_n)
    parts.push(part('Every setting on the validation samples', el('p', '', 'With a border: chosen.'), grid('Validation', x.tried, x.validation_n, 'correct')));
  if (result) parts.push(part('Confusion matrix', confusion(x)));
  if (result?.against.length) parts.push(part('Against every other method',
    tableOf('McNemar’s test, Holm’s correction over ' + counted(result.against[0].family, 'pair') + '; b: only this method is right, c: only the other; difference in points',
      ['method', 'accuracy', 'b', 'c', 'p', 'p after Holm', 'difference', '95 %', 'outcome'],
      result.against.map(a => [nameOf(a.method), a.accuracy, a.only_this, a.only_other, shortP(a.p), shortP(a.p_holm), minus(plus(a.difference)),
        minus(a.difference_interval.join(' to ')), outcome(a)]))));
  const {data: d, split: s, method: m} = x;
  parts.push(part('Data and split', facts([['Data set', d.id], ['Samples', d.rows || ''], ['Features', d.features + (d.pca ? ', reduced to ' + counted(d.pca, 'principal component') : '')],
    ['Classes', d.classes.length > 5 ? d.classes.length : d.classes.map(c => (c.name ? c.name + ' (' + c.label + ')' : c.label) + ': ' + c.rows).join(', ')],
    ['Sources', d.sources.join(' ')], ['Licence', d.licence], ['Note', d.note], ['Split', s.name],
    ['Sizes', s.test ? s.train + ' train, ' + s.validation + ' validation, ' + s.test + ' test' : '']])));
  parts.push(part('Method', facts([['Column', m.column], ['Method', m.id + ', version ' + m.version], ['Draws', m.stochastic ? 'random numbers' : 'no random numbers'], ['Source', m.source]])));
  parts.push(part('Run', facts(run ? [['Wall time', run.wall_seconds.toFixed(3) + ' s, ' + counted(run.workers, 'worker') + (run.resumed ? ', without the process that began it' : '')], ['Heap beyond the data', mib(run.heap_bytes)],
    ['Host', run.host], ['Finished', run.finished], ['Commit', run.commit], ['Go', run.go], ['File', x.file]] :
    [['Wall time', x.seconds ? x.seconds + ' s, as accepted; its host was not kept' : ''], ['Heap beyond the data', mib(x.heap)], ['File', x.file]])));
  parts.push(part('The commands that rerun it', el('pre', '', x.commands.join('\n'))));
  open(data.titles[r] + ' / ' + data.columns[c].name, parts);
}

// splitsPanel shows a method on every split of a data set; rs are their rows.
function splitsPanel(set, rs, c) {
  const results = rs.map(r => ({r, ...taken(data.cells, r * data.columns.length + c)})), {id, name} = data.columns[c];
  const link = (r, text) => { const a = el('a', '', text); a.href = '#' + encodeURIComponent(keys.rows[r]) + '/' + encodeURIComponent(id); return a; };
  const metrics = results.find(x => x.result)?.result.metrics ?? [];
  const line = x => { const chosen = x.tried.find(t => t.chosen); return [chosen ? settings(chosen.params) : '']; };
  open(set + ' / ' + name, [part('On every split', tableOf('Percent right on the test rows; choose a split to see what is behind it',
    ['split', 'accuracy', ...metrics.map(m => m.title), 'chosen setting'],
    results.map(x => [link(x.r, x.split.name), x.result?.accuracy ?? x.status ?? '–', ...metrics.map((_, i) => minus(x.result?.metrics[i].value ?? '–')), ...line(x)])))]);
}

const nameOf = id => data.columns.find(c => c.id === id)?.name ?? id;
const plus = text => text.startsWith('-') || Number(text) === 0 ? text : '+' + text;
function outcome(a) { return !a.significant || a.only_this === a.only_other ? 'tie' : a.only_this > a.only_other ? 'win' : 'loss'; }

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
// and the name of a closed part opens that.
function follow() {
  let names;
  try {
    names = location.hash.slice(1).split('/').map(decodeURIComponent);
  } catch {
    return;
  }
  const column = id => keys.columns.indexOf(id), r = keys.rows.indexOf(names[0]);
  if (names.length === 2 && r >= 0 && column(names[1]) >= 0) return show(() => cellPanel(r, column(names[1])));
  const splits = names.length === 2 && column(names[1]) >= 0 ? keys.rows.flatMap((key, i) => key?.replace(/~\d+$/, '') === names[0] ? [i] : []) : [];
  if (splits.length) return show(() => splitsPanel(names[0], splits, column(names[1])));
  if (dialog.open) dialog.close();
  const target = document.getElementById(location.hash.slice(1)) ?? document.getElementById(names.join('/'));
  for (let part = target?.closest('details'); part; part = part.parentElement.closest('details')) part.open = true;
  target?.closest('details')?.scrollIntoView();
}
document.getElementById('close').addEventListener('click', () => dialog.close());
dialog.addEventListener('click', e => { if (e.target === dialog) dialog.close(); });
dialog.addEventListener('close', () => {
  if (location.hash !== shown) return; // another link has been followed
  const link = opener?.matches('a, summary') ? opener : all('a.n').find(a => a.getAttribute('href') === shown);
  history.replaceState(null, '', location.search + '#table'); // the same link may be followed again
  if (link && !document.activeElement?.matches('a')) link.focus();
});
addEventListener('hashchange', follow);

// ---- who wins over the chosen data sets, by the chosen measure
const scores = document.getElementById('scores') && JSON.parse(document.getElementById('scores').textContent);
const mean = xs => xs.reduce((sum, x) => sum + x, 0) / xs.length;
const boxes = all('#sets input');
const features = {
  all: () => true, two: s => s.classes === 2, more: s => s.classes > 2, small: s => s.rows > 0 && s.rows <= 1000, large: s => s.rows > 1000,
  narrow: s => s.features <= 20, wide: s => s.features > 20,
};

// midranks has 1 for the highest number; equal ones share the mean of their ranks.
const midranks = xs => xs.map(x => 1 + xs.filter(y => y > x).length + (xs.filter(y => y === x).length - 1) / 2);

// wilcoxon is p of the exact signed-rank test, null beyond 30 differences.
function wilcoxon(differences) {
  const d = differences.filter(x => x !== 0);
  if (d.length > 30) return null;
  const ranks = midranks(d.map(x => -Math.abs(x))).map(r => 2 * r);
  const total = ranks.reduce((sum, r) => sum + r, 0), plus = ranks.reduce((sum, r, i) => sum + (d[i] > 0 ? r : 0), 0);
  const ways = Array(Math.min(plus, total - plus) + 1).fill(0);
  ways[0] = 1;
  for (const r of ranks) for (let sum = ways.length - 1; sum >= r; sum--) ways[sum] += ways[sum - r];
  return Math.min(1, 2 * ways.reduce((sum, n) => sum + n, 0) / 2 ** d.length);
}

// wilson is the lower end of the 95 % interval of a share of n.
function wilson(k, n) {
  const z = 1.959963984540054;
  return k === 0 ? 0 : (2 * k + z * z - z * Math.sqrt(z * z + 4 * k * (n - k) / n)) / (2 * (n + z * z));
}
const three = x => String(Number(x.toPrecision(3))); // significant digits

function standing() {
  const measure = scores.measures.find(m => m.id === document.getElementById('c-measure').value) ?? scores.measures[0];
  const sets = boxes.flatMap((box, i) => box.checked && measure.scores[i].every(x => x !== null) ? [i] : []);
  const rows = sets.map(i => measure.scores[i]), who = document.getElementById('who'), body = document.querySelector('#winners tbody');
  if (sets.length < 2) {
    who.textContent = 'Choose at least two data sets on which every method has a score.';
    body.replaceChildren();
    return;
  }
  const shown = x => decimals(x, /percent/.test(measure.title) ? 2 : 4), ranked = rows.map(midranks), cd = scores.unit / Math.sqrt(sets.length);
  const lines = scores.methods.map((name, j) => {
    const took = sets.map(i => scores.seconds[i][j]), rank = mean(ranked.map(r => r[j])), of = rows.map(r => r[j]), at = mean(of), n = of.length;
    const half = scores.t[n - 2] * Math.sqrt(of.reduce((sum, x) => sum + (x - at) ** 2, 0) / (n - 1) / n), wins = rows.filter(r => r[j] === Math.max(...r)).length;
    const upTo = (low, high, digits = fixed) => n < scores.least ? '' : digits(low) + ' to ' + digits(high);
    return {name, j, rank, fields: [[fixed(rank), upTo(Math.max(1, rank - cd / 2), Math.min(scores.methods.length, rank + cd / 2))], [shown(at), upTo(Math.max(measure.range[0], at - half), Math.min(measure.range[1], at + half), shown)],
      [wins, upTo(n * wilson(wins, n), n * (1 - wilson(n - wins, n)))],
      took.every(t => t > 0) ? [three(mean(took)), three(Math.min(...took)) + ' to ' + three(Math.max(...took))] : ['', '']]};
  }).sort((a, b) => a.rank - b.rank);
  const best = lines.filter(l => l.rank - lines[0].rank < cd);
  who.replaceChildren(el('b', '', lines[0].name), ' has the best average rank, ' + fixed(lines[0].rank) + ' over ' + sets.length + ' data sets. ' +
    (best.length > 1 ? 'Not significantly worse: ' + best.slice(1).map(l => l.name).join(', ') : 'All others are significantly worse') +
    '. Average ranks differ significantly if they are at least ' + fixed(cd) + ' apart (Nemenyi’s test, level ' + scores.level + ').');
  body.replaceChildren(...lines.map(l => {
    const name = el('th', '', l.name);
    name.scope = 'row';
    const tr = el('tr', '', name, ...l.fields.map(([x, range], i) => el('td', i === 0 && best.includes(l) ? 'num best' : 'num', x, ...(range ? [el('small', '', range)] : []))));
    tr.dataset.i = lines.indexOf(l);
    return tr;
  }));
  resort();
  const rate = (a, b) => mean(rows.map(r => r[a] > r[b] ? 1 : r[a] < r[b] ? 0 : 0.5));
  document.querySelector('#rates div').replaceChildren(tableOf('Percent of the data sets on which the method of the row scores higher than that of the column; a tie is half',
    ['', ...lines.map(l => l.name)], lines.map(a => [a.name, ...lines.map(b => a === b ? el('td') : heat(Math.round(100 * rate(a.j, b.j)), rate(a.j, b.j)))])));
}

// duel shows two methods on the chosen data sets: a point for each difference.
function duel() {
  const measure = scores.measures.find(m => m.id === document.getElementById('c-measure').value) ?? scores.measures[0];
  const [a, b] = ['d-a', 'd-b'].map(id => Number(document.getElementById(id).value));
  const points = boxes.flatMap((box, i) => {
    const [x, y] = [measure.scores[i][a], measure.scores[i][b]];
    return box.checked && x !== null && y !== null ? [{name: scores.sets[i].name, d: Math.round(1e9 * (x - y)) / 1e9}] : [];
  });
  const said = document.getElementById('d-said'), svg = document.querySelector('#duel svg');
  svg.replaceChildren();
  if (!points.length || a === b) { said.textContent = 'Choose two different methods and a data set that both have a score on.'; return; }
  const wins = points.filter(p => p.d > 0).length, losses = points.filter(p => p.d < 0).length, p = points.length > 1 ? wilcoxon(points.map(p => p.d)) : null;
  said.textContent = scores.methods[a] + ' scores higher than ' + scores.methods[b] + ' on ' + wins + ' and lower on ' + losses + ' of ' + counted(points.length, 'data set') +
    '; on average by ' + fixed(mean(points.map(p => p.d))) + (p === null ? '.' : ' (Wilcoxon’s signed-rank test: p ' + shortP(p) + ', not corrected for looking at several pairs).');
  const most = Math.max(...points.map(p => Math.abs(p.d))) || 1, add = (tag, values, ...kids) => {
    const e = document.createElementNS('http://www.w3.org/2000/svg', tag);
    for (const [name, value] of Object.entries(values)) e.setAttribute(name, value);
    e.append(...kids);
    return e;
  };
  svg.setAttribute('viewBox', '0 0 340 ' + (30 + 16 * points.length));
  svg.append(add('path', {class: 't', d: 'M235 4V' + (16 * points.length + 8)}), add('text', {class: 'am l', x: 235, y: 16 * points.length + 24}, 'difference in points'));
  points.sort((x, y) => y.d - x.d).forEach((p, i) => svg.append(add('text', {class: 'ae', x: 130, y: 16 * i + 16}, p.name.slice(0, 20)),
    add('circle', {class: 'b', cx: 235 + 90 * p.d / most, cy: 16 * i + 12, r: 3.5}, add('title', {}, p.name + ': ' + fixed(p.d)))));
}
if (scores) {
  const group = document.getElementById('c-group'), ids = scores.sets.map(s => s.id);
  const choose = () => {
    const kept = ids.filter((_, i) => boxes[i].checked).map(encodeURIComponent);
    keep({sets: kept.length === ids.length ? '' : kept.join(' ') || ' ', measure: document.getElementById('c-measure').value === scores.measures[0].id ? '' : document.getElementById('c-measure').value,
      pair: ['d-a', 'd-b'].map(id => document.getElementById(id).value).join(' ')});
    standing();
    duel();
  };
  group.addEventListener('change', () => { boxes.forEach((box, i) => { box.checked = features[group.value](scores.sets[i]); }); choose(); });
  boxes.forEach(box => box.addEventListener('change', () => { group.value = boxes.every(b => b.checked) ? 'all' : 'some'; choose(); }));
  ['c-measure', 'd-a', 'd-b'].forEach(id => document.getElementById(id).addEventListener('change', choose));
  if (state.has('sets')) { const kept = state.get('sets').split(' '); boxes.forEach((box, i) => { box.checked = kept.includes(encodeURIComponent(ids[i])); }); group.value = 'some'; }
  if (scores.measures.some(m => m.id === state.get('measure'))) document.getElementById('c-measure').value = state.get('measure');
  const first = all('#winners tbody th').slice(0, 2).map(th => scores.methods.indexOf(th.textContent)), pair = state.has('pair') ? state.get('pair').split(' ').map(Number) : first;
  ['d-a', 'd-b'].forEach((id, i) => { document.getElementById(id).value = scores.methods[pair[i]] && pair.length === 2 ? pair[i] : i; });
  standing();
  duel();
}

// ---- a point of a figure leads to its number, one of several data sets to who wins over them
all('.m[data-to]').forEach(point => point.addEventListener('click', () => {
  const [set, method] = point.dataset.to.split('/').map(decodeURIComponent);
  if (!method || set === '*' && scores) { location.hash = method ? '#standing' : '#' + set; return; }
  const fits = pooled => a => {
    const [s, m] = a.getAttribute('href').slice(1).split('/').map(decodeURIComponent);
    return (set === '*' || (pooled ? s : s.replace(/~\d+$/, '')) === set) && m === method;
  };
  const link = all('a.n').find(fits(true)) ?? all('a.n').find(fits(false)); // of all splits, else of the first
  if (link) location.hash = link.getAttribute('href');
}));

// ---- figures as pictures of twice their size, light
all('button[data-png]').forEach(button => button.addEventListener('click', async () => {
  const drawn = button.closest('figure').querySelector('svg'), svg = drawn.cloneNode(true), style = document.querySelector('style').textContent;
  const rules = document.createElementNS('http://www.w3.org/2000/svg', 'style');
  rules.textContent = style.slice(style.indexOf('.fig {')).split('@media')[0];
  svg.prepend(rules);
  svg.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  const image = new Image(), canvas = document.createElement('canvas');
  image.src = 'data:image/svg+xml,' + encodeURIComponent(new XMLSerializer().serializeToString(svg));
  await image.decode();
  canvas.width = 2 * svg.getAttribute('width');
  canvas.height = 2 * svg.getAttribute('height');
  canvas.getContext('2d').drawImage(image, 0, 0, canvas.width, canvas.height);
  const a = document.createElement('a');
  a.download = button.dataset.png + '.png';
  a.href = canvas.toDataURL('image/png');
  a.click();
}));

// ---- tables that fit scroll with the page, under their heads; others in a box of their own
function fit() {
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
find.value = state.get('find') ?? '';
const asked = (state.get('methods') ?? '').split(' ');
methods.forEach(m => { m.checked = asked.includes(encodeURIComponent(m.value)); });
if (wanted && [...wanted.options].some(o => o.value === state.get('verdict'))) wanted.value = state.get('verdict');
if (String(state)) {
  filter();
  if (state.has('ranked')) document.getElementById('splits')?.setAttribute('open', '');
}
for (const id of (state.get('open') ?? '').split(' ')) {
  const part = document.getElementById(id);
  if (part instanceof HTMLDetailsElement) part.open = true;
}
fit();
follow();
})();
