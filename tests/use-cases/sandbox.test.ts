import { createHash } from 'node:crypto';
import { createCountersign, SANDBOX_OUTCOMES, SUBJECT_TYPES, type SubjectType } from '@countersign/domain';
import { currentFlow, stepsOf } from '@countersign/domain/flows';
import type { Storage } from '@countersign/domain/storage';
import {
  createCountingIds,
  createCountingSecrets,
  createFixedClock,
  createMemoryRateLimiter,
  createMemoryStorage,
} from '@countersign/memory';
import { answerStep } from '@countersign/test-support/service/answers';
import { reviewAs } from '@countersign/test-support/service/operations';
import { givenClient, givenService, givenTestTwin, type Service } from '@countersign/test-support/service/service';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';

const MINUTE = 60_000;

type Client = Awaited<ReturnType<typeof givenTestTwin>>;

async function creating(
  { countersign }: Pick<Service, 'countersign'>,
  { principal }: Client,
  sandboxOutcome: unknown,
  given: { type?: SubjectType; subjectReference?: string } = {},
) {
  const { type = 'kyc', subjectReference = 'user_1' } = given;
  const body = { subjectType: type, subjectReference, metadata: { sandboxOutcome } };
  return (await countersign.verifications.create(principal, body)).verification;
}

const statusOf = async ({ countersign }: Service, { principal }: Client, id: string) =>
  (await countersign.verifications.get(principal, id)).status;

const seen = (verificationId: string, version: number) => ({ verificationId, version });

/** Creates a test twin with a verification that is driven to `approved`. */
async function givenDriven(ports: { storage?: Storage } = {}) {
  const service = givenService(ports);
  const client = await givenTestTwin(service);
  const { id, verificationUrl } = await creating(service, client, 'approved');
  const version = async () => (await service.storage.verifications.findForAnyClient(id))?.version as number;
  return { service, client, id, verificationUrl, version, drive: service.countersign.sandbox.drive };
}

/** A storage that calls `between` once, between the driver's read and its commit. */
function givenBetween() {
  const storage = createMemoryStorage();
  const { verifications } = storage;
  const nothing = async (): Promise<unknown> => undefined;
  const given = { between: nothing, storage };
  const dueInSandbox: typeof verifications.dueInSandbox = async (limit) => {
    const due = await verifications.dueInSandbox(limit);
    const { between } = given;
    given.between = nothing;
    await between();
    return due;
  };
  given.storage = { ...storage, verifications: { ...verifications, dueInSandbox } };
  return given;
}

