// Draws a curve of cost against size as an SVG.

/**
 * @typedef {'light' | 'dark'} Theme
 *
 * @typedef {object} Line
 * @property {string} name written at its end
 * @property {readonly { x: number, y: number }[]} points at least one, `x` ascending; `x` and `y` above 0
 *
 * @typedef {object} Chart
 * @property {string} title
 * @property {string} xLabel of the axis, with its unit
 * @property {string} yLabel of the axis, with its unit
 * @property {readonly Line[]} lines at least one
 */

const WIDTH = 760;
const HEIGHT = 420;
const PLOT = { left: 64, right: 556, top: 72, bottom: 360 };
const LABEL_HEIGHT = 18;
/** From this ratio between the largest and the smallest value, both axes are logarithmic. */
const LOGARITHMIC_FROM = 20;

const THEMES = {
  light: {
    background: '#ffffff',
    text: '#1f2328',
    faint: '#59636e',
    grid: '#d8dee4',
    lines: ['#0969da', '#bc4c00', '#1a7f37', '#8250df', '#bf3989', '#7d4e00', '#0f766e', '#57606a'],
  },
  dark: {
    background: '#0d1117',
    text: '#f0f6fc',
    faint: '#9198a1',
    grid: '#30363d',
    lines: ['#58a6ff', '#f0883e', '#3fb950', '#bc8cff', '#f778ba', '#d29922', '#39c5bb', '#8b949e'],
  },
};

/**
 * Draws a chart whose horizontal axis is logarithmic. The same chart gives the same text.
 * @param {Chart} chart
 * @param {Theme} theme
 * @returns {string} an SVG document
 */
