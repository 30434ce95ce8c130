import { expect, test } from 'vitest';
import { aClient } from '../../../test-support/client.ts';
import { submitted } from '../../../test-support/verifications.ts';
import type { ClientRepository } from '../../subscription/client-repository.ts';
import { toRecord } from '../verification-record.ts';
import type { VerificationRepository } from '../verification-repository.ts';
import { WORK_PAGE } from '../work-through.ts';
import { createRecomputeWarnings, type RecomputeOptions } from './recompute-warnings.ts';

const client = aClient();

/** Recomputes a page of waiting cases of a client, and one of its test twin. Two of them have other outcomes than `unchanged`. */
async function recomputed(options?: RecomputeOptions) {
  const asked: string[] = [];
  const cases = Array.from({ length: WORK_PAGE + 1 }, (_, index) =>
    toRecord({ ...submitted(), id: `case-${index}`, clientId: index === 0 ? 'twin' : client.id }),
  );
  const clients: Pick<ClientRepository, 'find'> = {
    find: async (id) => (id === client.id ? { client, subscription: null } : null),
  };
  const verifications: Pick<VerificationRepository, 'queue'> = {
    queue: async ({ clientId, liveOnly, after, limit, countUpTo }) => {
      if (asked.length > cases.length) throw new Error('A page was read twice');
      const all = cases.filter((one) => one.clientId === (clientId ?? (liveOnly ? client.id : one.clientId)));
      const from = all.findIndex(({ id }) => id === after?.id) + 1;
      return { records: all.slice(from, from + limit), totalCount: Math.min(all.length, countUpTo) };
    },
  };
  const recompute = createRecomputeWarnings(
    { clients, verifications },
    async ({ clientId, verificationId: id }, { unlessCurrent } = { unlessCurrent: false }) => {
      asked.push(`${clientId} ${id} ${unlessCurrent ? 'unless current' : 'always'}`);
      return id === 'case-0' ? 'changed' : id === 'case-1' ? 'not_waiting' : 'unchanged';
    },
  );
  return { counts: await recompute(options), asked };
}

test('recomputeWarnings: recomputes all cases without current warnings, page by page, and counts the outcomes', async () => {
  const progress: object[] = [];
  const { counts, asked } = await recomputed({ onProgress: (each) => void progress.push(each) });
  expect(counts).toEqual({ changed: 1, unchanged: WORK_PAGE, unreadable: 0 });
  const [first, second, ...rest] = asked;
  expect([first, second]).toEqual(['twin case-0 unless current', `${client.id} case-1 unless current`]);
  expect(rest).toHaveLength(WORK_PAGE - 1);
  const total = WORK_PAGE + 1;
  expect(progress).toEqual([0, WORK_PAGE, total].map((done) => ({ done, total })));
});

test('recomputeWarnings: recomputes all cases of one client, current warnings included', async () => {
  const { asked } = await recomputed({ clientId: client.id, all: true });
  expect(asked).toHaveLength(WORK_PAGE);
  expect(asked[0]).toBe(`${client.id} case-1 always`);
});

test('recomputeWarnings: refuses an unknown client', async () => {
  await expect(recomputed({ clientId: 'unknown' })).rejects.toMatchObject({ code: 'CLIENT_NOT_FOUND' });
});
