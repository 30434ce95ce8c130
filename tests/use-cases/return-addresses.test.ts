import type { CountersignError } from '@countersign/domain';
import { changeReturnAddresses, getOwnClient, setReturnAddresses } from '@countersign/domain/actions';
import { createCountingSecrets, createMemoryStorage } from '@countersign/memory';
import { operationsOf } from '@countersign/test-support/service/operations';
import { givenClient, givenService, type Service } from '@countersign/test-support/service/service';
import { givenStaff, givenTeam, linesOf, operationsAs, signedIn } from '@countersign/test-support/service/team';
import { beforeEach, describe, expect, it } from 'vitest';

const ADDRESSES = ['https://shop.example/kyc', 'https://app.shop.example/'];
const body = { subjectType: 'kyc', subjectReference: 'user_1' };
const returnUrl = 'https://shop.example/kyc/done?order=7';
const withCode = (code: string) => expect.objectContaining({ code });
const refusedAt = (path: string) =>
  expect.objectContaining({
    code: 'INVALID_PARAMETERS',
    data: { issues: [expect.objectContaining({ path })] },
  }) as CountersignError;

let service: Service;
beforeEach(() => {
  service = givenService();
});

describe('the return addresses of a client', () => {
  it('an owner replaces those of the own client, and the audit log keeps their origins', async () => {
    const team = await givenTeam(service);
    const other = await givenTeam(service, 'Globex');
    const as = service.countersign.as(signedIn(service, team.owner));

    const returnAddresses = [
      'https://Shop.example/kyc/',
      'https://shop.example/other',
      'https://app.shop.example',
    ];
    await as.run(changeReturnAddresses, { returnAddresses });

    const kept = ['https://shop.example/kyc', 'https://shop.example/other', 'https://app.shop.example/'];
    expect((await as.run(getOwnClient, {})).client.returnAddresses).toEqual(kept);
    expect((await service.countersign.clients.get(other.clientId)).client.returnAddresses).toEqual([]);
    expect((await linesOf(service)).at(-1)).toMatchObject({
      action: 'dashboard.change_return_addresses',
      outcome: 'allowed',
      clientId: team.clientId,
      detail: { origins: ['https://shop.example', 'https://app.shop.example'] },
    });

    await as.run(changeReturnAddresses, { returnAddresses: [] });
    expect((await as.run(getOwnClient, {})).client.returnAddresses).toEqual([]);
  });

  it('an operator replaces those of any client', async () => {
    const team = await givenTeam(service);
    const operator = await givenStaff(service, { role: 'operator' });
    const { clients } = operationsAs(service, operator);

    expect((await clients.setReturnAddresses(team.clientId, ADDRESSES)).returnAddresses).toEqual(ADDRESSES);

    expect((await linesOf(service)).at(-1)).toMatchObject({
      action: 'clients.set_return_addresses',
      clientId: team.clientId,
      targetId: team.clientId,
      detail: { origins: ['https://shop.example', 'https://app.shop.example'] },
    });
    await expect(clients.setReturnAddresses('nobody', ADDRESSES)).rejects.toThrow(withCode('CLIENT_NOT_FOUND'));
  });

  it('a bad address is refused with its position, and the audit log does not contain it', async () => {
    const team = await givenTeam(service);
    const as = service.countersign.as(signedIn(service, team.owner));
    await as.run(changeReturnAddresses, { returnAddresses: ADDRESSES });

    for (const [bad, path] of [
      [[...ADDRESSES, 'javascript:alert(1)'], 'returnAddresses.2'],
      [['https://secret@shop.example/'], 'returnAddresses.0'],
      [['https://shop.example/?q=secret'], 'returnAddresses.0'],
      [[' '], 'returnAddresses.0'],
      [Array.from({ length: 21 }, (_, n) => `https://shop.example/${n}`), 'returnAddresses'],
      [[7], 'returnAddresses.0'],
    ] as const) {
      await expect(as.runUnchecked(changeReturnAddresses, { returnAddresses: bad })).rejects.toThrow(
        refusedAt(path),
      );
    }
    expect((await as.run(getOwnClient, {})).client.returnAddresses).toEqual(ADDRESSES);
    expect(JSON.stringify(await linesOf(service))).not.toMatch(/secret|javascript/);
  });

  it('localhost is refused with its position, unless the installation allows it', async () => {
    const returnAddresses = ['https://shop.example/kyc', 'http://LOCALHOST:3000/', 'https://127.0.0.1/done'];
    const { clients } = operationsOf(service.countersign.as({ kind: 'command_line' }));
    const { clientId } = await givenClient(service);
    const issues = [1, 2].map((n) =>
      expect.objectContaining({ path: `returnAddresses.${n}`, code: 'local_address' }),
    );
    await expect(clients.setReturnAddresses(clientId, returnAddresses)).rejects.toMatchObject({
      data: { issues },
    });
    expect((await service.countersign.clients.get(clientId)).client.returnAddresses).toEqual([]);

    const local = givenService({}, { localReturnAddresses: true });
    const developer = await givenClient(local);
    const changed = await local.countersign.clients.setReturnAddresses(developer.clientId, returnAddresses);
    expect(changed.returnAddresses).toHaveLength(3);
  });

  it('the command line replaces them', async () => {
    const { clientId } = await givenClient(service);
    const { as } = operationsOf(service.countersign.as({ kind: 'command_line' }));
    await as.run(setReturnAddresses, { clientId, returnAddresses: ADDRESSES });
    expect((await service.countersign.clients.get(clientId)).client.returnAddresses).toEqual(ADDRESSES);
  });
});

