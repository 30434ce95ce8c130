import { type Countersign, CountersignError, type SubjectAccess } from '@countersign/domain';
import { holdVerification } from '@countersign/domain/actions';
import { currentFlow, stepsOf } from '@countersign/domain/flows';
import type { Storage } from '@countersign/domain/storage';
import { createCountingIds, createMemoryMailer, createMemoryStorage } from '@countersign/memory';
import { createKeyRing, createSealing } from '@countersign/sealing';
import { answerStep } from '@countersign/test-support/service/answers';
import { kindsOf, NO_BACKLOG, queuedMails, sendDue } from '@countersign/test-support/service/mails';
import { operationsOf, reviewAs } from '@countersign/test-support/service/operations';
import { givenClient, givenService } from '@countersign/test-support/service/service';
import { describe, expect, it } from 'vitest';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const notify = { email: 'ada@example.org' };
const body = { subjectType: 'kyc', subjectReference: 'user_1' } as const;

/** The subject and the address of the `n`th creation. */
const another = (n: number) => ({ subjectReference: `user_${n}`, notify: { email: `user-${n}@example.org` } });

type Found = Awaited<ReturnType<Storage['verifications']['find']>>;

/** A service that sends mail, with a client. */
async function given(...[ports, settings]: Parameters<typeof givenService>) {
  const mailer = createMemoryMailer();
  const service = givenService({ mailer, ...ports }, settings);
  const { countersign, clock, storage } = service;
  const client = await givenClient(service);
  const { principal, clientId } = client;
  const commandLine = operationsOf(countersign.as({ kind: 'command_line' }));

  return {
    ...service,
    ...client,
    mailer,
    commandLine,
    review: reviewAs(countersign, 'reviewer-1'),
    pass: (days: number) => clock.advance(days * DAY_MS),
    create: async (fields: object = {}) => {
      const { verification } = await countersign.verifications.create(principal, { ...body, notify, ...fields });
      return verification;
    },
    accessTo: async (verificationId: string): Promise<SubjectAccess> => {
      const record = await storage.verifications.find(clientId, verificationId);
      return { verificationId, linkVersion: record?.linkVersion ?? 0 };
    },
    versionOf: async (verificationId: string) =>
      (await storage.verifications.find(clientId, verificationId))?.version ?? 0,
    /** Changes what later reads of verifications find. */
    findAs(change: (record: Found) => Found) {
      const { find } = storage.verifications;
      Object.assign(storage.verifications, {
        find: async (...key: Parameters<typeof find>) => change(await find(...key)),
      });
    },
    /** Sends what is due, and returns it. */
    sent: () => sendDue(mailer, service),
  };
}

type Given = Awaited<ReturnType<typeof given>>;

async function complete(countersign: Countersign, access: SubjectAccess): Promise<void> {
  for (const step of stepsOf(currentFlow('kyc'))) await answerStep(countersign, access, step);
  await countersign.subject.submit(access);
}

async function submitted(at: Given): Promise<{ verificationId: string; version: number }> {
  const { id: verificationId } = await at.create();
  await at.sent();
  const access = await at.accessTo(verificationId);
  await complete(at.countersign, access);
  return { verificationId, version: await at.versionOf(verificationId) };
}

