import { describe, expect, it } from 'vitest';
import { portWith } from '../../test-support/port-with.ts';
import { found as foundOf, NOW, pending, submitted } from '../../test-support/verifications.ts';
import { COUNTED_MATCHES } from '../subscription/bounded-count.ts';
import { createClientVerifications } from './client-verifications.ts';
import type { CreateForRequester } from './create-verification.ts';
import { BUILT_IN_FLOWS } from './flow.ts';
import { positionText } from './page-position.ts';
import type { FoundVerification } from './retained.ts';
import type { Hold, Verification } from './verification.ts';
import { toRecord, type VerificationRecord } from './verification-record.ts';
import type { VerificationRepository } from './verification-repository.ts';

type Query = Parameters<VerificationRepository['browse']>[1];

/** The service over a storage with `total` verifications, and what it asked for. */
function given({
  total = 0,
  record = {},
  referenced = [],
  opened = null,
}: {
  total?: number;
  record?: Partial<VerificationRecord>;
  referenced?: readonly VerificationRecord[];
  opened?: FoundVerification | null;
} = {}) {
  const queries: Query[] = [];
  const requests: Parameters<CreateForRequester>[] = [];
  let left = total;
  const browse: VerificationRepository['browse'] = async (_clientId, query) => {
    queries.push(query);
    const count = Math.min(left, query.limit);
    left -= count;
    const records = Array.from({ length: count }, (_, index) => ({
      ...toRecord({ ...pending(), id: `id-${left + index}` }),
      ...record,
    }));
    return { records, totalCount: total };
  };
  const findByShortReference: VerificationRepository['findByShortReference'] = async () => referenced;
  const asked: string[][] = [];
  const findEndings: VerificationRepository['findEndings'] = async (of) => {
    asked.push(of.map(({ clientId, verificationId }) => `${clientId} ${verificationId}`));
    return new Map([['id-0', 'withdrawn']]);
  };
  const service = createClientVerifications(
    {
      verifications: portWith<VerificationRepository>({ browse, findEndings, findByShortReference }),
      findWithData: async () => opened,
      flows: BUILT_IN_FLOWS,
      clients: { find: async () => null },
      createFor: (...request) => {
        requests.push(request);
        return Promise.reject(new Error('not created'));
      },
      links: { url: (id) => `https://verify.example/${id}`, idIn: (url) => url, check: () => undefined },
    },
    { clientId: 'client-1', userId: 'user-1' },
  );
  return { service, queries, requests, asked };
}

async function exported(total: number) {
  const { service, queries } = given({ total });
  const { totalCount, rows } = await service.export({});
  let count = 0;
  for await (const _ of rows) count += 1;
  return { totalCount, count, queries };
}

describe('an export', () => {
  it.each([
    [0, 1],
    [99, 1],
    [100, 2],
    [101, 2],
    [200, 3],
  ])('an export of %i verifications reads %i pages', async (total, pages) => {
    const { totalCount, count, queries } = await exported(total);
    expect([totalCount, count, queries.length]).toEqual([total, total, pages]);
  });

  it('counts the matches on the first page only, and continues after the last row', async () => {
    const { queries } = await exported(101);
    expect(queries).toMatchObject([{ after: undefined }, { after: { requestedAt: NOW }, withoutTotal: true }]);
    expect(queries[0]).not.toHaveProperty('withoutTotal');
  });
});

it('a verification of a flow that is gone stays in the list, at its current step', async () => {
  const { service } = given({ total: 1, record: { flowVersion: 99, currentStep: 4 } });
  const { items, next } = await service.browse({});
  expect(items).toMatchObject([{ currentStep: 4, totalSteps: 4 }]);
  expect(next).toBeNull();
});

it('a page has 25 verifications, and a next page only if there are more', async () => {
  const { items, next } = await given({ total: 25 }).service.browse({});
  expect([items.length, next]).toEqual([25, null]);
  const more = await given({ total: 26 }).service.browse({});
  expect([more.items.length, more.next]).toEqual([25, expect.stringMatching(/^2026-03-01T10:00:00\.000Z_id-/)]);
});

it('a page has as many verifications as a request names, and reads one more', async () => {
  const { service, queries } = given({ total: 9 });
  const { items, total, next } = await service.browse({ limit: 8 });
  expect([items.length, total.count, next !== null, queries[0]?.limit]).toEqual([8, 9, true, 9]);
  for (const limit of [0, 101, 2.5]) {
    await expect(service.browse({ limit })).rejects.toMatchObject({ code: 'INVALID_PARAMETERS' });
  }
  expect(queries).toHaveLength(1);
});