describe('in a sandbox', () => {
  it.each(SUBJECT_TYPES.flatMap((type) => SANDBOX_OUTCOMES.map((outcome) => [type, outcome] as const)))(
    'a %s with sandboxOutcome %s reaches it in two moves and stays there',
    async (type, outcome) => {
      const service = givenService();
      const client = await givenTestTwin(service);
      const { id } = await creating(service, client, outcome, { type });
      const { drive } = service.countersign.sandbox;

      expect(await drive()).toEqual({ driven: 1 });
      const submitted = await service.countersign.verifications.details(client.principal, id);
      expect(submitted).toMatchObject({ status: 'submitted', currentStep: stepsOf(currentFlow(type)).length });
      expect(Object.keys(submitted.submittedData)).toEqual(stepsOf(currentFlow(type)));
      expect(await drive()).toEqual({ driven: 1 });
      expect(await drive()).toEqual({ driven: 0 });

      const read = await service.countersign.verifications.details(client.principal, id);
      expect(read).toMatchObject({ status: outcome, metadata: { sandboxOutcome: outcome } });
      expect(read.history.map(({ status, actor }) => [status, actor])).toEqual([
        ['pending', 'client'],
        ['submitted', 'system'],
        [outcome, 'system'],
      ]);
      expect(service.faults).toEqual([]);
    },
  );

  it('the times of a verification equal those of its history, to the millisecond', async () => {
    const clock = createFixedClock('2026-03-01T10:00:00.000Z');
    // A real clock may return a different time at each call.
    const now = () => {
      clock.advance(1);
      return clock.now();
    };
    const service = givenService({ clock: { now } });
    const { countersign } = service;
    const client = await givenTestTwin(service);
    const { id } = await creating(service, client, 'approved');
    await countersign.sandbox.drive();
    await countersign.sandbox.drive();

    const { history, resolvedAt, decision } = await countersign.verifications.details(client.principal, id);
    const decided = history.at(-1)?.at;
    expect(resolvedAt).toEqual(decided);
    expect(decision?.decidedAt).toBe(decided?.toISOString());
  });

  it('the submitted pictures are readable and have their true size and hash', async () => {
    const { service, client, id, drive } = await givenDriven();
    await drive();
    const { documents } = await service.countersign.verifications.details(client.principal, id);
    expect(documents.map(({ kind }) => kind)).toEqual(['document_front', 'selfie']);
    for (const { id: fileId, size, sha256, contentType } of documents) {
      const place = { clientId: client.clientId, verificationId: id, fileId };
      const content = (await service.evidence.store.get(place)) as Uint8Array;
      expect([content.length, createHash('sha256').update(content).digest('hex'), contentType]).toEqual([
        size,
        sha256,
        'image/png',
      ]);
      expect(await sharp(content).metadata()).toMatchObject({ format: 'png', width: 960, height: 600 });
      expect((await sharp(content).raw().toBuffer()).length).toBeGreaterThan(0);
    }
  });

  it.each([['approve'], [''], [null], [1], [['approved']], [{ a: 1 }], ['toString']])(
    'the unknown outcome %j is refused, and nothing is counted',
    async (outcome) => {
      const service = givenService();
      const client = await givenTestTwin(service);
      await expect(creating(service, client, outcome)).rejects.toThrow(
        expect.objectContaining({
          code: 'INVALID_PARAMETERS',
          data: { issues: [expect.objectContaining({ path: 'metadata.sandboxOutcome' })] },
        }),
      );
      expect(await service.countersign.clients.usage(client.clientId)).toMatchObject({ used: 0 });
    },
  );

  it('a verification without an outcome is not driven', async () => {
    const service = givenService();
    const client = await givenTestTwin(service);
    const body = {
      subjectType: 'kyc',
      subjectReference: 'user_1',
      metadata: { nested: { sandboxOutcome: 'approved' } },
    };
    const { verification } = await service.countersign.verifications.create(client.principal, body);
    expect(await service.countersign.sandbox.drive()).toEqual({ driven: 0 });
    expect(await statusOf(service, client, verification.id)).toBe('pending');
  });

  it('after action_needed, a person continues and a reviewer decides', async () => {
    const service = givenService();
    const client = await givenTestTwin(service);
    const { id } = await creating(service, client, 'action_needed');
    const { drive } = service.countersign.sandbox;
    await drive();
    await drive();
    const { verificationUrl } = await service.countersign.verifications.get(client.principal, id);
    const { access } = await service.countersign.subject.open(verificationUrl.split('/').at(-1) as string);
    await answerStep(service.countersign, access, 'document');
    const { version } = await service.countersign.subject.submit(access);
    expect(await drive()).toEqual({ driven: 0 });
    await reviewAs(service.countersign).reject(seen(id, version), { reasonCodes: ['data_mismatch'] });
    expect(await statusOf(service, client, id)).toBe('rejected');
  });
});

