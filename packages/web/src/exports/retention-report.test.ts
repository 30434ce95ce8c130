import {
  ERASURE_RULES,
  type Erasure,
  type ErasureRule,
  type RetentionReport,
} from '@countersign/domain/retention';
import { describe, expect, it } from 'vitest';
import { LANGUAGES } from '../site/language.ts';
import { retentionReportCsv } from './retention-csv.ts';
import { retentionReportDocument } from './retention-document.ts';

const AT = new Date('2026-04-02T10:00:00.000Z');

function erasure(number: number, values: Partial<Erasure> = {}): Erasure {
  const counts = { steps: 6, files: 3, events: 12 };
  const hash = 'ab'.repeat(32);
  return {
    number,
    clientId: 'client-1',
    verificationId: `v-${number}`,
    at: AT,
    rule: 'requested',
    ...counts,
    hash,
    finishedAt: AT,
    ...values,
  };
}

function reportOf(erasures: readonly Erasure[], name = 'Acme'): RetentionReport {
  const count = (rule: ErasureRule) => erasures.filter((each) => each.rule === rule).length;
  return {
    client: { id: 'client-1', name },
    month: '2026-04',
    from: new Date('2026-04-01T00:00:00Z'),
    until: new Date('2026-05-01T00:00:00Z'),
    madeAt: new Date('2026-05-02T00:00:00Z'),
    total: erasures.length,
    totals: Object.fromEntries(ERASURE_RULES.map((rule) => [rule, count(rule)])) as RetentionReport['totals'],
    async *erasures() {
      yield* erasures;
    },
  };
}

async function textOf(pieces: AsyncIterable<string>): Promise<string> {
  let text = '';
  for await (const piece of pieces) text += piece;
  return text;
}

describe('the report of a month as CSV', () => {
  it('the report of a month as CSV has a header and a line for each receipt, with times in UTC', async () => {
    const report = reportOf([erasure(7), erasure(9, { rule: 'log', finishedAt: null })]);
    expect(await textOf(retentionReportCsv(report))).toBe(
      [
        'number,verificationId,at,rule,steps,files,events,hash,finishedAt',
        `7,v-7,2026-04-02T10:00:00.000Z,requested,6,3,12,${'ab'.repeat(32)},2026-04-02T10:00:00.000Z`,
        `9,v-9,2026-04-02T10:00:00.000Z,log,6,3,12,${'ab'.repeat(32)},`,
        '',
      ].join('\r\n'),
    );
  });

  it('the report of a month as CSV has no formula that a spreadsheet runs', async () => {
    const text = await textOf(retentionReportCsv(reportOf([erasure(1, { verificationId: '=1+1' })])));
    expect(text).toContain("1,'=1+1,");
  });

  it('reads receipts only when its reader asks for the next line', async () => {
    let read = 0;
    const report = reportOf([]);
    const lines = retentionReportCsv({
      ...report,
      async *erasures() {
        for (;;) {
          read += 1;
          yield erasure(read);
        }
      },
    });
    for (let line = 0; line < 4; line += 1) await lines.next();
    await lines.return(undefined);
    expect(read).toBe(3);
  });
});

describe.each(LANGUAGES)('the report of a month as a page, in %s', (language) => {
  it('has every receipt, a total for each rule, and no text without a translation', async () => {
    const text = await textOf(
      retentionReportDocument(reportOf(ERASURE_RULES.map((rule, n) => erasure(n + 1, { rule }))), language),
    );
    expect(text).toMatch(/^<!doctype html>/);
    expect(text).toContain(`lang="${language}"`);
    for (const [n] of ERASURE_RULES.entries()) expect(text).toContain(`<td>v-${n + 1}</td>`);
    expect(text).not.toMatch(/wording:|erasureR|\{\{|undefined|\[object/);
    expect(text.match(/<dd>1<\/dd>/g)).toHaveLength(ERASURE_RULES.length);
  });

  it('escapes the name of the client, and needs no network', async () => {
    const text = await textOf(retentionReportDocument(reportOf([], '<script>alert(1)</script>'), language));
    expect(text).not.toContain('<script');
    expect(text).toContain('&lt;script&gt;');
    expect(text).not.toMatch(/https?:|src=|<table/);
  });
});

it('a report that was made before the end of its month says so', async () => {
  const early = { ...reportOf([]), madeAt: AT };
  expect(await textOf(retentionReportDocument(early, 'en'))).toContain('The month has not ended');
});
