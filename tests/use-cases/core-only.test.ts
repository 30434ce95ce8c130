import type { Countersign, ErrorCode } from '@countersign/domain';
import { ACTIONS, listWebhooks, readFirstSteps, readVerification } from '@countersign/domain/actions';
import { currentFlow, stepsOf } from '@countersign/domain/flows';
import { type CorePorts, PART_NAMES, type SomeParts, type StoragePart } from '@countersign/domain/storage';
import { answerStep } from '@countersign/test-support/service/answers';
import { reviewAs } from '@countersign/test-support/service/operations';
import { givenClient, type Service } from '@countersign/test-support/service/service';
import { givenStaff, givenTeam, signedIn } from '@countersign/test-support/service/team';
import { describe, expect, it } from 'vitest';
import { givenWithout } from './given-without.ts';

/** A storage whose ports are getters of a class. */
class StorageOfGetters implements CorePorts {
  readonly #ports: CorePorts & SomeParts;

  constructor(ports: CorePorts & SomeParts) {
    this.#ports = ports;
  }

  get clients() {
    return this.#ports.clients;
  }

  get apiKeys() {
    return this.#ports.apiKeys;
  }

  get verifications() {
    return this.#ports.verifications;
  }

  get dataKeys() {
    return this.#ports.dataKeys;
  }

  get audit() {
    return this.#ports.audit;
  }

  get indexes() {
    return this.#ports.indexes;
  }
}

const KYC = { subjectType: 'kyc', subjectReference: 'user_1' } as const;

/** Creates a verification and opens its link. */
async function givenOpened({ countersign }: Pick<Service, 'countersign'>) {
  const client = await givenClient({ countersign });
  const { verification } = await countersign.verifications.create(client.principal, KYC);
  const { verificationUrl } = verification;
  const { access } = await countersign.subject.open(verificationUrl.slice(verificationUrl.lastIndexOf('/') + 1));
  return { ...client, access, id: verification.id };
}

const refusal = (code: ErrorCode, part: StoragePart) =>
  expect.objectContaining({ code, message: expect.stringContaining(`the part \`${part}\``) });

describe('a service on a core-only storage', () => {
  it('a core-only service creates, lists, reads, reviews and decides', async () => {
    const { countersign } = givenWithout(PART_NAMES);
    const { principal, access, id } = await givenOpened({ countersign });
    for (const step of stepsOf(currentFlow('kyc'))) await answerStep(countersign, access, step);
    await countersign.subject.submit(access);

    const review = reviewAs(countersign);
    const opened = await review.open(id);
    const { version } = await review.claim({ verificationId: id, version: opened.verification.version });
    await review.approve({ verificationId: id, version });

    const { verifications } = await countersign.verifications.list(principal, {});
    expect(verifications.map(({ status }) => status)).toEqual(['approved']);
    expect(await countersign.verifications.details(principal, id)).toMatchObject({ status: 'approved' });
    expect(await countersign.verifyAudit()).toMatchObject({ outcome: 'intact' });
  });

  it('a core-only service withdraws verifications, and expires those that are never completed', async () => {
    const { countersign, clock } = givenWithout(PART_NAMES);
    const { principal, id } = await givenOpened({ countersign });
    expect(await countersign.verifications.withdraw(principal, id)).toMatchObject({ status: 'rejected' });

    await countersign.verifications.create(principal, { ...KYC, subjectReference: 'user_2' });
    clock.advance(100 * 24 * 60 * 60 * 1000);
    expect(await countersign.expiry.expire()).toEqual({ expired: 1, isDone: true });
  });

  it('a service runs on a storage whose ports are getters of a class', async () => {
    const { countersign } = givenWithout([], (ports) => new StorageOfGetters(ports));
    expect([...countersign.parts]).toEqual(['indexes']);
    const { principal, id } = await givenOpened({ countersign });
    expect(await countersign.verifications.get(principal, id)).toMatchObject({ status: 'pending' });
  });

  it('a core-only service refuses notify like a service without a mailer', async () => {
    const { countersign } = givenWithout(['mails']);
    const { principal } = await givenClient({ countersign });
    expect(countersign.mails.isOn).toBe(false);
    expect(await countersign.mails.send()).toMatchObject({ sent: 0, waiting: 0, isDone: true });
    expect(await countersign.mails.queueKeyNotices()).toBe(0);
    expect(await countersign.mails.backlog()).toEqual({ waiting: 0, oldestAt: null });
    const notify = { email: 'grace@example.com' };
    await expect(countersign.verifications.create(principal, { ...KYC, notify })).rejects.toThrow(
      expect.objectContaining({ code: 'INVALID_PARAMETERS' }),
    );
  });

  it('a core-only service has no download and no hand-over code to end after a restore', async () => {
    // Adopters call both after each restore, whatever parts their storage has: without exports, nothing is forgotten.
    const { countersign } = givenWithout(PART_NAMES);
    expect(await countersign.exports.endAll()).toBe(0);
    expect(await countersign.endHandOvers()).toBe(0);
  });

  it('a core-only service shows the name of the client, and promises no erasure', async () => {
    const service = givenWithout(PART_NAMES);
    const { countersign } = service;
    const { principal, clientId, id } = await givenOpened({ countersign });
    expect(await countersign.appearances.shown(clientId)).toMatchObject({
      name: 'Acme',
      logo: null,
      colour: null,
    });
    await countersign.verifications.withdraw(principal, id);
    const owner = await givenStaff(service, { role: 'client', clientId, teamRole: 'owner' });
    const read = countersign.as(signedIn(service, owner)).run(readVerification, { verificationId: id });
    expect(await read).toMatchObject({ data: { state: 'kept', until: null } });
  });

  it('a core-only service allows no action that needs a missing part, and suggests none as a first step', async () => {
    const service = givenWithout(PART_NAMES);
    const { owner } = await givenTeam(service);
    const as = service.countersign.as(signedIn(service, owner));
    const needing = ACTIONS.filter(({ needs }) => needs.length > 0);
    expect(needing.length).toBeGreaterThan(20);
    expect(needing.filter((action) => as.may(action) !== 'no')).toEqual([]);
    await expect(as.run(listWebhooks, {})).rejects.toThrow(refusal('NOT_AVAILABLE', 'webhooks'));
    expect((await as.run(readFirstSteps, {})).map(({ name }) => name)).not.toContain('webhook');
  });
});

/** A call of each part that the core offers to callers. */
const CALLS: readonly (readonly [
  StoragePart,
  (countersign: Countersign, given: Awaited<ReturnType<typeof givenOpened>>) => Promise<unknown>,
])[] = [
  ['retention', ({ verifications }, { principal, id }) => verifications.eraseData(principal, id)],
  ['retention', ({ retention }) => retention.run()],
  ['exports', ({ subject }, { access }) => subject.requestExport(access)],
  ['handOvers', ({ subject }, { access }) => subject.issueHandOver(access)],
  ['appearances', ({ appearances }, { clientId }) => appearances.removeLogo(clientId)],
];

it.each(CALLS)('a call that needs the missing part %s is refused with its name', async (part, call) => {
  const { countersign } = givenWithout([part]);
  const given = await givenOpened({ countersign });

  await expect(call(countersign, given)).rejects.toThrow(refusal('NOT_AVAILABLE', part));
  expect([...countersign.parts]).toEqual(PART_NAMES.filter((one) => one !== part));
});