describe('in live mode', () => {
  it.each([['approved'], ['whatever'], [null]])(
    'sandboxOutcome %j is metadata like any other',
    async (outcome) => {
      const service = givenService();
      const client = await givenClient(service);
      const { id } = await creating(service, client, outcome);
      expect(await service.countersign.sandbox.drive()).toEqual({ driven: 0 });
      expect(await service.countersign.verifications.get(client.principal, id)).toMatchObject({
        status: 'pending',
        metadata: { sandboxOutcome: outcome },
      });
    },
  );

  it('nothing is driven, although the test twin of another client is driven', async () => {
    const service = givenService();
    const [sandbox, client] = [await givenTestTwin(service), await givenClient(service)];
    const inside = await creating(service, sandbox, 'rejected');
    const { id } = await creating(service, client, 'rejected');
    for (let tick = 0; tick < 3; tick += 1) await service.countersign.sandbox.drive();
    expect(await statusOf(service, sandbox, inside.id)).toBe('rejected');
    expect(await statusOf(service, client, id)).toBe('pending');
  });

  it('a creation with sandboxOutcome does not read the client: the key names the mode', async () => {
    const storage = createMemoryStorage();
    let looks = 0;
    const find: typeof storage.clients.find = (id) => {
      looks += 1;
      return storage.clients.find(id);
    };
    const service = givenService({ storage: { ...storage, clients: { ...storage.clients, find } } });
    const { principal } = await givenClient(service);
    const create = (subjectReference: string, metadata: object) =>
      service.countersign.verifications.create(principal, { subjectType: 'kyc', subjectReference, metadata });
    expect((await create('user_1', { a: { sandboxOutcome: 'approved' } })).sandboxOutcomeIgnored).toBe(false);
    expect((await create('user_2', { sandboxOutcome: 'approved' })).sandboxOutcomeIgnored).toBe(true);
    expect(looks).toBe(0);
  });
});

describe('changes by people win', () => {
  it('a change by the subject between the driver’s read and its commit stays', async () => {
    const given = givenBetween();
    const { service, client, id, verificationUrl, drive } = await givenDriven(given);
    const { access } = await service.countersign.subject.open(verificationUrl.split('/').at(-1) as string);
    given.between = () => answerStep(service.countersign, access, 'consent');
    expect(await drive()).toEqual({ driven: 0 });
    const { submittedData, status } = await service.countersign.verifications.get(client.principal, id);
    expect({ submittedData, status }).toMatchObject({
      status: 'pending',
      submittedData: { consent: { locale: 'de-DE' } },
    });
    expect(await placesIn(service)).toEqual([]);

    await drive();
    expect(await service.countersign.verifications.get(client.principal, id)).toMatchObject({
      status: 'submitted',
      submittedData: { consent: { locale: 'de-DE' }, person: { lastName: 'Sample' } },
    });
  });

  it('a reviewer’s decision between the driver’s read and its commit stays', async () => {
    const given = givenBetween();
    const { service, client, id, version, drive } = await givenDriven(given);
    await drive();
    const before = await version();
    given.between = () =>
      reviewAs(service.countersign).reject(seen(id, before), { reasonCodes: ['suspected_fraud'] });
    expect(await drive()).toEqual({ driven: 0 });
    expect(await drive()).toEqual({ driven: 0 });
    expect(await statusOf(service, client, id)).toBe('rejected');
  });

  it('files that no answer names are deleted, as by a submission', async () => {
    const { service, client, id, verificationUrl, drive } = await givenDriven();
    const { countersign } = service;
    const { access } = await countersign.subject.open(verificationUrl.split('/').at(-1) as string);
    await answerStep(countersign, access, 'consent');
    async function* upload() {
      yield Uint8Array.of(0xff, 0xd8, 0xff, 0xe0);
    }
    await countersign.subject.uploadFile(access, { step: 'document', kind: 'document_front' }, upload());
    await drive();
    const { documents } = await countersign.verifications.details(client.principal, id);
    expect(documents).toHaveLength(2);
    expect((await placesIn(service)).map(({ fileId }) => fileId).sort()).toEqual(
      documents.map((document) => document.id).sort(),
    );
  });

  it('a claimed verification is not driven', async () => {
    const { service, client, id, version, drive } = await givenDriven();
    await drive();
    const { version: claimed } = await reviewAs(service.countersign).claim(seen(id, await version()));
    expect(await drive()).toEqual({ driven: 0 });
    expect(await statusOf(service, client, id)).toBe('submitted');
    await reviewAs(service.countersign).release(seen(id, claimed));
    expect(await drive()).toEqual({ driven: 1 });
    expect(await statusOf(service, client, id)).toBe('approved');
  });

  it('a verification with a request for action is not driven', async () => {
    const { service, client, id, version, drive } = await givenDriven();
    await drive();
    const items = [{ step: 'selfie', reasonCode: 'selfie_unclear' } as const];
    await reviewAs(service.countersign).askForAction(seen(id, await version()), { items });
    const { verificationUrl } = await service.countersign.verifications.get(client.principal, id);
    const { access } = await service.countersign.subject.open(verificationUrl.split('/').at(-1) as string);
    await answerStep(service.countersign, access, 'selfie');
    await service.countersign.subject.submit(access);
    expect(await drive()).toEqual({ driven: 0 });
    expect(await statusOf(service, client, id)).toBe('submitted');
  });
});