it('a creation for a client that is gone has no subscription', async () => {
  const { service, requests } = given();
  await expect(service.create({}, { idempotencyKey: 'form-1' })).rejects.toThrow('not created');
  const actor = { kind: 'team_member', id: 'user-1' };
  const requester = { clientId: 'client-1', subscription: null, mode: 'live', linkDays: null, actor };
  expect(requests).toEqual([[requester, {}, 'form-1']]);
});

it('a page reads once how its rejected verifications ended, and not of open ones', async () => {
  const { service, asked } = given({ total: 26, record: { status: 'rejected', resolvedAt: NOW } });
  const { items } = await service.browse({});
  expect(items.map(({ endedBy }) => endedBy)).toEqual(['withdrawn', ...Array.from({ length: 24 }, () => null)]);
  expect(asked.map(({ length }) => length)).toEqual([25]);

  const open = given({ total: 26 });
  expect((await open.service.browse({})).items[0]).toMatchObject({ status: 'pending', endedBy: null });
  expect(open.asked).toEqual([]);
});

it('an export does not read how verifications ended', async () => {
  const { service, asked } = given({ total: 3, record: { status: 'rejected', resolvedAt: NOW } });
  const { rows } = await service.export({});
  for await (const row of rows) expect(row).not.toHaveProperty('endedBy');
  expect(asked).toEqual([]);
});

it('a search lists a verification that it finds by both references once, and none of another status', async () => {
  const reference = '7K3F-92QD';
  const named = { ...toRecord(pending()), id: 'named' };
  const both = { ...toRecord(pending()), id: 'both', subjectReference: `${reference}-1` };
  const other = { ...named, id: 'other', status: 'submitted' as const };
  const found = { total: 1, record: both, referenced: [named, both, other] };
  const { items, total } = await given(found).service.browse({ search: reference, status: 'pending' });
  expect(items.map(({ id }) => id)).toEqual(['named', 'both']);
  expect(total).toEqual({ count: 2, isExact: true });
});

const REFERENCE = '7K3F-92QD';
const NAMED = { ...toRecord(pending()), id: 'named' };

it('a search counts up to a limit, a list without a search all', async () => {
  const total = COUNTED_MATCHES + 1;
  const searched = await given({ total }).service.browse({ search: 'user' });
  expect(searched.total).toEqual({ count: COUNTED_MATCHES, isExact: false });

  const { service, queries } = given({ total });
  expect((await service.browse({})).total).toEqual({ count: total, isExact: true });
  expect(queries[0]).not.toHaveProperty('countUpTo');
});

it('a search lists what its short reference names on the first page only', async () => {
  const after = positionText({ at: NOW, id: '01993d4c-5a80-7cc5-b4b4-3c1f0ae1a602' });
  const pageOf = (request: { after?: string }) =>
    given({ total: 1, referenced: [NAMED] }).service.browse({ search: REFERENCE, ...request });
  expect((await pageOf({})).items.map(({ id }) => id)).toEqual(['named', 'id-0']);
  expect((await pageOf({ after })).items.map(({ id }) => id)).toEqual(['id-0']);
});

it('an export of a search counts what its short reference names', async () => {
  const { service } = given({ total: 2, referenced: [NAMED] });
  const { totalCount, rows } = await service.export({ search: REFERENCE });
  const ids: string[] = [];
  for await (const { id } of rows) ids.push(id);
  expect([totalCount, ids]).toEqual([3, ['named', 'id-0', 'id-1']]);
});

describe('a team and the hold of a verification', () => {
  const heldBy = (setBy: Hold['setBy']): FoundVerification => ({
    ...foundOf({ ...submitted(), heldAt: NOW, hold: { reason: 'A lawsuit', setBy } }),
    data: { state: 'held', until: null },
  });
  const erased: Verification = { ...submitted(), erasedAt: NOW };

  it.each<[what: string, opened: FoundVerification, mayHold: boolean, mayReleaseHold: boolean]>([
    ['without a hold may set one', foundOf(submitted()), true, false],
    ['with a hold of the team may change and release it', heldBy('team_member'), true, true],
    ['with a hold of an operator may do neither', heldBy('operator'), false, false],
    ['after the erasure may set none', foundOf(erased), false, false],
  ])('a verification %s', async (_, opened, mayHold, mayReleaseHold) => {
    const options = { withSubmittedData: true, withLink: true, withHold: true };
    const { retention } = await given({ opened }).service.open('verification-1', options);
    expect(retention).toMatchObject({ mayHold, mayReleaseHold });
  });
});
