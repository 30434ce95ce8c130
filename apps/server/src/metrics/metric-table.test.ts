import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { METRICS, type Metric } from './metric-table.ts';
import { createMetrics } from './metrics.ts';

const DOCS = readFileSync(new URL('../../../../docs/operations.md', import.meta.url), 'utf8');

const table: readonly Metric[] = Object.values(METRICS).flatMap((part) => Object.values(part));
const nameOf = (metric: Metric): string =>
  'counter' in metric ? metric.counter : 'gauge' in metric ? metric.gauge : metric.histogram;

test('metrics: docs/operations.md lists each metric of the table, and no other', () => {
  const documented = [...DOCS.matchAll(/^\| `(countersign_\w+)`/gm)].map(([, name]) => name);
  expect(documented.toSorted()).toEqual(table.map(nameOf).toSorted());
  // SQL names tables.
  const withoutSql = DOCS.replaceAll(/```sql[\s\S]*?```/g, '');
  const inRules = [...withoutSql.matchAll(/countersign_\w+/g)].map(([name]) => name.replace(/_count$/, ''));
  expect(inRules.filter((name) => !documented.includes(name))).toEqual([]);
});

test('metrics: docs/operations.md names the labels of each metric, and the values that the table lists', () => {
  const missing = table.flatMap((metric) => {
    const row = new RegExp(`^\\| \`${nameOf(metric)}\` .*$`, 'm').exec(DOCS)?.[0] ?? '';
    const words = Object.entries(metric.labels ?? {}).flatMap(([label, values]) =>
      values === 'any' ? [label] : [label, ...values],
    );
    return words.filter((word) => !row.includes(`\`${word}\``)).map((word) => `${nameOf(metric)}: ${word}`);
  });
  expect(missing).toEqual([]);
});

test('metrics: a counter whose only label has listed values prints each at 0; one whose values callers choose prints none', async () => {
  const text = await createMetrics().text();
  const starts = (name: string) =>
    [...text.matchAll(new RegExp(`^${name}{(.*)} (\\d+)$`, 'gm'))].map((line) => line.slice(1));
  const { signInFailures, secretUses, refusals } = METRICS.server;
  for (const [{ counter }, label, values] of [
    [signInFailures, 'reason', signInFailures.labels.reason],
    [secretUses, 'secret', secretUses.labels.secret],
  ] as const) {
    expect(starts(counter)).toEqual(values.map((value) => [`${label}="${value}"`, '0']));
  }
  expect(starts(refusals.counter)).toEqual([]);
});

test('metrics: a label, a value or a reading that the table does not have is a compile error', () => {
  const { refusals, evidenceUnavailable, begin } = createMetrics();
  expect(() => {
    // @ts-expect-error: no such label
    refusals.inc({ reason: 'NOT_FOUND' });
  }).toThrow('reason');
  // @ts-expect-error: no such operation
  evidenceUnavailable.inc({ operation: 'move' });
  // @ts-expect-error: its value is read at each scrape
  begin('sqlite', {});
});