describe('a creation with returnUrl and locale', () => {
  async function givenShop() {
    const client = await givenClient(service);
    await service.countersign.clients.setReturnAddresses(client.clientId, ADDRESSES);
    const { create, get, list, details } = service.countersign.verifications;
    return { ...client, create, get, list, details };
  }

  it('every read shows them; the creation returns its seven fields', async () => {
    const { principal, create, get, list, details } = await givenShop();
    const { verification } = await create(principal, { ...body, returnUrl, locale: 'de-AT' });
    expect(Object.keys(verification)).toHaveLength(7);
    const shown = { returnUrl, locale: 'de-AT' };
    expect(await get(principal, verification.id)).toMatchObject(shown);
    expect(await details(principal, verification.id)).toMatchObject(shown);
    expect((await list(principal)).verifications).toMatchObject([shown]);
  });

  it('reads of a verification without them have no such fields', async () => {
    const { principal, create, get } = await givenShop();
    const { verification } = await create(principal, body);
    const read = await get(principal, verification.id);
    expect(Object.keys(read)).not.toContain('returnUrl');
    expect(Object.keys(read)).not.toContain('locale');
  });

  it('any text of up to 35 characters is a locale, and the longest language tags fit', async () => {
    const { principal, create, get } = await givenShop();
    for (const [n, locale] of ['tlh', '???', 'de_DE', 'zh-cmn-Hans-CN-x-'.padEnd(35, 'y')].entries()) {
      const { verification } = await create(principal, { ...body, subjectReference: `user_${n}`, locale });
      expect(await get(principal, verification.id)).toMatchObject({ locale });
    }
  });

  it.each<[what: string, fields: object, path: string]>([
    ['an address outside the list', { returnUrl: 'https://shop.example/other' }, 'returnUrl'],
    ['an address that climbs', { returnUrl: 'https://shop.example/kyc/../other' }, 'returnUrl'],
    ['another port', { returnUrl: 'https://shop.example:8443/kyc' }, 'returnUrl'],
    ['a number as address', { returnUrl: 7 }, 'returnUrl'],
    ['null as address', { returnUrl: null }, 'returnUrl'],
    ['an empty locale', { locale: '' }, 'locale'],
    ['a long locale', { locale: 'x'.repeat(36) }, 'locale'],
    ['a list as locale', { locale: ['de'] }, 'locale'],
    ['NUL in the locale', { locale: 'de\u0000' }, 'locale'],
  ])('%s is refused, and neither the month nor the key is used', async (_, fields, path) => {
    const { principal, clientId, create } = await givenShop();
    const refused = create(principal, { ...body, ...fields }, { idempotencyKey: 'k' });
    await expect(refused).rejects.toThrow(refusedAt(path));
    expect((await service.countersign.clients.usage(clientId)).used).toBe(0);
    expect((await create(principal, body, { idempotencyKey: 'k' })).replayed).toBe(false);
  });

  it('a client without return addresses gets a refusal that says so', async () => {
    const { principal } = await givenClient(service);
    const refused = service.countersign.verifications.create(principal, { ...body, returnUrl });
    await expect(refused).rejects.toThrow("returnUrl is not below one of the client's return addresses");
  });

  it('the same request with an Idempotency-Key is replayed, also after the address was taken from the list', async () => {
    const { principal, clientId, create } = await givenShop();
    const request = { ...body, returnUrl, locale: 'de' };
    const first = await create(principal, request, { idempotencyKey: 'k' });
    await service.countersign.clients.setReturnAddresses(clientId, []);

    const again = await create(principal, request, { idempotencyKey: 'k' });

    expect(again).toEqual({ ...first, replayed: true });
    expect((await service.countersign.clients.usage(clientId)).used).toBe(1);
    await expect(create(principal, request, { idempotencyKey: 'l' })).rejects.toThrow(refusedAt('returnUrl'));
  });

  it.each([{ returnUrl: `${returnUrl}&x=1` }, { locale: 'en' }, { returnUrl: undefined }, { locale: undefined }])(
    'the same Idempotency-Key with %j is another request',
    async (change) => {
      const { principal, create } = await givenShop();
      await create(principal, { ...body, returnUrl, locale: 'de' }, { idempotencyKey: 'k' });
      const other = create(principal, { ...body, returnUrl, locale: 'de', ...change }, { idempotencyKey: 'k' });
      await expect(other).rejects.toThrow(withCode('IDEMPOTENCY_KEY_REUSED'));
    },
  );

  it('a request without them has the fingerprint of 0.2.0', async () => {
    const { principal, create } = await givenShop();
    const { verification } = await create(principal, { ...body, returnUrl: undefined }, { idempotencyKey: 'k' });
    const stored = await service.storage.verifications.findForAnyClient(verification.id);
    const request = '{"metadata":{},"subjectReference":"user_1","subjectType":"kyc"}';
    expect(stored?.idempotencyFingerprint).toBe(createCountingSecrets().sha256(request));
  });

  it('only a request with returnUrl reads the client', async () => {
    const storage = createMemoryStorage();
    let reads = 0;
    const find: typeof storage.clients.find = (clientId) => {
      reads += 1;
      return storage.clients.find(clientId);
    };
    service = givenService({ storage: { ...storage, clients: { ...storage.clients, find } } });
    const { principal, create } = await givenShop();
    reads = 0;
    await create(principal, { ...body, locale: 'de' });
    expect(reads).toBe(0);
    await create(principal, { ...body, subjectReference: 'user_2', returnUrl });
    expect(reads).toBe(1);
  });
});
