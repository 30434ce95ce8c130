import { renderToString } from 'hono/jsx/dom/server';
import { describe, expect, it } from 'vitest';
import { pageDocument } from '../../test-support/page-document.ts';
import { Stat } from './stat.tsx';

/** Draws a number with a trend, as a page would. */
async function drawn(values: readonly (number | null)[], title = 'Created a day') {
  const props = { title: 'Created', figure: '7', note: '30 days', trend: { title, values } };
  const document = pageDocument(`<ul>${renderToString(await Stat(props))}</ul>`);
  return { document, points: document.querySelector('polyline')?.getAttribute('points') };
}

describe('a number with its trend', () => {
  it('says what it is, its figure, its trend and what to hold it against', async () => {
    const { document } = await drawn([1, 2], 'Created <a day>');
    expect(document.querySelector('.stat-title')?.textContent).toBe('Created');
    expect(document.querySelector('.figure')?.textContent).toBe('7');
    expect(document.querySelector('svg[role=img] > title')?.textContent).toBe('Created <a day>');
    expect(document.querySelector('.quiet')?.textContent).toBe('30 days');
  });

  it.each<[what: string, values: (number | null)[], points: string]>([
    ['no day: no line', [], ''],
    ['days without a value: no line', [null, null, null], ''],
    ['one value: a dot', [5], '0,2 0,2'],
    ['one value on the last day: a dot at the right', [null, null, 5], '120,2 120,2'],
    ['only zeros: a line at the bottom, inside the drawing', [0, 0], '0,30 120,30 120,30'],
    ['the greatest value: at the top, inside the drawing', [0, 10], '0,30 120,2 120,2'],
    ['a day without a value: passed over', [4, null, 2], '0,2 120,16 120,16'],
  ])('%s', async (_, values, points) => {
    expect((await drawn(values)).points).toBe(points);
  });
});
