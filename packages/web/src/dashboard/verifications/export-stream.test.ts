import type { VerificationSummary } from '@countersign/domain';
import { describe, expect, it } from 'vitest';
import { exportStream } from './export-stream.ts';

const HEADER = 'id,type,subjectReference,status,requestedAt,submittedAt,resolvedAt,currentStep,totalSteps\r\n';

function row(number: number, parts: Partial<VerificationSummary> = {}): VerificationSummary {
  return {
    id: `id-${number}`,
    type: 'kyc',
    subjectReference: `user_${number}`,
    status: 'pending',
    requestedAt: new Date('2026-03-01T10:00:00.000Z'),
    submittedAt: null,
    resolvedAt: null,
    currentStep: 0,
    totalSteps: 6,
    ...parts,
  };
}

/** A list that notes how much of it was read. */
function source(count: number, failsAt = Infinity) {
  const seen = { read: 0, stopped: false };
  async function* rows(): AsyncGenerator<VerificationSummary> {
    try {
      for (let number = 1; number <= count; number += 1) {
        if (number === failsAt) throw new Error('connection to 10.0.0.7 lost');
        seen.read = number;
        yield row(number);
      }
    } finally {
      seen.stopped = true;
    }
  }
  return { rows: rows(), seen };
}

const never = (fault: unknown): void => {
  throw fault;
};

describe('the stream of an export', () => {
  it('the stream of an export has a header, then a line for each row, with times in ISO 8601 and empty cells for null', async () => {
    async function* rows() {
      yield row(1, { subjectReference: '=1,"2"', resolvedAt: new Date('2026-03-02T00:00:00.000Z') });
      yield row(2, { type: 'kyb', totalSteps: 7 });
    }
    const text = await new Response(exportStream(rows(), never)).text();
    expect(text).toBe(
      HEADER +
        `id-1,kyc,"'=1,""2""",pending,2026-03-01T10:00:00.000Z,,2026-03-02T00:00:00.000Z,0,6\r\n` +
        `id-2,kyb,user_2,pending,2026-03-01T10:00:00.000Z,,,0,7\r\n`,
    );
  });

  it('an export without rows has only the header', async () => {
    expect(await new Response(exportStream(source(0).rows, never)).text()).toBe(HEADER);
  });

  it.each([99, 100, 101, 250])('an export of %d rows has all rows', async (count) => {
    const text = await new Response(exportStream(source(count).rows, never)).text();
    expect(text.split('\r\n')).toHaveLength(count + 2);
    expect(text.endsWith(`\r\nid-${count},kyc,user_${count},pending,2026-03-01T10:00:00.000Z,,,0,6\r\n`)).toBe(
      true,
    );
  });

  it('reads nothing before the first pull, and one chunk per pull', async () => {
    const { rows, seen } = source(100_000);
    const reader = exportStream(rows, never).getReader();
    await new Promise((resolve) => setImmediate(resolve));
    expect(seen.read).toBe(0);
    await reader.read();
    await new Promise((resolve) => setImmediate(resolve));
    expect(seen.read).toBe(100);
  });

  it('other requests are answered between its chunks, even for a fast reader', async () => {
    let turns = 0;
    let isOver = false;
    const counting = (async () => {
      while (!isOver) {
        await new Promise((resolve) => setImmediate(resolve));
        turns += 1;
      }
    })();
    await new Response(exportStream(source(10_000).rows, never)).text();
    isOver = true;
    await counting;
    expect(turns).toBeGreaterThanOrEqual(100);
  });

  it('stops reading when it is cancelled', async () => {
    const { rows, seen } = source(100_000);
    const reader = exportStream(rows, never).getReader();
    await reader.read();
    await reader.cancel();
    expect(seen).toEqual({ read: 100, stopped: true });
  });

  it('cancelling during a read is not reported as a fault', async () => {
    const faults: unknown[] = [];
    const looking = Promise.withResolvers<void>();
    const found = Promise.withResolvers<void>();
    async function* rows() {
      looking.resolve();
      await found.promise;
      yield row(1);
    }
    const reader = exportStream(rows(), (fault) => void faults.push(fault)).getReader();
    const reading = reader.read();
    await looking.promise;

    const cancelling = reader.cancel();
    found.resolve();

    await cancelling;
    expect(await reading).toEqual({ done: true, value: undefined });
    await new Promise((resolve) => setImmediate(resolve));
    expect(faults).toEqual([]);
  });

  it('fails when reading fails, and reports the fault only to the service', async () => {
    const faults: unknown[] = [];
    const { rows } = source(1_000, 251);
    const reader = exportStream(rows, (fault) => void faults.push(fault)).getReader();
    await reader.read();
    await reader.read();
    await expect(reader.read()).rejects.toThrow(/^The download broke off$/);
    expect(faults.map(String)).toEqual(['Error: connection to 10.0.0.7 lost']);
  });
});
