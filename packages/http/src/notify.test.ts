import { createMemoryMailer, type MemoryMailer } from '@countersign/memory';
import { beforeEach, describe, expect, it } from 'vitest';
import { dataOf, expectRefusal } from '../test-support/answer.ts';
import { type GivenApi, type GivenClient, givenApi, givenClient, subject } from '../test-support/api.ts';

const EMAIL = 'ada@example.org';

let api: GivenApi;
let client: GivenClient;
let mailer: MemoryMailer;
beforeEach(async () => {
  mailer = createMemoryMailer();
  api = givenApi({ mailer });
  client = await givenClient(api);
});

const create = (fields: object, key = client.key) =>
  api.post({ ...subject(), ...fields }, { key, headers: { 'Idempotency-Key': 'k' } });

describe('POST /verifications with notify', () => {
  it('answers with the seven fields, and no read shows the address', async () => {
    const created = await create({ notify: { email: EMAIL } });
    expect(created.status).toBe(201);
    expect(Object.keys(dataOf(created))).toHaveLength(7);
    const path = `/verifications/${String(dataOf(created).id)}`;
    for (const address of [path, `${path}/details`, '/verifications']) {
      const read = await api.request(address, { key: client.key });
      expect(read.status).toBe(200);
      expect(JSON.stringify(dataOf(read))).not.toMatch(/ada@|notify/);
    }
    await api.countersign.mails.send();
    expect(mailer.received.map(({ to }) => to)).toEqual([EMAIL]);
  });

  it.each<[what: string, email: unknown]>([
    ['no text', 7],
    ['null', null],
    ['an empty text', ''],
    ['a word', 'ada'],
    ['no host', 'ada@'],
    ['a list', ['ada@example.org', 'eve@example.org']],
    ['two addresses', 'ada@example.org,eve@example.org'],
    ['two addresses with a space', 'ada@example.org eve@example.org'],
    ['two addresses with a semicolon', 'ada@example.org;eve@example.org'],
    ['a display name', 'Ada <ada@example.org>'],
    ['angle brackets', '<ada@example.org>'],
    ['a display name with a link', '"https://evil.example" <ada@example.org>'],
    ['a quoted local part', '"ada lovelace"@example.org'],
    ['a comment', 'ada(comment)@example.org'],
    ['another header', 'ada@example.org\r\nBcc: eve@example.org'],
    ['a line feed at the end', 'ada@example.org\n'],
    ['a carriage return in front', '\rada@example.org'],
    ['an encoded line break', 'ada@example.org%0aBcc:eve@example.org'],
    ['NUL', 'ada@example.org\u0000'],
    ['spaces around', ' ada@example.org '],
    ['a local part beyond ASCII', 'ädä@example.org'],
    ['a look-alike host', 'ada@b\u0430nk.example'],
    ['a direction override', 'ada\u202e@example.org'],
    ['an IP address', 'ada@[192.0.2.1]'],
    ['more than 254 characters', `${'a'.repeat(64)}@${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(62)}.org`],
  ])('%s as address: 400 at notify.email, and neither the month nor the key is used', async (_, email) => {
    const answer = await create({ notify: { email } });
    expectRefusal(answer, 400, 'INVALID_PARAMETERS');
    const [issue, ...others] = dataOf(answer).issues as { path: string; message: string }[];
    expect(others).toEqual([]);
    expect(issue?.path).toMatch(/^notify\.email/);
    expect(issue?.message).not.toContain('@');
    expect((await api.countersign.clients.usage(client.clientId)).used).toBe(0);
    expect((await create({})).status).toBe(201);
  });

  it.each<[what: string, notify: unknown, path: string]>([
    ['null', null, 'notify'],
    ['a text', EMAIL, 'notify'],
    ['no address', {}, 'notify.email'],
    ['another field', { email: EMAIL, name: 'Ada' }, 'notify.name'],
  ])('%s as notify: 400 at its path', async (_, notify, path) => {
    const answer = await create({ notify });
    expectRefusal(answer, 400, 'INVALID_PARAMETERS');
    expect(dataOf(answer).issues).toMatchObject([{ path }]);
  });

  it('the longest address is accepted', async () => {
    const email = `${'a'.repeat(64)}@${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(57)}.org`;
    expect(email).toHaveLength(254);
    expect((await create({ notify: { email } })).status).toBe(201);
  });

  it('the same Idempotency-Key: replayed with the same address, refused with another one or none', async () => {
    const created = await create({ notify: { email: EMAIL } });
    const again = await create({ notify: { email: EMAIL } });
    expect([again.status, again.headers.get('Idempotent-Replayed')]).toEqual([201, 'true']);
    expect(dataOf(again)).toEqual(dataOf(created));
    expectRefusal(await create({ notify: { email: 'eve@example.org' } }), 422, 'IDEMPOTENCY_KEY_REUSED');
    expectRefusal(await create({}), 422, 'IDEMPOTENCY_KEY_REUSED');
  });
});

it('a service that sends no mail refuses notify', async () => {
  api = givenApi();
  client = await givenClient(api);
  const answer = await create({ notify: { email: EMAIL } });
  expectRefusal(answer, 400, 'INVALID_PARAMETERS');
  expect(dataOf(answer).issues).toEqual([
    { path: 'notify', message: 'cannot be used, because this service sends no e-mail' },
  ]);
});
