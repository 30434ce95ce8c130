import {
  type CaseSearch,
  FOUND_CASES_MAX,
  type FoundCases,
  SEARCHED_CLIENTS_MAX,
  shortReference,
  type Verification,
} from '@countersign/domain';
import { type BulkReading, READING_LIMITS } from '@countersign/domain/staff';
import { reviewAs } from '@countersign/test-support/service/operations';
import { givenClient, givenTestTwin } from '@countersign/test-support/service/service';
import { beforeEach, describe, expect, it, test, vi } from 'vitest';
import { givenLabelled, givenSubmitted, type LabelledService, sealing } from './given-labels.ts';

const ADA = { query: 'Ada Lovelace', birthDate: '1990-12-10' };
const NUMBER = { query: 'C01X00T47' };
const withIssue = (path: string, code?: string) =>
  expect.objectContaining({
    code: 'INVALID_PARAMETERS',
    data: {
      issues: expect.arrayContaining([expect.objectContaining(code === undefined ? { path } : { path, code })]),
    },
  });

let service: LabelledService;
let client: Awaited<ReturnType<typeof givenClient>>;

beforeEach(() => begin(sealing));

async function begin(sealed: typeof sealing | 'none'): Promise<void> {
  service = givenLabelled({ sealing: sealed });
  client = await givenClient(service);
}

const submit = (reference: string, of = client): Promise<Verification> =>
  givenSubmitted(service, of.principal, reference);

/** Searches as a reviewer. */
async function search(input: CaseSearch): Promise<FoundCases> {
  return reviewAs(service.countersign).search(input);
}

const found = async (input: CaseSearch) => (await search(input)).items.map(({ id }) => id);

it.each<[by: string, of: (one: Verification) => CaseSearch]>([
  ['its reference', () => ({ query: 'user_1' })],
  ['its id', ({ id }) => ({ query: id })],
  ['its short reference, as people write it', ({ id }) => ({ query: shortReference(id).toLowerCase() })],
])('a case is found by %s, and no other', async (_, of) => {
  const one = await submit('user_1');
  await submit('user_12');
  expect(await found(of(one))).toEqual([one.id]);
});

it.each([
  [' user_1 ', ['user_1', '  user_1']],
  ['order\n42', ['order 42', 'order\n42', ' order\r\n 42']],
  ['order  42', ['order 42', 'order  42']],
  ['order 42', ['order 42', ' order   42 ']],
  ['=?utf-8?q?42?=', ['=?utf-8?q?42?=']],
])('the reference %j is found as pages show it, and nothing else is', async (reference, queries) => {
  const one = await submit(reference);
  await submit('order_42');
  for (const query of queries) expect([query, await found({ query })]).toEqual([query, [one.id]]);
  for (const query of ['order42', 'Order 42', 'order 4'])
    expect([query, await found({ query })]).toEqual([query, []]);
  expect(await found({ query: queries[0] ?? '', clientId: (await givenClient(service)).clientId })).toEqual([]);
});

it.each([
  ['the number of a document', NUMBER],
  ['the number of a document as it is printed', { query: ' c01x00-t47 ' }],
  ['the full name and the date of birth', ADA],
  ['the full name in capitals, the family name first', { ...ADA, query: 'LOVELACE, ADA' }],
])('cases of every client are found by %s, the newest first', async (_, input) => {
  const first = await submit('user_1');
  const second = await submit('user_2', await givenClient(service));
  expect(await found(input)).toEqual([second.id, first.id]);
  expect(await found({ ...input, clientId: client.clientId })).toEqual([first.id]);
});

it.each([
  ['a name without the date of birth', { query: 'Ada Lovelace' }],
  ['another date of birth', { ...ADA, birthDate: '1990-12-11' }],
  ['the beginning of a name', { ...ADA, query: 'Ada Love' }],
  ['the beginning of a reference', { query: 'user' }],
  ['the beginning of a number', { query: 'C01X' }],
  ['wildcards', { query: 'user_%' }],
  ['a pattern', { query: '*' }],
  ['SQL', { query: "' OR 1=1; DROP TABLE verifications; --" }],
])('nothing is found by %s', async (_, input) => {
  await submit('user_1');
  expect(await search(input)).toEqual({ items: [], hasMore: false, incompleteFor: [] });
});

