import { beforeEach, describe, expect, it } from 'vitest';
import { dataOf, expectRefusal } from '../test-support/answer.ts';
import { type GivenApi, type GivenClient, givenApi, givenClient } from '../test-support/api.ts';

interface Item {
  readonly subjectReference: string;
}

let api: GivenApi;
let client: GivenClient;

beforeEach(async () => {
  api = givenApi();
  client = await givenClient(api);
});

/** Creates one verification a minute for each reference; `company…` is a business. */
async function givenVerifications(...references: string[]): Promise<void> {
  for (const subjectReference of references) {
    const subjectType = subjectReference.startsWith('company') ? 'kyb' : 'kyc';
    await api.countersign.verifications.create(client.principal, { subjectType, subjectReference });
    api.clock.advance(60_000);
  }
}

const list = (query = '') => api.request(`/verifications${query}`, { key: client.key });

async function referencesOf(query: string): Promise<string[]> {
  const { body } = await list(query);
  return (dataOf({ body }).verifications as Item[]).map(({ subjectReference }) => subjectReference);
}

describe('GET /verifications', () => {
  it('no verifications: an empty page', async () => {
    expect(await list()).toMatchObject({
      status: 200,
      body: {
        success: true,
        data: {
          verifications: [],
          pagination: { page: 1, limit: 20, totalCount: 0, totalPages: 0, hasMore: false },
        },
      },
    });
  });

  it('returns complete verifications, newest first', async () => {
    await givenVerifications('user_1', 'user_2');
    const { body } = await list();
    expect((dataOf({ body }).verifications as Item[])[0]).toEqual({
      id: expect.any(String) as string,
      type: 'kyc',
      subjectReference: 'user_2',
      status: 'pending',
      requestedAt: '2026-01-15T12:01:00.000Z',
      resolvedAt: null,
      currentStep: 0,
      verificationUrl: expect.stringContaining('/verify/') as string,
      submittedData: {},
      metadata: {},
    });
    expect(await referencesOf('')).toEqual(['user_2', 'user_1']);
  });

  it('returns one page', async () => {
    await givenVerifications('a', 'b', 'c', 'd', 'e');
    const pages = ['a,b', 'c,d', 'e', ''];
    for (const [index, expected] of pages.entries()) {
      const query = `?limit=2&page=${index + 1}&sortOrder=asc`;
      expect((await referencesOf(query)).join()).toBe(expected);
      const pagination = { page: index + 1, limit: 2, totalCount: 5, totalPages: 3, hasMore: index < 2 };
      expect(dataOf(await list(query)).pagination).toEqual(pagination);
    }
  });

  it.each([
    ['?type=kyb', ['company_1']],
    ['?status=pending', ['a b', 'company_1', 'user_10', 'user_1']],
    ['?status=approved', []],
    ['?subjectReference=user_1', ['user_1']],
    ['?subjectReference=USER_1', []],
    ['?subjectReference=a+b', ['a b']],
    ['?subjectReference=a%20b', ['a b']],
    ['?subjectReference=a%2Bb', []],
    ['?subjectReference=%F0%9F%AA%AA', []],
    ['?%74ype=kyb&', ['company_1']],
    ['?type=kyc&status=pending&sortBy=subjectReference&sortOrder=asc&page=1&limit=2', ['a b', 'user_1']],
    ['?sortBy=type&sortOrder=asc&limit=1', ['company_1']],
    ['?page=1000000000&limit=100', []],
  ])('%s filters and sorts', async (query, expected) => {
    await givenVerifications('user_1', 'user_10', 'company_1', 'a b');
    expect(await referencesOf(query)).toEqual(expected);
  });

  it.each(['requestedAt', 'resolvedAt', 'status', 'type', 'subjectReference', 'currentStep'])(
    'sortBy=%s sorts in both directions',
    async (field) => {
      await givenVerifications('user_1', 'company_1');
      const ascending = await referencesOf(`?sortBy=${field}&sortOrder=asc`);
      expect(await referencesOf(`?sortBy=${field}`)).toEqual(ascending.toReversed());
    },
  );

  it('keeps a verification with unreadable data in its place: empty data and dataError UNREADABLE', async () => {
    const unreadable = { submittedData: {}, metadata: {}, dataError: 'UNREADABLE' } as const;
    api = givenApi({
      countersign: (countersign) => ({
        ...countersign,
        verifications: {
          ...countersign.verifications,
          async list(principal, query) {
            const { verifications, pagination } = await countersign.verifications.list(principal, query);
            const damaged = verifications.map((item) =>
              item.subjectReference === 'b' ? { ...item, ...unreadable } : item,
            );
            return { verifications: damaged, pagination };
          },
        },
      }),
    });
    client = await givenClient(api);
    await givenVerifications('a', 'b', 'c');

    const { verifications } = dataOf(await list());

    expect(verifications).toMatchObject([
      { subjectReference: 'c' },
      { subjectReference: 'b', status: 'pending', ...unreadable },
      { subjectReference: 'a' },
    ]);
    expect((verifications as object[]).map((item) => 'dataError' in item)).toEqual([false, true, false]);
  });

  it('GET /verifications does not contain verifications of another client', async () => {
    await givenVerifications('user_1');
    client = await givenClient(api);
    expect(await referencesOf('?subjectReference=user_1')).toEqual([]);
  });
});