describe('the mail with the link', () => {
  it('the mail with the link is sent once after the creation, with the link, its end and the name of the client', async () => {
    const at = await given();
    const { id, verificationUrl } = await at.create({ locale: 'de-AT' });

    const mails = await at.sent();

    expect(mails).toEqual([
      {
        kind: 'verification.link',
        messageId: expect.stringMatching(/./) as string,
        to: notify.email,
        locale: 'de-AT',
        values: {
          clientName: 'Acme',
          colour: null,
          logo: null,
          supportAddress: null,
          subjectType: 'kyc',
          url: verificationUrl,
          linkExpiresAt: new Date(at.clock.now().getTime() + 30 * DAY_MS),
        },
      },
    ]);
    expect(verificationUrl).toContain(id);
    expect(await at.sent()).toEqual([]);
  });

  it('the mail with the link has the appearance of the client', async () => {
    const at = await given();
    const { appearances } = at.countersign;
    await appearances.change(at.clientId, {
      displayName: 'Zoë',
      colour: '#FFD400',
      supportAddress: 'help@shop.example',
    });
    const logo = { id: 'a'.repeat(64), width: 480, height: 96, content: new Uint8Array(1) };
    await at.storage.appearances.setLogo(at.clientId, logo);
    await at.create();

    const [mail] = await at.sent();

    expect(mail?.values).toMatchObject({
      clientName: 'Zoë',
      colour: '#ffd400',
      supportAddress: 'help@shop.example',
      logo: { url: `https://verify.example/faces/logos/${at.clientId}/${logo.id}.png`, width: 480, height: 96 },
    });
  });

  it('the mail with the link is not queued without an address', async () => {
    const at = await given();
    await at.create({ notify: undefined });
    expect(await at.sent()).toEqual([]);
    expect(await at.countersign.mails.backlog()).toEqual(NO_BACKLOG);
  });

  it('the mail with the link has the current link, if it was renewed before it was sent; the renewal is sent too', async () => {
    const at = await given();
    const { id, verificationUrl } = await at.create();
    const renewed = await at.commandLine.verifications.renewLink(id);

    const mails = await at.sent();

    expect(kindsOf(mails)).toEqual(['verification.link', 'verification.link_renewed']);
    expect(mails.map(({ values }) => values.url)).toEqual([renewed.verificationUrl, renewed.verificationUrl]);
    expect(renewed.verificationUrl).not.toBe(verificationUrl);
  });

  it('the mail with the link is renewed five times a day at most, also by calls at the same time', async () => {
    const at = await given();
    const { id } = await at.create();
    const { renewLink } = at.commandLine.verifications;
    const calls = await Promise.allSettled(Array.from({ length: 5 }, () => renewLink(id)));
    for (const { status } of calls) if (status === 'rejected') await renewLink(id);

    const retryAt = new Date(at.clock.now().getTime() + DAY_MS).toISOString();
    await expect(renewLink(id)).rejects.toMatchObject({ code: 'TOO_MANY_RENEWALS', data: { retryAt } });
    await expect(Promise.all([renewLink(id), renewLink(id)])).rejects.toMatchObject({ code: 'TOO_MANY_RENEWALS' });
    const { id: other } = await at.create({ subjectReference: 'user_2' });
    await expect(renewLink(other)).resolves.toMatchObject({ id: other });

    at.pass(1);
    await expect(renewLink(id)).resolves.toMatchObject({ id });
  });

  it.each<[what: string, act: (at: Given, id: string) => Promise<unknown>]>([
    ['a withdrawal', (at, id) => at.commandLine.verifications.withdraw(id)],
    ['the end of the link', async (at) => at.pass(30)],
    [
      'a submission',
      async (at, id) => {
        await complete(at.countersign, await at.accessTo(id));
      },
    ],
    ['the loss of the verification', async (at) => at.findAs(() => null)],
    ['the loss of the address', async (at) => at.findAs((record) => record && { ...record, notify: null })],
    ['the erasure', async (at) => at.findAs((record) => record && { ...record, erasedAt: at.clock.now() })],
  ])('the mail with the link is not sent after %s', async (_, act) => {
    const at = await given();
    const { id } = await at.create();
    await act(at, id);
    expect(await at.countersign.mails.send()).toMatchObject({ sent: 0, moot: 1 });
    expect(at.mailer.received).toEqual([]);
  });

  it('the mail with the link is sent of a verification on hold, as of any other', async () => {
    const at = await given();
    const { id } = await at.create();
    await at.commandLine.as.run(holdVerification, { verificationId: id, reason: 'lawsuit' });
    expect(kindsOf(await at.sent())).toEqual(['verification.link']);
  });
});

