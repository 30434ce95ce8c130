import { readFileSync } from 'node:fs';
import { labelsByMetric } from '@countersign/test-support/load/metric-samples';
import { parser } from '@prometheus-io/lezer-promql';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { METRICS, type Metric } from './metric-table.ts';
import { createMetrics } from './metrics.ts';

const read = (path: string) => readFileSync(new URL(`../../../../${path}`, import.meta.url), 'utf8');

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly for?: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string };
}

interface Panel {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly description?: string;
  readonly gridPos: { readonly x: number; readonly w: number };
  readonly targets?: readonly { readonly expr: string; readonly legendFormat: string }[];
}

const { groups } = parse(read('deploy/prometheus/alerts.yaml')) as {
  groups: readonly { rules: readonly Rule[] }[];
};
const rules = groups.flatMap((group) => group.rules);
const { panels } = JSON.parse(read('deploy/grafana/countersign.json')) as { panels: readonly Panel[] };
const targets = panels.flatMap(({ title, targets: queries = [] }) =>
  queries.map((query) => ({ title, ...query })),
);

/** Expressions as Prometheus gets them: Grafana replaces its variables. */
const EXPRESSIONS: readonly (readonly [name: string, expression: string])[] = [
  ...rules.map(({ alert, expr }) => [`alert ${alert}`, expr] as const),
  ...targets.map(({ title, expr }) => [`panel ${title}`, expr.replaceAll('$__rate_interval', '5m')] as const),
];

interface Query {
  /** The metrics of an expression, with the labels that it selects by. */
  readonly selectors: readonly { readonly metric: string; readonly labels: readonly string[] }[];
  /** The labels that it groups by. */
  readonly groupedBy: readonly string[];
  readonly errors: number;
}

function readExpression(expression: string): Query {
  const selectors: { metric: string; labels: string[] }[] = [];
  const groupedBy: string[] = [];
  let errors = 0;
  parser.parse(expression).iterate({
    enter({ type, node, from, to }) {
      const text = expression.slice(from, to);
      if (type.isError) errors += 1;
      if (type.name === 'Identifier' && node.parent?.name === 'VectorSelector')
        selectors.push({ metric: text, labels: [] });
      if (type.name !== 'LabelName') return;
      if (node.parent?.name === 'GroupingLabels') groupedBy.push(text);
      else selectors.at(-1)?.labels.push(text);
    },
  });
  return { selectors, groupedBy, errors };
}

/** Labels that Prometheus adds to every sample. */
const ADDED = ['instance', 'job'];

/** Labels of each sample of a metric, by its name. */
function samplesOf({ labels = {}, ...metric }: Metric): (readonly [name: string, labels: readonly string[]])[] {
  const names = [...Object.keys(labels), ...ADDED];
  if ('counter' in metric) return [[metric.counter, names]];
  if ('gauge' in metric) return [[metric.gauge, names]];
  const suffixes = { _bucket: [...names, 'le'], _sum: names, _count: names };
  return Object.entries(suffixes).map(([suffix, withBound]) => [metric.histogram + suffix, withBound]);
}

it('alerts and dashboard use only metrics and labels that servers have', async () => {
  const table: readonly Metric[] = Object.values(METRICS).flatMap((part) => Object.values(part));
  const ofProcess = [...labelsByMetric(await createMetrics().text())].filter(
    ([name]) => !name.startsWith('countersign_'),
  );
  const labelsOf = new Map([
    ...table.flatMap(samplesOf),
    ...ofProcess.map(([name, labels]) => [name, [...labels, ...ADDED]] as const),
    // Prometheus' own.
    ['up', ADDED] as const,
  ]);
  const unknown = EXPRESSIONS.flatMap(([name, expression]) => {
    const { selectors, groupedBy } = readExpression(expression);
    const grouped = selectors.flatMap(({ metric }) => labelsOf.get(metric) ?? []);
    return [
      ...selectors.filter(({ metric }) => !labelsOf.has(metric)).map(({ metric }) => `${name}: ${metric}`),
      ...selectors.flatMap(({ metric, labels }) =>
        labels
          .filter((label) => !labelsOf.get(metric)?.includes(label))
          .map((label) => `${name}: ${metric} by ${label}`),
      ),
      ...groupedBy.filter((label) => !grouped.includes(label)).map((label) => `${name}: by ${label}`),
    ];
  });
  expect(unknown).toEqual([]);
});

describe('expressions', () => {
  it.each(EXPRESSIONS)('expressions of %s are valid PromQL', (_, expression) => {
    const { selectors, errors } = readExpression(expression);
    expect(errors).toBe(0);
    expect(selectors.length).toBeGreaterThan(0);
  });

  it('expressions that are invalid, and their labels, are found', () => {
    expect(readExpression('sum(rate(a{b="c"}[5m]').errors).toBeGreaterThan(0);
    expect(readExpression('sum by (d, e) (rate(a{b="c",f=~"g.*"}[5m])) / h')).toEqual({
      selectors: [
        { metric: 'a', labels: ['b', 'f'] },
        { metric: 'h', labels: [] },
      ],
      groupedBy: ['d', 'e'],
      errors: 0,
    });
  });
});

it('each alert has a severity, a summary and a row in docs/operations.md that says what to do', () => {
  const docs = read('docs/operations.md');
  const table = docs.slice(docs.indexOf('| alert '));
  const described = [...table.slice(0, table.indexOf('\n\n')).matchAll(/^\| `(\w+)` +\| (.+) \|$/gm)];
  expect(described.map(([, name]) => name)).toEqual(rules.map(({ alert }) => alert));
  for (const [, , advice = ''] of described) expect(advice.trim().length).toBeGreaterThan(20);
  for (const { labels, annotations } of rules) {
    expect(['critical', 'warning']).toContain(labels.severity);
    expect(annotations.summary.length).toBeGreaterThan(10);
  }
});

it('alerts cover responses with 500, paused endpoints and, without a wait, an incomplete erasure log', () => {
  const ruleOf = (metric: string) => rules.find(({ expr }) => expr.includes(metric));
  expect(ruleOf('countersign_internal_errors_total')?.expr).toMatch(/^sum\(increase\(\w+\[10m\]\)\) > 0$/);
  expect(ruleOf('countersign_webhook_endpoints_paused')?.for).toBeUndefined();
  expect(ruleOf('countersign_erasure_log_missing_entries')).toMatchObject({ alert: 'ErasureLogIncomplete' });
  expect(ruleOf('countersign_erasure_log_missing_entries')?.for).toBeUndefined();
});

it('an alert that compares the time waits, because the moment is 0 when a server starts', () => {
  const compared = rules.filter(({ expr }) => expr.includes('time()'));
  expect(compared.map(({ alert }) => alert)).toContain('FiguresStale');
  expect(compared.filter((rule) => rule.for === undefined).map(({ alert }) => alert)).toEqual([]);
});

it('each panel has an id of its own, a description and named series, and fits in the width', () => {
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  for (const { type, description = '', targets: queries = [], gridPos } of panels) {
    expect(gridPos.x + gridPos.w).toBeLessThanOrEqual(24);
    if (type === 'row') continue;
    expect(description).not.toBe('');
    expect(queries.every(({ legendFormat }) => legendFormat !== '')).toBe(true);
    expect(queries.length).toBeGreaterThan(0);
  }
});