describe('the query', () => {
  it.each([
    ['page=0', 'page'],
    ['page=-1', 'page'],
    ['page=+1', 'page'],
    ['page=1.0', 'page'],
    ['page=1e2', 'page'],
    ['page=0x1', 'page'],
    ['page=01', 'page'],
    ['page=1x', 'page'],
    ['page=', 'page'],
    ['page', 'page'],
    ['page=%20', 'page'],
    ['page=١', 'page'],
    ['page=1000000001', 'page'],
    [`page=${'9'.repeat(400)}`, 'page'],
    ['page=99999999999999999999', 'page'],
    ['limit=0', 'limit'],
    ['limit=101', 'limit'],
    ['limit=all', 'limit'],
    ['status=', 'status'],
    ['status=open', 'status'],
    ['status=PENDING', 'status'],
    ['type=kyx', 'type'],
    ['subjectReference=', 'subjectReference'],
    [`subjectReference=${'x'.repeat(257)}`, 'subjectReference'],
    ['sortBy=metadata', 'sortBy'],
    ['sortBy=constructor', 'sortBy'],
    ['sortOrder=DESC', 'sortOrder'],
    ['page=1&page=1', 'page'],
    ['status=pending&status=approved', 'status'],
    ['cursor=abc', 'cursor'],
    ['status[]=pending', 'status[]'],
    ['__proto__=1', '__proto__'],
    ['toString=1', 'toString'],
    ['=1', ''],
    ['status=%zz', 'status'],
    ['status=%', 'status'],
    ['subjectReference=%ff', 'subjectReference'],
    ['%zz=1', ''],
  ])('%s: 400 INVALID_PARAMETERS', async (query, path) => {
    const answer = await list(`?${query}`);
    expectRefusal(answer, 400, 'INVALID_PARAMETERS');
    expect(answer.body.data).toEqual({ issues: [{ path, message: expect.stringMatching(/\S/) as string }] });
    expect(api.faults).toEqual([]);
  });

  it('several invalid parameters: data.issues lists all of them', async () => {
    const { body } = await list('?page=x&cursor=a&limit=y');
    expect((dataOf({ body }).issues as { path: string }[]).map(({ path }) => path)).toEqual([
      'page',
      'cursor',
      'limit',
    ]);
    expect(body.error).toContain('page must be a whole number');
  });

  it('thousands of invalid parameters: the error stays under 16 KiB', async () => {
    const query = Array.from({ length: 5000 }, (_, at) => `parameter${at}=1`).join('&');
    const answer = await list(`?${query}`);
    expectRefusal(answer, 400, 'INVALID_PARAMETERS');
    expect(JSON.stringify(answer.body).length).toBeLessThan(16 * 1024);
    expect(answer.body.error).toBe('parameter0 is not a parameter of this operation; and 4999 more');
  });

  it.each(['/verifications/some-id', '/verifications/some-id/details', '/openapi.json'])(
    'a parameter of %s: 400 INVALID_PARAMETERS',
    async (path) => {
      expectRefusal(await api.request(`${path}?page=1`, { key: client.key }), 400, 'INVALID_PARAMETERS');
    },
  );

  it('an empty query is accepted', async () => {
    expect((await list('?')).status).toBe(200);
    expect((await list('?&')).status).toBe(200);
    expect((await list('#page=x')).status).toBe(200);
  });
});