describe('the reminder', () => {
  it('the reminder is sent three days after the link, once', async () => {
    const at = await given();
    const { verificationUrl } = await at.create();
    const [link] = await at.sent();
    at.clock.advance(3 * DAY_MS - 1);
    expect(await at.sent()).toEqual([]);
    at.clock.advance(1);

    const [reminder, ...others] = await at.sent();

    expect(others).toEqual([]);
    expect(reminder).toMatchObject({ kind: 'verification.reminder', values: { url: verificationUrl } });
    expect(reminder?.messageId).not.toBe(link?.messageId);
    at.pass(20);
    expect(await at.sent()).toEqual([]);
  });

  it('counts from when the link was sent, not from the creation', async () => {
    const at = await given();
    await at.create();
    at.mailer.outcome = { outcome: 'unavailable' };
    await at.sent();
    at.pass(2);
    at.mailer.outcome = { outcome: 'accepted' };
    expect(kindsOf(await at.sent())).toEqual(['verification.link']);
    at.pass(2);
    expect(await at.sent()).toEqual([]);
    at.pass(1);
    expect(kindsOf(await at.sent())).toEqual(['verification.reminder']);
  });

  it('the reminder is not sent once the subject has submitted', async () => {
    const at = await given();
    await submitted(at);
    at.pass(3);
    expect(await at.sent()).toEqual([]);
  });

  it.each([
    [4, ['verification.reminder']],
    [3.9, []],
  ])('the reminder of a link that works for %d days', async (linkLifetimeDays, expected) => {
    const at = await given({}, { linkLifetimeDays });
    await at.create();
    await at.sent();
    at.pass(3);
    expect(kindsOf(await at.sent())).toEqual(expected);
  });
});

describe('mails of a review', () => {
  it('a request for action: the steps and why, without messages and notes', async () => {
    const at = await given();
    const seen = await submitted(at);
    await at.review.askForAction(seen, {
      message: 'Dear Ada',
      items: [{ step: 'document', reasonCode: 'document_glare', note: 'Passport of Ada' }],
    });

    const [mail] = await at.sent();

    expect(mail).toMatchObject({
      kind: 'verification.action_needed',
      to: notify.email,
      values: { items: [{ step: 'document', reasonCode: 'document_glare' }] },
    });
    expect(JSON.stringify(mail)).not.toMatch(/Dear Ada|Passport of/);
    at.pass(3);
    expect(await at.sent()).toEqual([]);
  });

  it('a request for action is moot once the subject has answered it', async () => {
    const at = await given();
    const { verificationId, ...seen } = await submitted(at);
    const items = [{ step: 'attestation', reasonCode: 'other', note: 'Again' }] as const;
    await at.review.askForAction({ verificationId, ...seen }, { items });
    const access = await at.accessTo(verificationId);
    await at.countersign.subject.completeStep(access, 'attestation', { accepted: true });
    await at.countersign.subject.submit(access);
    expect(await at.sent()).toEqual([]);
  });

  it.each(['approved', 'rejected'] as const)('the result: %s, without reasons', async (result) => {
    const at = await given();
    const seen = await submitted(at);
    if (result === 'approved') await at.review.approve(seen);
    else await at.review.reject(seen, { reasonCodes: ['suspected_fraud'], message: 'Dear Ada' });

    const mails = await at.sent();

    expect(mails).toMatchObject([{ kind: 'verification.result', values: { result, clientName: 'Acme' } }]);
    expect(JSON.stringify(mails)).not.toMatch(/suspected_fraud|Dear Ada/);
  });

  it('nothing is sent of a withdrawal and of an expiry', async () => {
    const at = await given();
    const { id } = await at.create();
    await at.create({ subjectReference: 'user_2' });
    await at.sent();
    await at.commandLine.verifications.withdraw(id);
    at.pass(61);
    expect(await at.countersign.expiry.expire()).toMatchObject({ expired: 1 });
    expect(await at.sent()).toEqual([]);
  });

  it('the result is not sent once the erasure was requested', async () => {
    const at = await given();
    const seen = await submitted(at);
    await at.review.approve(seen);
    await at.countersign.verifications.eraseData(at.principal, seen.verificationId);
    expect(await at.sent()).toEqual([]);
  });
});

