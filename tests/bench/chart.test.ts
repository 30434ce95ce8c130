import { describe, expect, it } from 'vitest';
import { drawChart } from './chart.mjs';

const SIZES = [1_000, 100_000, 1_000_000];

/** A line with these values at 1,000, 100,000 and 1,000,000 rows. */
function line(name: string, ...values: number[]) {
  return { name, points: values.map((y, index) => ({ x: SIZES[index] ?? 0, y })) };
}

function draw(lines: ReturnType<typeof line>[], theme: 'light' | 'dark' = 'light') {
  return drawChart({ title: 'Cost', xLabel: 'rows', yLabel: 'p50, ms', lines }, theme);
}

/** The texts of the chart with their positions. */
function texts(svg: string) {
  const found = svg.matchAll(/<text x="([\d.-]+)" y="([\d.-]+)"[^>]*>([^<]*)</g);
  return [...found].map(([, x, y, text]) => ({ x: Number(x), y: Number(y), text: text ?? '' }));
}

/** The points of each curve. */
function curves(svg: string) {
  return [...svg.matchAll(/<polyline points="([^"]+)"/g)].map(([, points = '']) =>
    points.split(' ').map((point) => point.split(',').map(Number)),
  );
}

describe('chart', () => {
  it('names its title, both axes, every size and every curve with its last value', () => {
    const written = texts(draw([line('status', 3, 40, 45), line('type', 3, 3, 3.21)])).map(({ text }) => text);
    for (const text of ['Cost', 'rows', 'p50, ms', '1 k', '100 k', '1 M', 'status 45.0', 'type 3.21']) {
      expect(written).toContain(text);
    }
  });

  it('places sizes by their logarithm: 100,000 lies at two thirds between 1,000 and 1,000,000', () => {
    const [[first, second, third] = []] = curves(draw([line('status', 1, 2, 3)]));
    const [from = 0, middle = 0, to = 0] = [first?.[0], second?.[0], third?.[0]];
    expect((middle - from) / (to - from)).toBeCloseTo(2 / 3, 2);
  });

  it('starts a linear axis at 0, so that a flat curve looks flat', () => {
    const svg = draw([line('flat', 4, 4, 4)]);
    const [flat = []] = curves(svg);
    expect(new Set(flat.map(([, y]) => y)).size).toBe(1);
    expect(texts(svg).map(({ text }) => text)).toContain('0');
  });

  it('chart has a logarithmic cost axis where values differ by more than a factor of 20', () => {
    const svg = draw([line('slow', 2, 50, 700), line('fast', 2, 2, 2)]);
    const ticks = texts(svg).map(({ text }) => text);
    for (const tick of ['1', '10', '100', '1000']) expect(ticks).toContain(tick);
    expect(ticks).not.toContain('0');
  });

  it('keeps the labels of equal curves apart and inside the plot', () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
    const svg = draw(names.map((name) => line(name, 0.01, 0.01, 0.01)).concat(line('top', 9, 9, 0.15)));
    const heights = texts(svg)
      .filter(({ text }) => /^([a-g]|top) 0/.test(text))
      .map(({ y }) => y)
      .sort((one, other) => one - other);
    expect(heights).toHaveLength(8);
    const gaps = heights.slice(1).map((y, index) => y - (heights[index] ?? 0));
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(17);
    expect(Math.max(...heights)).toBeLessThan(380);
  });

  it('draws the same chart as the same text, and another for dark pages', () => {
    const lines = [line('status', 3, 40, 45)];
    expect(draw(lines)).toBe(draw(lines));
    expect(draw(lines, 'dark')).not.toBe(draw(lines));
  });

  it('escapes names, so that the SVG stays well-formed', () => {
    expect(draw([line('a < b & c', 1, 1, 1)])).toContain('a &lt; b &amp; c 1.00');
  });
});
