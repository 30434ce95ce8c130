import { describe, expect, it } from 'vitest';
import { aClient } from '../../test-support/client.ts';
import { collected } from '../../test-support/collected.ts';
import { receipt } from '../../test-support/erasures.ts';
import { NOW } from '../../test-support/verifications.ts';
import { createRetentionReports, findUnfinishedErasures } from './retention-report.ts';

const MONTH = '2026-03';

/** Reports on this many receipts, and the positions that they were read after. */
function given({ count = 0, now = NOW }: { readonly count?: number; readonly now?: Date } = {}) {
  const receipts = Array.from({ length: count }, (_, index) => receipt(index + 1));
  const read: number[] = [];
  const reports = createRetentionReports({
    retention: {
      lastErasure: async () => count,
      erasures: async ({ after, limit }) => {
        read.push(after);
        return receipts.slice(after, after + limit);
      },
    },
    clients: { find: async () => ({ client: aClient() }) },
    clock: { now: () => now },
    secrets: { sha256: (text) => text },
  });
  return { reports, read };
}

describe('the monthly report', () => {
  it.each([
    [0, [0]],
    [99, [0]],
    [100, [0, 100]],
    [101, [0, 100]],
  ])('the monthly report of %i receipts reads on only after a full page', async (count, positions) => {
    const { reports, read } = given({ count });
    const { total, erasures } = await reports.report('client-1', MONTH);
    expect([total, read]).toEqual([count, positions]);
    expect(await collected(erasures())).toHaveLength(count);
    expect(read).toEqual([...positions, ...positions]);
  });

  it('the monthly report of a month is made from its first moment on, and refused before it', async () => {
    const begins = new Date('2026-03-01T00:00:00.000Z');
    const report = await given({ now: begins }).reports.report('client-1', MONTH);
    expect([report.from, report.madeAt]).toEqual([begins, begins]);
    const early = given({ now: new Date(begins.getTime() - 1) }).reports.report('client-1', MONTH);
    await expect(early).rejects.toMatchObject({
      code: 'INVALID_PARAMETERS',
      data: { issues: [{ path: 'month', message: 'must not be in the future' }] },
    });
  });
});

it('an erasure counts as unfinished ten minutes after it began', async () => {
  const asked: unknown[] = [];
  const retention = {
    unfinished: async (request: unknown) => {
      asked.push(request);
      return [];
    },
  };
  await findUnfinishedErasures(retention, { now: NOW, limit: 5 });
  expect(asked).toEqual([{ begunBefore: new Date('2026-03-01T09:50:00.000Z'), limit: 5 }]);
});
