import { dashboardOf } from '@countersign/test-support/installation/dashboard';
import { givenClient, givenService, outcomesOf } from '@countersign/test-support/service/service';
import { describe, expect, it } from 'vitest';

const withCode = (code: string) => expect.objectContaining({ code });
const body = { subjectType: 'kyc', subjectReference: 'user_1' };

describe('creating a verification', () => {
  it('returns the seven fields of the interface', async () => {
    const service = givenService();
    const { principal } = await givenClient(service);
    const { verification, replayed } = await service.countersign.verifications.create(principal, body);
    expect(replayed).toBe(false);
    expect(verification).toEqual({
      id: expect.any(String),
      type: 'kyc',
      subjectReference: 'user_1',
      status: 'pending',
      requestedAt: service.clock.now(),
      currentStep: 0,
      verificationUrl: expect.stringMatching(/^https:\/\/verify\.example\/verify\/[^.]+\.[\w-]{43}$/),
    });
  });

  it('checks permission, body, replay, subscription, duplicate and limit in this order', async () => {
    const service = givenService();
    const { create } = service.countersign.verifications;
    const client = await givenClient(service, { plan: 'none', permissions: ['verifications:read'] });
    await expect(create(client.principal, {})).rejects.toThrow(withCode('INSUFFICIENT_PERMISSIONS'));
    const mayCreate = { ...client.principal, permissions: ['verifications:create'] as const };
    await expect(create(mayCreate, {})).rejects.toThrow(withCode('INVALID_SUBJECT_TYPE'));
    await expect(create(mayCreate, body)).rejects.toThrow(withCode('NO_ACTIVE_SUBSCRIPTION'));

    await service.countersign.clients.setSubscription(client.clientId, { plan: 'standard', monthlyLimit: 1 });
    const principal = {
      ...mayCreate,
      subscription: (await service.countersign.authenticate(client.value)).subscription,
    };
    await create(principal, body, { idempotencyKey: 'first' });
    await expect(create(principal, body)).rejects.toThrow(withCode('DUPLICATE_SUBJECT_REFERENCE'));
    await expect(create(principal, { ...body, subjectReference: 'user_2' })).rejects.toThrow(
      withCode('LIMIT_EXCEEDED'),
    );
    expect((await create(principal, body, { idempotencyKey: 'first' })).replayed).toBe(true);
    expect((await create(mayCreate, body, { idempotencyKey: 'first' })).replayed).toBe(true);
  });

  it('DUPLICATE_SUBJECT_REFERENCE names the active verification', async () => {
    const service = givenService();
    const { principal } = await givenClient(service);
    const { verification } = await service.countersign.verifications.create(principal, body);
    await expect(
      service.countersign.verifications.create(principal, { ...body, subjectType: 'kyb' }),
    ).rejects.toThrow(expect.objectContaining({ data: { verificationId: verification.id, status: 'pending' } }));
  });

  it('creates and counts 100 of 200 at once with a monthly limit of 100', async () => {
    const service = givenService();
    const { principal, clientId } = await givenClient(service, { monthlyLimit: 100 });
    const calls = Array.from({ length: 200 }, (_, index) =>
      service.countersign.verifications.create(principal, { ...body, subjectReference: `user_${index}` }),
    );
    expect(await outcomesOf(calls)).toEqual({ ok: 100, LIMIT_EXCEEDED: 100 });
    expect(await service.countersign.clients.usage(clientId)).toEqual({
      month: '2026-03',
      used: 100,
      allowance: 100,
      state: 'limit_reached',
    });
    const { pagination } = await service.countersign.verifications.list(principal);
    expect(pagination.totalCount).toBe(100);
  });

  it('creates one of 200 at once for one subject', async () => {
    const service = givenService();
    const { principal, clientId } = await givenClient(service);
    const calls = Array.from({ length: 200 }, () => service.countersign.verifications.create(principal, body));
    expect(await outcomesOf(calls)).toEqual({ ok: 1, DUPLICATE_SUBJECT_REFERENCE: 199 });
    expect((await service.countersign.clients.usage(clientId)).used).toBe(1);
  });

  it('counts from 0 in a new month (UTC)', async () => {
    const service = givenService();
    const { principal } = await givenClient(service, { monthlyLimit: 1 });
    service.clock.set('2026-03-31T23:59:59.999Z');
    await service.countersign.verifications.create(principal, body);
    const second = () =>
      service.countersign.verifications.create(principal, { ...body, subjectReference: 'user_2' });
    await expect(second()).rejects.toThrow(withCode('LIMIT_EXCEEDED'));
    service.clock.set('2026-04-01T00:00:00.000Z');
    await expect(second()).resolves.toMatchObject({ replayed: false });
  });
});

describe('an Idempotency-Key', () => {
  it('returns the first result again and counts nothing, whatever happened since', async () => {
    const service = givenService();
    const { principal, clientId } = await givenClient(service);
    const { create } = service.countersign.verifications;
    const first = await create(principal, { ...body, metadata: { a: 1, b: 2 } }, { idempotencyKey: 'k' });
    await dashboardOf(service, clientId).verifications.withdraw(first.verification.id);
    service.clock.advance(60_000);
    const again = await create(principal, { metadata: { b: 2, a: 1 }, ...body }, { idempotencyKey: 'k' });
    expect(again).toEqual({ ...first, replayed: true });
    expect((await service.countersign.clients.usage(clientId)).used).toBe(1);
  });

  it('an Idempotency-Key that is left out is not stored', async () => {
    const service = givenService();
    const { principal } = await givenClient(service);
    const { verification } = await service.countersign.verifications.create(principal, body);
    expect(await service.storage.verifications.findForAnyClient(verification.id)).toMatchObject({
      idempotencyKey: null,
      idempotencyFingerprint: null,
    });
  });

  it('an Idempotency-Key with another body is refused', async () => {
    const service = givenService();
    const { principal } = await givenClient(service);
    const { create } = service.countersign.verifications;
    await create(principal, body, { idempotencyKey: 'k' });
    await expect(create(principal, { ...body, subjectType: 'kyb' }, { idempotencyKey: 'k' })).rejects.toThrow(
      withCode('IDEMPOTENCY_KEY_REUSED'),
    );
  });

  it('belongs to one client', async () => {
    const service = givenService();
    const [one, other] = [await givenClient(service), await givenClient(service)];
    const { create } = service.countersign.verifications;
    await create(one.principal, body, { idempotencyKey: 'k' });
    expect((await create(other.principal, body, { idempotencyKey: 'k' })).replayed).toBe(false);
  });

  it('creates one verification from 50 requests at once', async () => {
    const service = givenService();
    const { principal } = await givenClient(service);
    const all = await Promise.all(
      Array.from({ length: 50 }, () =>
        service.countersign.verifications.create(principal, body, { idempotencyKey: 'k' }),
      ),
    );
    expect(all.filter(({ replayed }) => !replayed)).toHaveLength(1);
    expect(new Set(all.map(({ verification }) => verification.id)).size).toBe(1);
  });
});
