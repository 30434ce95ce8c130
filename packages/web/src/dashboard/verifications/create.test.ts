import type { Principal } from '@countersign/domain';
import { beforeEach, describe, expect, it } from 'vitest';
import { ADA, AGNES, type GivenTeam, givenTeam, VIC } from '../../../test-support/client-team.ts';
import type { Answer, Fields } from '../../../test-support/console.ts';

const LIST = '/dashboard/verifications';
const NEW = `${LIST}/new`;
const GOOD = { subjectType: 'kyc', subjectReference: 'user_1', metadata: '' };
let given: GivenTeam;

beforeEach(async () => {
  given = await givenTeam();
});

function formIdIn(text: string): string {
  return /name="formId" value="([^"]+)"/.exec(text)?.[1] ?? '';
}

/** Opens the form and sends it. */
async function send(fields: Fields, as: string = ADA): Promise<Answer> {
  const formId = formIdIn((await given.get(NEW, as)).text);
  return given.post(NEW, { formId, ...fields }, as);
}

const count = async () => (await given.countersign.verifications.list(given.principal, {})).pagination.totalCount;

describe('creating a verification by hand', () => {
  it('leads to its page with the link to send, and counts for the month', async () => {
    const { status, headers } = await send({ ...GOOD, subjectType: 'kyb', metadata: '{"plan": "gold"}' }, AGNES);
    expect(status).toBe(303);
    const path = (headers.get('Location') ?? '').replace('/kyc/', '/');
    expect(path).toMatch(/^\/dashboard\/verifications\/[^/]+\?done=created$/);
    const { words, text } = await given.get(path, AGNES);
    expect(words).toContain('The verification is created. Send its link to the subject.');
    expect(words).toContain('Business (KYB)');
    expect(words).toContain('"plan": "gold"');
    expect(text).toContain('https://verify.example/kyc/verify/');
    expect((await given.countersign.clients.usage(given.clientId)).used).toBe(1);
  });

  it('a form that is sent twice, at the same time or in turn, creates one verification', async () => {
    const formId = formIdIn((await given.get(NEW, ADA)).text);
    const answers = await Promise.all([1, 2, 3].map(() => given.post(NEW, { formId, ...GOOD }, ADA)));
    answers.push(await given.post(NEW, { formId, ...GOOD }, ADA));
    expect(new Set(answers.map(({ headers }) => headers.get('Location'))).size).toBe(1);
    expect(answers.map(({ status }) => status)).toEqual([303, 303, 303, 303]);
    expect(await count()).toBe(1);
  });

  it('a form that has created a verification, sent again with other values, asks before it creates another', async () => {
    const formId = formIdIn((await given.get(NEW, ADA)).text);
    await given.post(NEW, { formId, ...GOOD }, ADA);
    const again = await given.post(NEW, { formId, ...GOOD, subjectReference: 'user_2' }, ADA);
    expect(again.status).toBe(409);
    expect(again.words).toContain('This form has already created a verification');
    expect(again.text).toContain('value="user_2"');
    expect(await count()).toBe(1);
    expect(formIdIn(again.text)).not.toBe(formId);
    expect(
      (await given.post(NEW, { ...GOOD, formId: formIdIn(again.text), subjectReference: 'user_2' }, ADA)).status,
    ).toBe(303);
  });

  it('can be put right after it was refused, in the same form', async () => {
    const refused = await send({ ...GOOD, subjectReference: '' });
    const formId = formIdIn(refused.text);
    expect((await given.post(NEW, { ...GOOD, formId }, ADA)).status).toBe(303);
  });

  it.each<[string, Fields, string, string]>([
    ['no type', { subjectType: '' }, 'subjectType', 'Choose whether a person or a business is verified'],
    ['a type that is none', { subjectType: 'kyx' }, 'subjectType', 'Choose whether a person'],
    ['no reference', { subjectReference: '  ' }, 'subjectReference', 'Enter a subject reference'],
    ['257 characters', { subjectReference: 'x'.repeat(257) }, 'subjectReference', 'up to 256 characters'],
    ['NUL', { subjectReference: 'a\0b' }, 'subjectReference', 'up to 256 characters'],
    ['metadata that is not JSON', { metadata: '{\n  "a": x\n}' }, 'metadata', 'look at line 2, character 8'],
    ['metadata that ends early', { metadata: '{"a": 1' }, 'metadata', 'something is missing at its end'],
    ['metadata that is a list', { metadata: '[1]' }, 'metadata', 'must be a JSON object, written in { and }'],
    ['metadata of 17 KB', { metadata: JSON.stringify({ a: 'x'.repeat(17_000) }) }, 'metadata', 'at most 16 KiB'],
    ['a number that is too exact', { metadata: '{"a": {"b": 12345678901234567890}}' }, 'metadata', 'at “a.b”'],
    ['brackets without end', { metadata: '['.repeat(16_000) }, 'metadata', 'Metadata is not JSON'],
  ])('with %s says so at the field, keeps what was typed, creates nothing and records it', async (...given_) => {
    const [, fields, field, message] = given_;
    const { status, words, text } = await send({ ...GOOD, ...fields });
    expect(status).toBe(422);
    expect(words).toContain(message);
    expect(text).toContain(`<a href="#field-${field}">`);
    expect(text).toContain('<title>Error: ');
    if (field !== 'subjectReference') expect(text).toContain('value="user_1"');
    expect(await count()).toBe(0);
    expect((await given.auditLines()).at(-1)).toMatch(/^verifications\.create refused [A-Z_]+$/);
  });

  it.each<[string, Fields]>([
    ['empty and not JSON', { subjectType: '', subjectReference: '', metadata: '{' }],
    [
      'an unknown type, 257 characters and a list',
      { subjectType: 'x', subjectReference: 'x'.repeat(257), metadata: '[]' },
    ],
    [
      'no type, NUL and 17 KB',
      { subjectType: '', subjectReference: 'a\0b', metadata: `{"a":"${'x'.repeat(17_000)}"}` },
    ],
    [
      'no type, no reference and an inexact number',
      { subjectType: '', subjectReference: '', metadata: '{"a":1e400}' },
    ],
  ])('names every error together, in the order of the page: %s', async (_what, fields) => {
    const { status, text } = await send(fields);
    expect(status).toBe(422);
    const linked = [...text.matchAll(/<a href="#(field-\w+)">/g)].map(([, id]) => id);
    expect(linked).toEqual(['field-subjectType', 'field-subjectReference', 'field-metadata']);
    expect(await count()).toBe(0);
  });

  it('for a subject with an open verification links to that verification', async () => {
    const id = await given.pending({ subjectReference: 'user_1' });
    const { status, words, text } = await send({ ...GOOD, metadata: '{"a": 1}' });
    expect(status).toBe(409);
    expect(words).toContain('A verification for this subject reference is still open');
    expect(text).toContain(`<a href="/kyc${LIST}/${id}">Open the existing verification</a>`);
    expect(words).toContain('{"a": 1}');
    expect(await count()).toBe(1);
  });

  it('at the limit of the month, and without a subscription, says why there is none', async () => {
    await given.countersign.clients.setSubscription(given.clientId, { monthlyLimit: 1 });
    expect((await send(GOOD)).status).toBe(303);
    const atLimit = await send({ ...GOOD, subjectReference: 'user_2' });
    expect(atLimit.status).toBe(409);
    expect(atLimit.words).toContain('this month’s limit is reached');
    expect(atLimit.text).toContain('href="/kyc/dashboard/usage"');
    await given.countersign.clients.setSubscription(given.clientId, { status: 'canceled' });
    const without = await send({ ...GOOD, subjectReference: 'user_2' });
    expect(without.words).toContain('there is no active subscription');
    expect(without.text).toContain('value="user_2"');
    expect(await count()).toBe(1);
  });

  it('a viewer gets 403 for the page and the form, and both are recorded', async () => {
    expect((await given.get(NEW, VIC)).status).toBe(403);
    expect((await given.post(NEW, { ...GOOD, formId: 'a'.repeat(32) }, VIC)).status).toBe(403);
    expect(await count()).toBe(0);
    expect(await given.auditLines()).toEqual([
      'page.request refused NOT_ALLOWED',
      'page.request refused NOT_ALLOWED',
    ]);
  });

  it('a viewer gets 403 also for an invalid form', async () => {
    // The form id was looked at first: a viewer got 400, and no line said that they tried.
    const { status, words } = await given.post(NEW, { ...GOOD, formId: 'short' }, VIC);
    expect(status).toBe(403);
    expect(words).toContain('Your role does not include this');
    await given.countersign.summariseRefusals();
    const twice = { ...GOOD, metadata: '{"sandboxOutcome":"approved"}', sandboxOutcome: 'approved' };
    expect((await given.post(NEW, { ...twice, formId: 'a'.repeat(32) }, VIC)).status).toBe(403);
    expect(await count()).toBe(0);
    expect(await given.auditLines()).toEqual(Array(2).fill('page.request refused NOT_ALLOWED'));
  });

  it.each(['', 'short', 'A'.repeat(32), `${'a'.repeat(32)}\n`.repeat(20)])(
    'with a made-up form id %j creates nothing and shows the form again',
    async (formId) => {
      const { status, text, words } = await given.post(NEW, { ...GOOD, formId }, ADA);
      expect(status).toBe(422);
      expect(words).toContain('This form could not be read. Check it and send it again');
      expect(text).not.toContain('href="#field-idempotencyKey"');
      expect(await count()).toBe(0);
      expect(await given.auditLines()).toEqual(['verifications.create refused INVALID_PARAMETERS']);
      expect((await given.post(NEW, { ...GOOD, formId: formIdIn(text) }, ADA)).status).toBe(303);
    },
  );
});

