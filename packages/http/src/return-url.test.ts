import { beforeEach, describe, expect, it } from 'vitest';
import { dataOf, expectRefusal } from '../test-support/answer.ts';
import { type GivenApi, type GivenClient, givenApi, givenClient, subject } from '../test-support/api.ts';

let api: GivenApi;
let client: GivenClient;
beforeEach(async () => {
  api = givenApi();
  client = await givenClient(api);
  const { clientId } = client;
  await api.countersign.clients.setReturnAddresses(clientId, [
    'https://shop.example/kyc',
    'https://xn--shp-sna.example/',
  ]);
});

const used = async () => (await api.countersign.clients.usage(client.clientId)).used;
const create = (fields: object, key = client.key) =>
  api.post({ ...subject(), ...fields }, { key, headers: { 'Idempotency-Key': 'k' } });

describe('POST /verifications with returnUrl and locale', () => {
  it('answers with the seven fields, and reads show both', async () => {
    const sent = { returnUrl: 'https://SHOP.example:443/kyc/done?order=7', locale: 'de' };
    const created = await create(sent);
    expect(created.status).toBe(201);
    expect(Object.keys(dataOf(created))).toHaveLength(7);
    const path = `/verifications/${String(dataOf(created).id)}`;
    const shown = { returnUrl: 'https://shop.example/kyc/done?order=7', locale: 'de' };
    for (const address of [path, `${path}/details`]) {
      expect(dataOf(await api.request(address, { key: client.key }))).toMatchObject(shown);
    }
    expect(dataOf(await api.request('/verifications', { key: client.key })).verifications).toMatchObject([shown]);
    const again = await create(sent);
    expect([again.status, again.headers.get('Idempotent-Replayed')]).toEqual([201, 'true']);
    expect(dataOf(again)).toEqual(dataOf(created));
  });

  it.each<[what: string, returnUrl: unknown]>([
    ['another host', 'https://evil.example/kyc'],
    ['a line break', 'https://shop.example/kyc\r\nSet-Cookie: a=b'],
    ['60 kB', 'https://shop.example/kyc/'.padEnd(60_000, 'x')],
    ['nothing', ''],
    ['null', null],
    ['a number', 7],
    ['a list', ['https://shop.example/kyc']],
  ])('%s: 400 with its path, and neither the month nor the key is used', async (_, returnUrl) => {
    const answer = await create({ returnUrl });
    expectRefusal(answer, 400, 'INVALID_PARAMETERS');
    expect(dataOf(answer).issues).toEqual([{ path: 'returnUrl', message: expect.stringMatching(/\S/) as string }]);
    expect(await used()).toBe(0);
    const next = await create({});
    expect([next.status, next.headers.get('Idempotent-Replayed')]).toEqual([201, null]);
  });

  it('NUL in the locale: 400 with its path', async () => {
    const answer = await create({ locale: 'de\u0000' });
    expectRefusal(answer, 400, 'INVALID_PARAMETERS');
    expect(dataOf(answer).issues).toMatchObject([{ path: 'locale' }]);
  });

  it('a client without return addresses: 400, also for an address of another client', async () => {
    const other = await givenClient(api);
    const answer = await create({ returnUrl: 'https://shop.example/kyc' }, other.key);
    expectRefusal(answer, 400, 'INVALID_PARAMETERS');
    expect((await api.countersign.clients.usage(other.clientId)).used).toBe(0);
  });

  it('a bad returnUrl of a body with other bad fields: those come first, and other unknown fields stay refused', async () => {
    expectRefusal(await create({ subjectType: 'x', returnUrl: 'javascript:1' }), 400, 'INVALID_SUBJECT_TYPE');
    const answer = await create({ returnURL: 'https://shop.example/kyc' });
    expect(dataOf(answer).issues).toMatchObject([{ path: 'returnURL', message: 'is not a known field' }]);
  });
});