describe('several drivers at once', () => {
  it('move each verification once, and leave no unused file behind', async () => {
    const { service, client, id, drive } = await givenDriven();
    const first = await Promise.all([drive(), drive(), drive()]);
    expect(first.map(({ driven }) => driven).sort()).toEqual([0, 0, 1]);
    const { documents } = await service.countersign.verifications.details(client.principal, id);
    expect((await placesIn(service)).map(({ fileId }) => fileId).sort()).toEqual(
      documents.map(({ id }) => id).sort(),
    );

    const second = await Promise.all([drive(), drive(), drive()]);
    expect(second.map(({ driven }) => driven).sort()).toEqual([0, 0, 1]);
    const whole = await service.storage.verifications.findWithEventsForAnyClient(id, 100);
    expect(whole?.events.filter(({ type }) => type === 'verification.approved')).toHaveLength(1);
    expect(service.faults).toEqual([]);
  });
});

describe('a fault', () => {
  it('a fault is reported once a minute, and does not delay other verifications', async () => {
    const storage = createMemoryStorage();
    const { verifications } = storage;
    let broken = '';
    const commit: typeof verifications.commit = async (change) => {
      if (change.record.id === broken) throw new Error('the disk is full');
      return verifications.commit(change);
    };
    const service = givenService({ storage: { ...storage, verifications: { ...verifications, commit } } });
    const client = await givenTestTwin(service);
    const { drive } = service.countersign.sandbox;
    broken = (await creating(service, client, 'approved', { subjectReference: 'user_1' })).id;
    const { id } = await creating(service, client, 'approved', { subjectReference: 'user_2' });

    expect([await drive(), await drive(), await drive()].map(({ driven }) => driven)).toEqual([1, 1, 0]);
    expect(await statusOf(service, client, id)).toBe('approved');
    expect(service.faults).toEqual([new Error('the disk is full')]);

    service.clock.advance(MINUTE);
    expect(await drive()).toEqual({ driven: 0 });
    expect(service.faults).toHaveLength(2);
    const works = broken;
    broken = '';
    service.clock.advance(MINUTE);
    expect(await drive()).toEqual({ driven: 1 });
    expect(await statusOf(service, client, works)).toBe('submitted');
  });

  it('a fault is reported if there is no evidence store; nothing is submitted then', async () => {
    const { service, client, id } = await givenDriven();
    const faults: unknown[] = [];
    const { storage, clock } = service;
    const withoutEvidence = createCountersign(
      {
        storage,
        sealing: 'none',
        clock,
        rateLimiter: createMemoryRateLimiter(clock),
        ids: createCountingIds(),
        secrets: createCountingSecrets(),
        onFault: (fault) => faults.push(fault),
      },
      { publicBaseUrl: 'https://verify.example' },
    );
    expect(await withoutEvidence.sandbox.drive()).toEqual({ driven: 0 });
    expect(faults).toEqual([
      expect.objectContaining({ message: expect.stringContaining('port `evidence` is missing') }),
    ]);
    expect(await statusOf(service, client, id)).toBe('pending');
  });
});

async function placesIn({ evidence }: Service) {
  const places = [];
  for await (const place of evidence.store.listWrittenBefore(new Date(8.64e15))) places.push(place);
  return places;
}