export function drawChart({ title, xLabel, yLabel, lines }, theme) {
  const colours = THEMES[theme];
  const points = lines.flatMap((line) => line.points);
  const xs = [...new Set(points.map(({ x }) => x))].sort((a, b) => a - b);
  const xAt = logarithmic(Math.min(...xs), Math.max(...xs), PLOT.left, PLOT.right);
  const { ticks, yAt } = verticalAxis(points.map(({ y }) => y));

  const grid = ticks.flatMap((value) => [
    `<line x1="${PLOT.left}" y1="${at(yAt(value))}" x2="${PLOT.right}" y2="${at(yAt(value))}" stroke="${colours.grid}"/>`,
    text(String(value), PLOT.left - 8, yAt(value) + 4, { colour: colours.faint, anchor: 'end' }),
  ]);
  const sizes = xs.flatMap((value) => [
    `<line x1="${at(xAt(value))}" y1="${PLOT.bottom}" x2="${at(xAt(value))}" y2="${PLOT.bottom + 5}" stroke="${colours.faint}"/>`,
    text(short(value), xAt(value), PLOT.bottom + 20, { colour: colours.faint, anchor: 'middle' }),
  ]);
  const ends = lines.map((line) => yAt(/** @type {{ y: number }} */ (line.points.at(-1)).y));
  const labels = apart(ends);
  const curves = lines.flatMap(({ name, points: own }, index) => {
    const colour = colours.lines[index % colours.lines.length] ?? colours.text;
    const last = /** @type {{ x: number, y: number }} */ (own.at(-1));
    return [
      `<polyline points="${own.map(({ x, y }) => `${at(xAt(x))},${at(yAt(y))}`).join(' ')}" fill="none" stroke="${colour}" stroke-width="2"/>`,
      ...own.map(({ x, y }) => `<circle cx="${at(xAt(x))}" cy="${at(yAt(y))}" r="3" fill="${colour}"/>`),
      text(`${name} ${rounded(last.y)}`, PLOT.right + 12, (labels[index] ?? 0) + 4, { colour }),
    ];
  });

  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}" role="img" font-family="system-ui, -apple-system, sans-serif" font-size="13">`,
    `<title>${escaped(title)}</title>`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="${colours.background}"/>`,
    text(title, PLOT.left, 28, { colour: colours.text, size: 16, weight: 600 }),
    text(yLabel, PLOT.left, 52, { colour: colours.faint }),
    ...grid,
    ...sizes,
    text(xLabel, (PLOT.left + PLOT.right) / 2, PLOT.bottom + 44, { colour: colours.faint, anchor: 'middle' }),
    ...curves,
    '</svg>',
    '',
  ].join('\n');
}

/**
 * Chooses a linear axis from 0, or a logarithmic one if the values differ much.
 * @param {readonly number[]} values
 */
function verticalAxis(values) {
  const [smallest, largest] = [Math.min(...values), Math.max(...values)];
  if (largest / smallest > LOGARITHMIC_FROM) {
    const [from, to] = [Math.floor(Math.log10(smallest)), Math.ceil(Math.log10(largest))];
    const ticks = Array.from({ length: to - from + 1 }, (_, index) =>
      Number((10 ** (from + index)).toPrecision(1)),
    );
    return { ticks, yAt: logarithmic(10 ** from, 10 ** to, PLOT.bottom, PLOT.top) };
  }
  const step = niceStep(largest / 4);
  const count = Math.ceil(largest / step);
  const ticks = Array.from({ length: count + 1 }, (_, index) => Number((index * step).toPrecision(6)));
  const top = count * step;
  return { ticks, yAt: (/** @type {number} */ y) => PLOT.bottom - (y / top) * (PLOT.bottom - PLOT.top) };
}

/** Returns 1, 2 or 5 times a power of ten, at least the given one. @param {number} least */
function niceStep(least) {
  const power = 10 ** Math.floor(Math.log10(least));
  return power * ([1, 2, 5, 10].find((factor) => factor * power >= least) ?? 10);
}

/** @param {number} from @param {number} to @param {number} start @param {number} end */
function logarithmic(from, to, start, end) {
  const span = Math.log10(to / from) || 1;
  return (/** @type {number} */ value) => start + (Math.log10(value / from) / span) * (end - start);
}

/**
 * Moves labels apart that would cover each other, and keeps their order.
 * @param {readonly number[]} wanted vertical positions
 * @returns {readonly number[]} in the order given
 */
function apart(wanted) {
  const order = wanted.map((y, index) => ({ y, index })).sort((a, b) => a.y - b.y);
  for (const [place, label] of order.entries()) {
    const above = order[place - 1];
    if (above !== undefined) label.y = Math.max(label.y, above.y + LABEL_HEIGHT);
  }
  // Those that left the plot at its foot move up again.
  for (const [place, label] of [...order.entries()].reverse()) {
    const below = order[place + 1];
    label.y = Math.min(label.y, below === undefined ? PLOT.bottom : below.y - LABEL_HEIGHT);
  }
  return order.sort((a, b) => a.index - b.index).map(({ y }) => y);
}

/**
 * @param {string} content
 * @param {number} x
 * @param {number} y
 * @param {{ colour: string, anchor?: 'start' | 'middle' | 'end', size?: number, weight?: number }} style
 */
function text(content, x, y, { colour, anchor = 'start', size, weight }) {
  const more = `${size === undefined ? '' : ` font-size="${size}"`}${weight === undefined ? '' : ` font-weight="${weight}"`}`;
  return `<text x="${at(x)}" y="${at(y)}" fill="${colour}" text-anchor="${anchor}"${more}>${escaped(content)}</text>`;
}

/** @param {number} position */
const at = (position) => String(Math.round(position * 10) / 10);

/** @param {number} value */
const rounded = (value) => (value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2));

/** Writes a size as people say it: 1 k, 100 k, 5 M. @param {number} value */
export function short(value) {
  if (value >= 1e6) return `${value / 1e6} M`;
  return value >= 1e3 ? `${value / 1e3} k` : String(value);
}

/** @param {string} content */
const escaped = (content) => content.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
