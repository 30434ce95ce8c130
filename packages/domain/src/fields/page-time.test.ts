import { expect, it } from 'vitest';
import { currentFlow, stepOf, stepsOf } from '../verification/flow.ts';
import { minutesFor } from './page-time.ts';
import { type Page, pagesFor } from './pages.ts';

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