describe('a mail that is not accepted', () => {
  it('refused for now: is tried again for five days with longer waits, always with one Message-ID, then given up', async () => {
    const at = await given();
    await at.create();
    at.mailer.outcome = { outcome: 'refused', permanent: false };
    const start = at.clock.now().getTime();
    const times: number[] = [];
    let result = await at.countersign.mails.send();
    while (result.givenUp === 0) {
      if (result.waiting > 0) times.push((at.clock.now().getTime() - start) / MINUTE_MS);
      at.clock.advance(MINUTE_MS);
      result = await at.countersign.mails.send();
    }

    expect(result).toMatchObject({ refusedTooLong: [{ kind: 'verification.link' }] });
    expect(times.slice(0, 7)).toEqual([0, 2, 12, 42, 102, 222, 342]);
    expect((at.clock.now().getTime() - start) / DAY_MS).toBeGreaterThanOrEqual(5);
    expect(new Set(at.mailer.received.map(({ messageId }) => messageId)).size).toBe(1);
    expect(at.mailer.received).toHaveLength(times.length + 1);
    at.pass(1);
    expect(await at.countersign.mails.backlog()).toEqual(NO_BACKLOG);
  });

  it('refused for good: is given up immediately, and no reminder follows', async () => {
    const at = await given();
    await at.create();
    at.mailer.outcome = { outcome: 'refused', permanent: true };
    expect(await at.countersign.mails.send()).toMatchObject({ givenUp: 1, sent: 0, refusedTooLong: [] });
    at.mailer.outcome = { outcome: 'accepted' };
    at.pass(3);
    expect(await at.sent()).toEqual([]);
  });

  it('a mail without a mail server: waits a minute, as long as it takes, and the call tries no more mails', async () => {
    const at = await given();
    for (let n = 0; n < 30; n += 1) await at.create(another(n));
    at.mailer.outcome = { outcome: 'unavailable' };
    expect(await at.countersign.mails.send()).toEqual({
      sent: 0,
      moot: 0,
      waiting: 20,
      held: 0,
      givenUp: 0,
      refusedTooLong: [],
      isAvailable: false,
      isDone: true,
    });
    expect(at.mailer.received).toHaveLength(5);
    expect(await at.countersign.mails.backlog()).toEqual({ waiting: 30, oldestAt: at.clock.now() });

    at.pass(9);
    await at.sent();
    at.clock.advance(MINUTE_MS);
    at.mailer.outcome = { outcome: 'accepted' };
    expect(await at.sent()).toHaveLength(30);
  });

  it('a fault of the mailer is reported, and does not stop the others', async () => {
    const at = await given();
    await at.create();
    await at.create({ subjectReference: 'user_2' });
    const send = at.mailer.send;
    const fault = new Error('no template');
    let calls = 0;
    at.mailer.send = async (content) => {
      calls += 1;
      if (calls === 1) throw fault;
      return send(content);
    };
    expect(await at.countersign.mails.send()).toMatchObject({ sent: 1, waiting: 1 });
    expect(at.faults).toEqual([fault]);
    at.clock.advance(2 * MINUTE_MS);
    expect(await at.countersign.mails.send()).toMatchObject({ sent: 1 });
  });

  it('a mail is not settled while the database does not answer, and no fault is reported', async () => {
    const at = await given();
    await at.create();
    const fault = new CountersignError('SERVICE_UNAVAILABLE');
    Object.assign(at.storage.mails, { takeFromBudgets: () => Promise.reject(fault) });
    await expect(at.countersign.mails.send()).rejects.toBe(fault);
    expect(at.faults).toEqual([]);
  });
});