it.each([
  ['only spaces', { query: '   ' }, 'query'],
  ['10,000 characters', { query: 'x'.repeat(10_000) }, 'query'],
  ['a NUL', { query: 'user\0' }, 'query'],
  ['a date that does not exist', { ...ADA, birthDate: '1990-02-30' }, 'birthDate'],
])('%s: refused', async (_, input, path) => {
  await submit('user_1');
  await expect(search(input)).rejects.toEqual(withIssue(path));
});

test('a found case has its subject, and who decided it and when', async () => {
  const { id, version } = await submit('user_1');
  await submit('user_2');
  await reviewAs(service.countersign).approve({ verificationId: id, version });
  const { items } = await search(ADA);
  expect(items).toMatchObject([
    { subjectReference: 'user_2', subject: { state: 'read', name: 'Ada Lovelace' }, decision: null },
    {
      id,
      clientName: 'Acme',
      status: 'approved',
      subject: { state: 'read', name: 'Ada Lovelace' },
      decision: { at: service.clock.now(), reviewerId: 'staff-1' },
    },
  ]);
});

test('a damaged case says so and keeps its place', async () => {
  const first = await submit('user_1');
  const torn = await submit('user_2');
  const last = await submit('user_3');
  const { verifications } = service.storage;
  const find = verifications.findWithHistory;
  vi.spyOn(verifications, 'findWithHistory').mockImplementation(async (clientId, id) => {
    const history = await find(clientId, id);
    if (id !== torn.id || history === null) return history;
    return { ...history, record: { ...history.record, answers: { sealed: 'torn' } } };
  });
  const { items } = await search(ADA);
  expect(items.map(({ id, subject }) => [id, subject.state])).toEqual([
    [last.id, 'read'],
    [torn.id, 'unreadable'],
    [first.id, 'read'],
  ]);
  expect(service.faults).toHaveLength(1);
});

test('a search shows the newest of many cases, and unseals only these', async () => {
  await begin('none');
  const first = await submit('user_1');
  const matches = Array.from({ length: FOUND_CASES_MAX + 5 }, (_, n) => `0${100 + n}`);
  const { storage } = service;
  vi.spyOn(storage.indexes, 'find').mockImplementation(async ({ labels: [label] }) =>
    label === undefined ? [] : matches.map((id) => ({ ...label, verificationId: `${first.id}-${id}` })),
  );
  const record = await storage.verifications.findForAnyClient(first.id);
  const read = vi
    .spyOn(storage.verifications, 'findWithHistory')
    .mockImplementation(async (_, id) => (record === null ? null : { record: { ...record, id }, events: [] }));
  const { items, hasMore } = await search(ADA);
  expect([items.length, hasMore]).toEqual([FOUND_CASES_MAX, true]);
  expect(items[0]?.id).toBe(`${first.id}-${matches.at(-1)}`);
  expect(read).toHaveBeenCalledTimes(FOUND_CASES_MAX);
});

test.each(['user_1', ' user_1'])(
  'a case whose data is hidden is found by its reference %j and ids, not by its data',
  async (reference) => {
    await begin('none');
    const one = await submit(reference);
    const { verifications } = service.storage;
    const record = await verifications.findForAnyClient(one.id);
    vi.spyOn(verifications, 'findWithHistory').mockImplementation(async () =>
      record === null ? null : { record: { ...record, erasureRequestedAt: new Date(0) }, events: [] },
    );
    for (const input of [ADA, NUMBER]) expect(await found(input)).toEqual([]);
    for (const query of ['user_1', one.id, shortReference(one.id)])
      expect((await search({ query })).items).toMatchObject([{ id: one.id, subject: { state: 'hidden' } }]);
  },
);

describe('test cases', () => {
  it('test cases are found by their id, or in their client alone', async () => {
    const twin = await givenTestTwin(service);
    const { countersign } = service;
    const body = { subjectType: 'kyc', subjectReference: 'user_1' } as const;
    const { verification } = await countersign.verifications.create(twin.principal, body);
    expect(await found({ query: 'user_1' })).toEqual([]);
    expect(await found({ query: verification.id })).toEqual([verification.id]);
    expect(await found({ query: 'user_1', clientId: twin.clientId })).toEqual([verification.id]);
  });
});