describe('in test mode', () => {
  const TEST_NEW = '/dashboard/test/verifications/new';

  let principal: Principal;
  const listed = async (query: object = {}) =>
    (await given.countersign.verifications.list(principal, query)).verifications;
  const metadataOf = async (subjectReference: string) => (await listed({ subjectReference }))[0]?.metadata;

  beforeEach(async () => {
    const { id } = await given.countersign.clients.testTwin(given.clientId);
    const { value } = await given.countersign.apiKeys.issue(id, { permissions: ['*'] });
    principal = await given.countersign.authenticate(value, { countRequest: false });
  });

  async function sendTest(fields: Fields): Promise<Answer> {
    const formId = formIdIn((await given.get(TEST_NEW, ADA)).text);
    return given.post(TEST_NEW, { formId, ...fields }, ADA);
  }

  it('an outcome can be chosen, which goes into the metadata', async () => {
    expect((await given.get(TEST_NEW, ADA)).words).toContain('Outcome in test mode');
    await sendTest({ ...GOOD, metadata: '{"a": 1}', sandboxOutcome: 'approved' });
    expect(await metadataOf('user_1')).toEqual({ a: 1, sandboxOutcome: 'approved' });
  });

  it('none is chosen by leaving it open', async () => {
    await sendTest({ ...GOOD, sandboxOutcome: '' });
    expect(await metadataOf('user_1')).toEqual({});
  });

  it('an unknown outcome is refused in both places', async () => {
    for (const fields of [{ sandboxOutcome: 'lost' }, { metadata: '{"sandboxOutcome": "lost"}' }]) {
      const { status, words } = await sendTest({ ...GOOD, ...fields });
      expect(status).toBe(422);
      expect(words).toContain('sandboxOutcome must be approved, rejected or action_needed');
    }
    expect(await listed()).toEqual([]);
  });

  it('an outcome in two places is asked about', async () => {
    const { status, words } = await sendTest({
      ...GOOD,
      metadata: '{"sandboxOutcome": "rejected"}',
      sandboxOutcome: 'approved',
    });
    expect(status).toBe(422);
    expect(words).toContain('Set it in one place only');
    expect(await listed()).toEqual([]);
    expect((await given.auditLines()).at(-1)).toBe('verifications.create refused INVALID_PARAMETERS');
  });

  it('in live mode no outcome is offered, and a forged one is ignored', async () => {
    expect((await given.get(NEW, ADA)).words).not.toContain('Outcome in test mode');
    await send({ ...GOOD, sandboxOutcome: 'approved' });
    const live = await given.countersign.verifications.list(given.principal, { subjectReference: 'user_1' });
    expect(live.verifications[0]?.metadata).toEqual({});
  });
});
