import { readFileSync } from 'node:fs';
import { givenApi } from '@countersign/test-support/installation/customer';
import { labelsByMetric } from '@countersign/test-support/load/metric-samples';
import { startRecordingReceiver } from '@countersign/test-support/load/webhook-receivers';
import { countersignHere } from '@countersign/test-support/processes/command-line';
import { freePort } from '@countersign/test-support/processes/free-port';
import { startServer } from '@countersign/test-support/processes/server-process';
import { until } from '@countersign/test-support/processes/until';
import { describeWith, startPostgres } from '@countersign/test-support/servers';
import { startMailServer } from '@countersign/test-support/servers/mail-server';
import { parser } from '@prometheus-io/lezer-promql';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

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

/** Labels that Prometheus adds to every sample, and its own metric. */
const ADDED = ['instance', 'job'];
const OF_PROMETHEUS = new Map([['up', new Set<string>()]]);

/** Starts a server with a mail server and an endpoint, uses all of them, and returns its metrics. */
async function metricsInUse(env: Readonly<Record<string, string>>): Promise<string> {
  const metricsPort = await freePort();
  const mailServer = await startMailServer();
  const server = await startServer({
    env: {
      ...env,
      METRICS_PORT: String(metricsPort),
      SMTP_URL: `smtp://127.0.0.1:${mailServer.port}`,
      MAIL_FROM: 'no-reply@service.example',
    },
  });
  const { clientId, api } = await givenApi(server);
  const { url } = await startRecordingReceiver();
  const endpoint = ['--client', clientId, '--name', 'shop', '--url', url, '--types', 'verification.created'];
  await countersignHere(['webhook', 'create', ...endpoint], server.env);
  for (let n = 0; n < 20; n++) {
    await api.post({
      subjectType: 'kyc',
      subjectReference: `user ${n % 15}`,
      notify: { email: `u${n}@person.example` },
    });
    await api.get('/verifications');
  }
  const text = async () => (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  await until(async () => /^countersign_disk_bytes\{/m.test(await text()));
  await until(async () => /^countersign_webhook_attempts_total\{.*\} [1-9]/m.test(await text()));
  await until(async () => /^countersign_mail_attempts_total\{.*\} [1-9]/m.test(await text()));
  return text();
}

describeWith(['postgres'], 'alerts and dashboard', () => {
  it('use only metrics and labels that servers under load have', async () => {
    const postgres = await startPostgres({ fsync: false });
    onTestFinished(() => postgres.stop());
    const texts = [await metricsInUse({}), await metricsInUse({ DATABASE_URL: await postgres.createDatabase() })];
    const printed = new Map([...texts.flatMap((text) => [...labelsByMetric(text)]), ...OF_PROMETHEUS]);
    const unknown = EXPRESSIONS.flatMap(([name, expression]) => {
      const { selectors, groupedBy } = readExpression(expression);
      const labelsOf = (metric: string) => [...(printed.get(metric) ?? []), ...ADDED];
      const grouped = selectors.flatMap(({ metric }) => labelsOf(metric));
      return [
        ...selectors.filter(({ metric }) => !printed.has(metric)).map(({ metric }) => `${name}: ${metric}`),
        ...selectors.flatMap(({ metric, labels }) =>
          labels
            .filter((label) => !labelsOf(metric).includes(label))
            .map((label) => `${name}: ${metric} by ${label}`),
        ),
        ...groupedBy.filter((label) => !grouped.includes(label)).map((label) => `${name}: by ${label}`),
      ];
    });
    expect(unknown).toEqual([]);
    // Prometheus sees no increase in a counter that begins with 1.
    for (const text of texts)
      expect(text).toMatch(/^countersign_job_runs_total\{job="tidy_evidence",outcome="failed"\} 0$/m);
  });
});

describe('expressions', () => {
  it.each(EXPRESSIONS)('of %s are valid PromQL', (_, expression) => {
    const { selectors, errors } = readExpression(expression);
    expect(errors).toBe(0);
    expect(selectors.length).toBeGreaterThan(0);
  });

  it('that are invalid, and their labels, are found', () => {
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