describe('with more clients than are searched', () => {
  beforeEach(async () => {
    for (let n = 1; n <= SEARCHED_CLIENTS_MAX; n += 1)
      await service.countersign.clients.create({ name: `Client ${n}`, plan: 'none' });
  });

  it('a client has to be chosen, except for an id', async () => {
    const { id } = await submit('user_1');
    await expect(search(ADA)).rejects.toEqual(withIssue('clientId', 'required'));
    await expect(search({ query: 'user_1' })).rejects.toEqual(withIssue('clientId', 'required'));
    expect(await found({ query: id })).toEqual([id]);
    expect(await found({ ...ADA, clientId: client.clientId })).toEqual([id]);
  });
});

it('an unknown client is refused', async () => {
  await expect(search({ ...ADA, clientId: 'no-client' })).rejects.toMatchObject({ code: 'CLIENT_NOT_FOUND' });
});

describe('the audit log', () => {
  const lines = () => service.storage.audit.read(0, 1_000);

  it('the audit log has one line for a search: its kind and the cases that it showed, nothing of what was searched for', async () => {
    const { id } = await submit('user_1');
    await search(ADA);
    await search({ query: 'no-case-has-this' });
    const searches = (await lines()).filter(({ action }) => action === 'review.search');
    expect(searches.map(({ outcome, targetId, detail }) => ({ outcome, targetId, detail }))).toEqual([
      { outcome: 'allowed', targetId: null, detail: { by: 'name', rows: 1, cases: [shortReference(id)] } },
      { outcome: 'allowed', targetId: null, detail: { by: 'text', rows: 0, cases: [] } },
    ]);
    expect(JSON.stringify(await lines())).not.toMatch(/lovelace|1990-12-10|no-case-has/i);
  });

  it('the line of a refused search names the wrong fields, not what they held', async () => {
    await expect(search({ query: `Lovelace${'x'.repeat(300)}` })).rejects.toThrow();
    const [line] = (await lines()).filter(({ action }) => action === 'review.search');
    expect(line).toMatchObject({ outcome: 'refused', detail: { code: 'INVALID_PARAMETERS', fields: 'query' } });
    expect(JSON.stringify(line)).not.toContain('Lovelace');
  });

  it('a search whose line cannot be written shows nothing', async () => {
    await submit('user_1');
    vi.spyOn(service.storage.audit, 'append').mockRejectedValue(new Error('disk full'));
    await expect(search(ADA)).rejects.toThrow('disk full');
  });
});

test('a search names the clients whose index key cannot be read, and finds their cases by references and ids', async () => {
  const one = await submit('user_1');
  const other = await givenClient(service);
  const two = await submit('user_2', other);
  const [key] = await service.storage.indexes.keys(client.clientId);
  if (key === undefined) throw new Error('There is no key');
  await service.storage.indexes.replaceKey(key, { value: 'damaged', wrappedBy: key.wrappedBy });
  const name = (await service.storage.clients.find(client.clientId))?.client.name;
  for (const input of [ADA, NUMBER]) {
    const { items, incompleteFor } = await search(input);
    expect(items.map(({ id }) => id)).toEqual([two.id]);
    expect(incompleteFor).toEqual([{ id: client.clientId, name }]);
    expect((await search({ ...input, clientId: other.clientId })).incompleteFor).toEqual([]);
  }
  for (const query of ['user_1', one.id]) expect(await found({ query })).toEqual([one.id]);
});

test('a search finds cases throughout a change of the index key', async () => {
  await begin('none');
  const one = await submit('user_1');
  const [key] = await service.storage.indexes.keys(client.clientId);
  if (key === undefined) throw new Error('There is no key');
  await service.storage.indexes.addKey({ ...key, version: key.version + 1, value: 'bmV3', wrappedBy: null });
  const two = await submit('user_2');
  expect(await found(NUMBER)).toEqual([two.id, one.id]);
});

test.each<[many: string, read: BulkReading, (id: string) => Promise<unknown>]>([
  ['searches', 'searches', () => search({ query: 'unknown' })],
  ['pages of the queue', 'queue_pages', (id) => reviewAs(service.countersign).subjects([id])],
])('many %s leave an alarm in the audit log, and are not refused', async (_, read, act) => {
  const { id } = await submit('user_1');
  for (let n = 0; n <= READING_LIMITS[read].requests; n += 1) await act(id);
  const alarms = (await service.storage.audit.read(0, 1_000)).filter(
    ({ action }) => action === 'review.bulk_reading',
  );
  expect(alarms).toMatchObject([
    { actor: { kind: 'reviewer', id: 'staff-1' }, targetId: 'staff-1', detail: { read } },
  ]);
});
