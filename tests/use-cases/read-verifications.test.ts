import { findUnreadable } from '@countersign/domain/storage';
import { answerStep } from '@countersign/test-support/service/answers';
import { givenClient, givenService, type Service } from '@countersign/test-support/service/service';
import { beforeEach, describe, expect, it } from 'vitest';

const withCode = (code: string) => expect.objectContaining({ code });

let service: Service;
let client: Awaited<ReturnType<typeof givenClient>>;

beforeEach(async () => {
  service = givenService();
  client = await givenClient(service);
});

async function create(subjectReference: string, subjectType = 'kyc', metadata = {}) {
  const body = { subjectType, subjectReference, metadata };
  return (await service.countersign.verifications.create(client.principal, body)).verification;
}

describe('a verification whose stored documents cannot be read', () => {
  let ids: string[];
  let damagedId: string;

  beforeEach(async () => {
    ids = [];
    for (const n of [1, 2, 3]) ids.push((await create(`user_${n}`, 'kyc', { n })).id);
    damagedId = ids[1] ?? '';
    const { verifications } = service.storage;
    const record = await verifications.findForAnyClient(damagedId);
    if (record === null) throw new Error('not found');
    const answers = {
      steps: { consent: { answers: 'Ada', completedAt: '2026-03-01T10:00:00.000Z', version: 2 } },
    };
    await verifications.commit({ record: { ...record, version: 2, answers }, expectedVersion: 1, events: [] });
  });

  it('keeps its place in the list, with its clear columns, empty data and dataError', async () => {
    const { verifications, pagination } = await service.countersign.verifications.list(client.principal);

    expect(pagination.totalCount).toBe(3);
    expect(verifications.map(({ id }) => id)).toEqual(ids.toReversed());
    expect(verifications.map(({ dataError }) => dataError)).toEqual([undefined, 'UNREADABLE', undefined]);
    expect(verifications[1]).toMatchObject({ subjectReference: 'user_2', submittedData: {}, metadata: { n: 2 } });
  });

  it('a verification whose stored documents cannot be read is reported to onFault with its id and without its data', async () => {
    await service.countersign.verifications.list(client.principal);

    expect(service.faults).toEqual([
      expect.objectContaining({ name: 'UnreadableVerificationError', verificationId: damagedId }),
    ]);
    expect(String((service.faults[0] as Error).cause)).toContain('answers.steps.consent.answers cannot be read');
    expect(String((service.faults[0] as Error).cause)).not.toContain('Ada');
  });

  it('rejects when it is read alone', async () => {
    const { get, details } = service.countersign.verifications;

    await expect(get(client.principal, damagedId)).rejects.toThrow(
      `The stored verification ${damagedId} is corrupt`,
    );
    await expect(details(client.principal, damagedId)).rejects.toThrow('is corrupt');
  });

  it('a verification whose stored documents cannot be read is found by findUnreadable, and the others are not', async () => {
    const found = [];
    for await (const each of findUnreadable(service.storage, service.countersign.flows)) found.push(each);

    expect(found).toMatchObject([{ clientId: client.principal.clientId, verificationId: damagedId }]);
  });

  it('a verification with emptied answers to a completed step cannot be read', async () => {
    const { countersign, storage } = service;
    const { id, verificationUrl } = await create('user_4');
    const { access } = await countersign.subject.open(verificationUrl.split('/').at(-1) ?? '');
    await answerStep(countersign, access, 'consent');
    const record = await storage.verifications.findForAnyClient(id);
    if (record === null) throw new Error('not found');
    const emptied = { ...record, version: record.version + 1, answers: {} };
    await storage.verifications.commit({ record: emptied, expectedVersion: record.version, events: [] });

    const { verifications } = await countersign.verifications.list(client.principal, {
      subjectReference: 'user_4',
    });
    const found = new Map<string, unknown>();
    for await (const { verificationId, fault } of findUnreadable(storage, countersign.flows)) {
      found.set(verificationId, fault);
    }

    expect(verifications).toMatchObject([{ id, submittedData: {}, dataError: 'UNREADABLE' }]);
    expect(String(found.get(id))).toContain('no answers to the step consent');
    await expect(countersign.verifications.get(client.principal, id)).rejects.toThrow('is corrupt');
  });
});

it('reading needs the permission to read', async () => {
  const { id } = await create('user_1');
  const writer = await givenClient(service, { permissions: ['verifications:create'] });
  const { get, details, list } = service.countersign.verifications;
  for (const attempt of [get(writer.principal, id), details(writer.principal, id), list(writer.principal)])
    await expect(attempt).rejects.toThrow(withCode('INSUFFICIENT_PERMISSIONS'));
});