describe('several instances', () => {
  it('send each mail once', async () => {
    const shared = { storage: createMemoryStorage(), ids: createCountingIds() };
    const at = await given(shared);
    for (let n = 0; n < 45; n += 1) await at.create(another(n));
    const others = [1, 2].map(() => givenService({ ...shared, mailer: at.mailer }));

    const ids = (await sendDue(at.mailer, at, ...others)).map(({ messageId }) => messageId);

    expect(ids).toHaveLength(45);
    expect(new Set(ids).size).toBe(45);
  });

  it('one that lacks a secret after a rotation sends the mails that it can read, and leaves the others to the next one', async () => {
    const shared = { storage: createMemoryStorage(), ids: createCountingIds() };
    const [first, added] = [new Uint8Array(32).fill(7), new Uint8Array(32).fill(8)];
    const sealingBy = (...secrets: Uint8Array[]) => createSealing({ keys: createKeyRing(secrets) });
    const restarted = await given({ ...shared, sealing: sealingBy(added, first) });
    await restarted.create();
    const { countersign, faults } = givenService({
      ...shared,
      mailer: restarted.mailer,
      sealing: sealingBy(first),
    });
    for (let n = 2; n < 12; n += 1)
      await countersign.verifications.create(restarted.principal, {
        ...body,
        ...another(n),
      });

    expect(await countersign.mails.send()).toMatchObject({ sent: 10, waiting: 1, isDone: true });
    expect(faults).toMatchObject([{ code: 'SERVICE_UNAVAILABLE' }]);

    restarted.clock.advance(5 * MINUTE_MS);
    expect(await restarted.countersign.mails.send()).toMatchObject({ sent: 1, waiting: 0 });
  });

  it('one that is slower than its lease sends no further mails, and counts none that another has leased', async () => {
    const at = await given();
    for (let n = 0; n < 6; n += 1) await at.create(another(n));
    const { send } = at.mailer;
    at.mailer.send = async (content) => {
      at.clock.advance(MINUTE_MS);
      await queuedMails(at);
      return send(content);
    };
    expect(await at.countersign.mails.send()).toMatchObject({ sent: 0, waiting: 0 });
    expect(at.mailer.received).toHaveLength(5);
  });

  it('one that died: another sends the mail again, with the same Message-ID', async () => {
    const storage = createMemoryStorage();
    const settle: typeof storage.mails.settle = async () => Promise.reject(new Error('killed'));
    const at = await given({ storage: { ...storage, mails: { ...storage.mails, settle } } });
    await at.create();
    await expect(at.countersign.mails.send()).rejects.toThrow('killed');
    const [first] = at.mailer.received;

    const other = givenService({ storage, mailer: at.mailer });
    expect(await other.countersign.mails.send()).toMatchObject({ sent: 0 });
    other.clock.advance(5 * MINUTE_MS);
    expect(await other.countersign.mails.send()).toMatchObject({ sent: 1 });

    expect(at.mailer.received[1]?.messageId).toBe(first?.messageId);
  });
});

describe('the address', () => {
  it('the address is sealed, in no read of the API, and gone with its mails after the erasure', async () => {
    const storage = createMemoryStorage();
    const sealing = createSealing({ keys: createKeyRing([new Uint8Array(32).fill(7)]) });
    const at = await given({ storage, sealing });
    const { id } = await at.create();
    const { verifications } = at.countersign;
    const reads = [
      await verifications.get(at.principal, id),
      await verifications.details(at.principal, id),
      await verifications.list(at.principal),
    ];
    expect(JSON.stringify([reads, await storage.verifications.find(at.clientId, id)])).not.toContain('ada@');
    expect((await storage.verifications.find(at.clientId, id))?.notify).toMatchObject({ countersignSealed: 1 });
    expect(kindsOf(await at.sent())).toEqual(['verification.link']);

    await at.countersign.verifications.withdraw(at.principal, id);
    expect(await at.countersign.verifications.eraseData(at.principal, id)).toMatchObject({ state: 'erased' });

    expect((await storage.verifications.find(at.clientId, id))?.notify).toBeNull();
    expect(await storage.mails.backlog({ now: new Date(8e14), limit: 10 })).toEqual(NO_BACKLOG);
  });

  it('the address is not in the queue', async () => {
    const at = await given();
    await at.create();
    const leased = await queuedMails(at);
    expect(leased).toHaveLength(1);
    expect(JSON.stringify(leased)).not.toContain('@');
  });
});

it('without a mailer, nothing is queued and nothing is sent', async () => {
  const service = givenService();
  const { principal } = await givenClient(service);
  await service.countersign.verifications.create(principal, body);
  const { mails } = service.countersign;
  expect(mails.isOn).toBe(false);
  expect(await mails.send()).toMatchObject({ sent: 0, isAvailable: true, isDone: true });
  const refused = service.countersign.verifications.create(principal, {
    ...body,
    notify,
    subjectReference: 'user_2',
  });
  await expect(refused).rejects.toThrow('this service sends no e-mail');
});
