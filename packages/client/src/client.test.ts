import { Readable } from 'node:stream';
import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { givenApi } from '../test-support/api.ts';
import { errorOf } from '../test-support/errors.ts';
import { CountersignApiError, createClient, type ListedVerification, type NewVerification } from './index.ts';

const person = (subjectReference: string): NewVerification => ({ subjectType: 'kyc', subjectReference });

async function idsIn(list: AsyncIterable<ListedVerification>): Promise<string[]> {
  const ids: string[] = [];
  for await (const { id } of list) ids.push(id);
  return ids;
}

describe('verifications', () => {
  it('create, get and details return what the API says, without the envelope', async () => {
    const { client } = await givenApi();
    const created = await client.verifications.create({ ...person('user_1'), metadata: { tier: 'gold' } });
    expect(created).toMatchObject({ type: 'kyc', subjectReference: 'user_1', status: 'pending', currentStep: 0 });
    expect(created.verificationUrl).toMatch(/^https:\/\/verify\.example\/verify\//);

    const read = await client.verifications.get(created.id);
    expect(read).toMatchObject({ ...created, resolvedAt: null, metadata: { tier: 'gold' } });
    const details = await client.verifications.details(created.id);
    expect(details).toMatchObject({ ...read, decision: null, totalSteps: 6 });
  });

  it('withdraw ends a verification, also when it is repeated, and frees its subject', async () => {
    const { client, clock } = await givenApi();
    const { id } = await client.verifications.create(person('user_1'));
    const withdrawn = await client.verifications.withdraw(id);
    expect(withdrawn).toMatchObject({ id, status: 'rejected' });
    clock.advance(1_000);
    expect(await client.verifications.withdraw(id)).toEqual(withdrawn);
    expect((await client.verifications.details(id)).decision?.reasonCodes).toEqual(['withdrawn']);
    expect((await client.verifications.create(person('user_1'))).status).toBe('pending');
  });

  it('eraseData erases the data, of an open verification only with withdraw', async () => {
    const { client } = await givenApi();
    const { id } = await client.verifications.create({ ...person('user_1'), metadata: { tier: 'gold' } });
    const refused = await errorOf(client.verifications.eraseData(id));
    expect(refused).toMatchObject({ code: 'ILLEGAL_TRANSITION', status: 409 });
    const erased = { state: 'erased', until: null };
    expect(await client.verifications.eraseData(id, { withdraw: true })).toEqual(erased);
    expect(await client.verifications.eraseData(id)).toEqual(erased);
    const details = await client.verifications.details(id);
    expect(details).toMatchObject({ subjectReference: `erased:${id}`, metadata: {}, data: erased });
  });

  it('file and export return a file and a zip with their types, and throw what the API refuses', async () => {
    const { client, clientId, countersign } = await givenApi();
    const { id, verificationUrl } = await client.verifications.create(person('user_1'));
    const { access } = await countersign.subject.open(verificationUrl.slice(verificationUrl.lastIndexOf('/') + 1));
    const consent = { accepted: true, version: '2026-01', locale: 'en' };
    await countersign.subject.completeStep(access, 'consent', consent);
    const content = new Uint8Array([0xff, 0xd8, 0xff, 0xe0, 0, 0x80]);
    const target = { step: 'document', kind: 'document_front' } as const;
    const { file } = await countersign.subject.uploadFile(access, target, Readable.from([content]));
    const passport = {
      type: 'passport',
      issuingCountry: 'GB',
      number: '123456789',
      expiresOn: '2099-12-31',
      frontFileId: file.id,
    };
    await countersign.subject.completeStep(access, 'document', passport);

    for (const call of [client.verifications.file(id, file.id), client.verifications.export(id)]) {
      expect(await errorOf(call)).toMatchObject({ code: 'FILES_SWITCHED_OFF', status: 403 });
    }
    await countersign.clients.setFileAccess(clientId, true);
    const read = await client.verifications.file(id, file.id);
    expect([read.type, new Uint8Array(await read.arrayBuffer())]).toEqual(['image/jpeg', content]);
    expect(await errorOf(client.verifications.file(id, 'unknown'))).toMatchObject({ code: 'FILE_NOT_FOUND' });
    await expect(client.verifications.file(id, '..')).rejects.toBeInstanceOf(TypeError);

    const zip = await client.verifications.export(id);
    const bytes = Buffer.from(await zip.arrayBuffer());
    expect([zip.type, bytes.includes(Buffer.from(content)), bytes.includes('data.json')]).toEqual([
      'application/zip',
      true,
      true,
    ]);
    expect(await errorOf(client.verifications.export('unknown'))).toMatchObject({
      code: 'VERIFICATION_NOT_FOUND',
    });
    await expect(client.verifications.export('..')).rejects.toBeInstanceOf(TypeError);
  });

  it('endRelationship sends the time, which only an approved verification accepts', async () => {
    const { client } = await givenApi();
    const { id } = await client.verifications.create(person('user_1'));
    const end = (endedAt: string | null) => errorOf(client.verifications.endRelationship(id, { endedAt }));
    expect(await end('2026-01-01T00:00:00Z')).toMatchObject({ code: 'ILLEGAL_TRANSITION' });
    expect(await end('2026-01-01')).toMatchObject({ code: 'INVALID_PARAMETERS' });
  });

  it('list passes filters and order on', async () => {
    const { client } = await givenApi();
    for (const name of ['b', 'a', 'c']) await client.verifications.create(person(name));
    await client.verifications.create({ subjectType: 'kyb', subjectReference: 'd' });
    const page = await client.verifications.list({
      type: 'kyc',
      sortBy: 'subjectReference',
      sortOrder: 'asc',
      limit: 2,
    });
    expect(page.verifications.map(({ subjectReference }) => subjectReference)).toEqual(['a', 'b']);
    expect(page.pagination).toEqual({ page: 1, limit: 2, totalCount: 3, totalPages: 2, hasMore: true });
    expect((await client.verifications.list()).pagination.totalCount).toBe(4);
  });

  it('listAll gives each verification once, oldest first, page by page', async () => {
    const { client, clock, sent } = await givenApi();
    const created: string[] = [];
    for (let index = 0; index < 7; index++) {
      clock.advance(1_000);
      created.push((await client.verifications.create(person(`user_${index}`))).id);
    }
    const before = sent.length;
    expect(await idsIn(client.verifications.listAll({ limit: 3 }))).toEqual(created);
    expect(sent.length - before).toBe(3);
    expect(await idsIn(client.verifications.listAll({ status: 'approved' }))).toEqual([]);
    expect(await idsIn(client.verifications.listAll({ sortOrder: 'desc' }))).toEqual(created.toReversed());
  });

  it('listAll also gives verifications that are created while it reads', async () => {
    const { client, clock } = await givenApi();
    const create = async (name: string) => {
      clock.advance(1_000);
      return (await client.verifications.create(person(name))).id;
    };
    const expected = [await create('user_1'), await create('user_2')];
    const found: string[] = [];
    for await (const { id } of client.verifications.listAll({ limit: 1 })) {
      found.push(id);
      if (found.length === 1) expected.push(await create('user_3'));
    }
    expect(found).toEqual(expected);
  });

  it('listAll requests no further page after a break', async () => {
    const { client, sent } = await givenApi();
    for (const name of ['a', 'b', 'c']) await client.verifications.create(person(name));
    const before = sent.length;
    for await (const _ of client.verifications.listAll({ limit: 1 })) break;
    expect(sent.length - before).toBe(1);
  });

  it.each(['', '.', '..'])('get refuses the id %j, which would make another path', async (id) => {
    const { client, sent } = await givenApi();
    await expect(client.verifications.get(id)).rejects.toThrow(/^id is not the id of a verification/);
    expect(sent).toEqual([]);
  });

  it('get sends an id with special characters as one segment of the path', async () => {
    const { client, sent } = await givenApi();
    const error = await errorOf(client.verifications.get('a/../b?c#d'));
    expect(error.code).toBe('VERIFICATION_NOT_FOUND');
    expect(sent[0]?.url).toBe('https://verify.example/api/v1/verifications/a%2F..%2Fb%3Fc%23d');
  });
});

describe('Idempotency-Key', () => {
  it('every creation has a new one', async () => {
    const { client, sent } = await givenApi();
    for (const name of ['a', 'b']) await client.verifications.create(person(name));
    const keys = sent.map(({ headers }) => headers.get('Idempotency-Key'));
    expect(new Set(keys).size).toBe(2);
    for (const key of keys)
      expect(key).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
  });

  it('a given one makes two calls one creation; with another body it is refused', async () => {
    const { client } = await givenApi();
    const options = { idempotencyKey: 'order-1001' };
    const first = await client.verifications.create(person('user_1'), options);
    expect(await client.verifications.create(person('user_1'), options)).toEqual(first);
    const error = await errorOf(client.verifications.create(person('user_2'), options));
    expect(error).toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED', status: 422 });
  });

  it.each(['', 'ä', 'a\nb', 'x'.repeat(256)])('%j is refused before a request', async (idempotencyKey) => {
    const { client, sent } = await givenApi();
    await expect(client.verifications.create(person('user_1'), { idempotencyKey })).rejects.toThrow(TypeError);
    expect(sent).toEqual([]);
  });
});

describe('CountersignApiError', () => {
  it('code narrows data: the verification that stands in the way', async () => {
    const { client } = await givenApi();
    const { id } = await client.verifications.create(person('user_1'));
    const error = await errorOf(client.verifications.create(person('user_1')));
    expect(error).toBeInstanceOf(Error);
    expect(error).toMatchObject({ name: 'CountersignApiError', status: 409, requestId: 'request-2' });
    expect(error.message).toContain('An active verification already exists');
    if (error.code !== 'DUPLICATE_SUBJECT_REFERENCE') throw error;
    const verificationId: string = error.data.verificationId;
    expect([verificationId, error.data.status]).toEqual([id, 'pending']);
  });

  it('code narrows data: the issues of invalid parameters', async () => {
    const { client } = await givenApi();
    const error = await errorOf(client.verifications.list({ limit: 101 }));
    if (error.code !== 'INVALID_PARAMETERS') throw error;
    expect(error.data.issues.map(({ path }) => path)).toEqual(['limit']);
    // @ts-expect-error: this data has no such field
    expect(error.data.verificationId).toBeUndefined();
  });

  it('instanceof narrows to the codes', () => {
    const error: unknown = new CountersignApiError('TIMEOUT', 'Too late.');
    const code = error instanceof CountersignApiError ? error.code : null;
    // @ts-expect-error: no such code
    expect(code === 'TIME_OUT').toBe(false);
    expect(code).toBe('TIMEOUT');
  });

  it('a revoked key gets 401 with its code', async () => {
    const { client, countersign, clientId } = await givenApi();
    const [key] = await countersign.apiKeys.list(clientId);
    await countersign.apiKeys.revoke(clientId, key?.id ?? '');
    expect(await errorOf(client.verifications.list())).toMatchObject({ code: 'API_KEY_REVOKED', status: 401 });
  });

  it('a key without the permission gets 403 with its code', async () => {
    const { client } = await givenApi({ newKey: { permissions: ['verifications:read'] } });
    const error = await errorOf(client.verifications.create(person('user_1')));
    expect(error).toMatchObject({ code: 'INSUFFICIENT_PERMISSIONS', status: 403, data: undefined });
  });
});

describe('http', () => {
  it('reaches every route by path and gives the headers of the response', async () => {
    const { client } = await givenApi();
    const { data, response } = await client.http.GET('/verifications', { params: { query: { limit: 1 } } });
    expect(data?.data.pagination.totalCount).toBe(0);
    expect(response.headers.get('X-RateLimit-Remaining')).toBe('99');
    const document = await client.http.GET('/openapi.json');
    expect(document.data?.openapi).toBe('3.1.1');
  });

  it('throws like the other calls', async () => {
    const { client } = await givenApi();
    const call = client.http.GET('/verifications/{id}', { params: { path: { id: 'unknown' } } });
    expect(await errorOf(call)).toMatchObject({ code: 'VERIFICATION_NOT_FOUND', status: 404 });
  });

  it('sends the key to no other address', async () => {
    const { client, sent } = await givenApi();
    for (const baseUrl of [
      'https://verify.example.evil.example/api/v1',
      'https://verify.example/api/v1.evil',
      'https://verify.example',
    ]) {
      await expect(client.http.GET('/verifications', { baseUrl })).rejects.toThrow(/leads out of baseUrl/);
    }
    let headers: Headers | undefined;
    const fetch = async (request: Request) => {
      headers = request.headers;
      return Response.json({});
    };
    await client.http.GET('/verifications', { baseUrl: 'https://evil.example', fetch });
    expect(headers?.has('X-API-Key')).toBe(false);
    expect(sent).toEqual([]);
  });
});

it('the key is in no property of the client', async () => {
  const { client, key } = await givenApi();
  expect(inspect(client, { depth: 10, showHidden: true })).not.toContain(key);
  expect(JSON.stringify(client)).not.toContain(key);
});

it('the types are right under exactOptionalPropertyTypes', () => {
  const signal: AbortSignal | undefined = undefined;
  const client = createClient({ baseUrl: 'https://a.example/api/v1', apiKey: 'csk_1', timeoutMs: undefined });
  const call = () => client.verifications.list({ status: 'pending' }, { signal });
  // @ts-expect-error: no such status
  const wrong = () => client.verifications.list({ status: 'open' });
  // @ts-expect-error: subjectReference is missing
  const incomplete = () => client.verifications.create({ subjectType: 'kyc' });
  expect([call, wrong, incomplete]).toHaveLength(3);
});
