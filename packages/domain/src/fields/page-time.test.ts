import { expect, it } from 'vitest';
import { currentFlow, stepOf, stepsOf } from '../verification/flow.ts';
import type { Field } from './field.ts';
import { minutesFor } from './page-time.ts';
import { makePages, type Page, pagesFor } from './pages.ts';

function pagesOf(type: 'kyc' | 'kyb'): Page[] {
  const flow = currentFlow(type);
  return stepsOf(flow).flatMap((step) => {
    const definition = stepOf(flow, step);
    return definition === null ? [] : [...pagesFor(definition, {})];
  });
}

it('minutesFor: a whole flow takes what its invitation says', () => {
  expect([minutesFor(pagesOf('kyc')), minutesFor(pagesOf('kyb'))]).toEqual([10, 20]);
});

it('minutesFor: the time never grows on the way, and the last page takes a minute', () => {
  for (const type of ['kyc', 'kyb'] as const) {
    const pages = pagesOf(type);
    const times = pages.map((_, index) => minutesFor(pages.slice(index)));
    expect(times).toEqual([...times].sort((a, b) => b - a));
    expect(times.at(-1)).toBe(1);
  }
});

it('minutesFor: no page takes no time', () => {
  expect(minutesFor([])).toBe(0);
});

const text = { kind: 'text', max: 10 } as const;

it.each<[minutes: number, count: number, name: string, field: Field]>([
  [2, 4, 'a text', text],
  [2, 4, 'a text that the subject enters', { ...text, by: 'subject' }],
  [1, 4, 'a text that the page enters', { ...text, by: 'page' }],
  [3, 4, 'rows of two texts', { kind: 'rows', max: 3, fields: { first: text, second: text } }],
  [10, 28, 'a text', text],
  [15, 30, 'a text', text],
])('minutesFor: it takes %i minutes to answer %i pages with %s', (minutes, count, _name, field) => {
  const pages = Array.from({ length: count }, () => makePages({ field }, { page: ['field'] }));
  expect(minutesFor(pages.flat())).toBe(minutes);
});
