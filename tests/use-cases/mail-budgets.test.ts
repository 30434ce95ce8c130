import { currentFlow, stepsOf } from '@countersign/domain/flows';
import type { MailContent } from '@countersign/domain/mail';
import { createCountingIds, createMemoryMailer, createMemoryStorage } from '@countersign/memory';
import { answerStep } from '@countersign/test-support/service/answers';
import { kindsOf, NO_BACKLOG, sendDue } from '@countersign/test-support/service/mails';
import { reviewAs } from '@countersign/test-support/service/operations';
import { givenClient, givenService } from '@countersign/test-support/service/service';
import { describe, expect, it } from 'vitest';

const HOUR_MS = 60 * 60 * 1_000;
const DAY_MS = 24 * HOUR_MS;
const ADA = 'ada@example.org';

/** A service that sends mail. */
function given(ports: Parameters<typeof givenService>[0] = {}) {
  const mailer = createMemoryMailer();
  const service = givenService({ mailer, ...ports });
  const { countersign, clock } = service;
  let references = 0;
  return {
    ...service,
    mailer,
    /** Creates verifications, as one client does. */
    async create(
      { principal }: Pick<Awaited<ReturnType<typeof givenClient>>, 'principal'>,
      count: number,
      email = ADA,
    ) {
      for (let n = 0; n < count; n += 1) {
        references += 1;
        const input = { subjectType: 'kyc', subjectReference: `user_${references}`, notify: { email } };
        await countersign.verifications.create(principal, input);
      }
    },
    /** Sends what is due after some time, and returns it. */
    sent(afterMs = 0) {
      clock.advance(afterMs);
      return sendDue(mailer, service);
    },
  };
}

describe('mails about verifications', () => {
  it('mails about verifications of one client to one address: 10 a day; the others wait, oldest first, and are no backlog', async () => {
    const at = given();
    const client = await givenClient(at);
    await at.create(client, 25);

    const first = await at.sent();
    expect(first).toHaveLength(10);
    expect(await at.countersign.mails.backlog()).toEqual(NO_BACKLOG);
    expect(await at.sent(DAY_MS - 1)).toEqual([]);
    const second = await at.sent(1);
    expect(second).toHaveLength(10);
    const third = await at.sent(DAY_MS);
    expect(third).toHaveLength(5);

    const ids = [...first, ...second, ...third].map(({ messageId }) => messageId);
    expect(ids).toEqual(ids.toSorted());
  });

  it('says how many are held back', async () => {
    const at = given();
    await at.create(await givenClient(at), 12);
    expect(await at.countersign.mails.send()).toMatchObject({ sent: 10, held: 2, waiting: 0, isDone: true });
  });

  it('mails about verifications of all clients to one address: 20 a day; mails to other addresses are sent', async () => {
    const at = given();
    for (const name of ['One', 'Two', 'Three']) await at.create(await givenClient(at, { name }), 10);
    await at.create(await givenClient(at, { name: 'Four' }), 1, 'bob@example.org');
    expect((await at.sent()).map(({ to }) => to).toSorted()).toEqual([...Array(20).fill(ADA), 'bob@example.org']);
    expect(await at.sent(DAY_MS)).toHaveLength(10);
  });

  it('the result waits, and is sent although a server then refuses it for days', async () => {
    const at = given();
    const client = await givenClient(at);
    const { verification } = await at.countersign.verifications.create(client.principal, {
      subjectType: 'kyc',
      subjectReference: 'user',
      notify: { email: ADA },
    });
    // More than a week of other mails.
    await at.create(client, 79);
    await at.sent();
    const access = { verificationId: verification.id, linkVersion: 1 };
    for (const step of stepsOf(currentFlow('kyc'))) await answerStep(at.countersign, access, step);
    await at.countersign.subject.submit(access);
    const version = (await at.storage.verifications.find(client.clientId, verification.id))?.version ?? 0;
    await reviewAs(at.countersign).approve({ verificationId: verification.id, version });
    await at.sent();
    for (let day = 0; day < 7; day += 1)
      expect(kindsOf(await at.sent(DAY_MS))).not.toContain('verification.result');

    at.mailer.outcome = { outcome: 'refused', permanent: false };
    at.clock.advance(DAY_MS);
    expect(await at.countersign.mails.send()).toMatchObject({ givenUp: 0 });
    for (let day = 0; day < 4; day += 1) await at.sent(DAY_MS);
    at.mailer.outcome = { outcome: 'accepted' };

    const sent: MailContent[] = [];
    for (let day = 0; day < 10; day += 1) sent.push(...(await at.sent(DAY_MS)));
    expect(kindsOf(sent)).toContain('verification.result');
  });

  it('a mail that no server accepts does not count', async () => {
    const at = given();
    await at.create(await givenClient(at), 10);
    for (const outcome of [
      { outcome: 'unavailable' },
      { outcome: 'refused', permanent: false },
      { outcome: 'unavailable' },
    ] as const) {
      at.mailer.outcome = outcome;
      await at.sent(10 * 60_000);
    }
    at.mailer.outcome = { outcome: 'accepted' };
    expect(await at.sent(HOUR_MS)).toHaveLength(10);
  });

  it('several instances together send as many mails as one', async () => {
    const shared = { storage: createMemoryStorage(), ids: createCountingIds() };
    const at = given(shared);
    await at.create(await givenClient(at), 40);
    const others = [1, 2].map(() => givenService({ ...shared, mailer: at.mailer }));

    expect(await sendDue(at.mailer, at, ...others)).toHaveLength(10);
  });

  it('a mail counts if the process ends while it sends', async () => {
    const storage = createMemoryStorage();
    const at = given({ storage });
    await at.create(await givenClient(at), 10);
    at.mailer.send = async () => new Promise(() => undefined);
    void at.countersign.mails.send();
    await new Promise(setImmediate);

    const other = givenService({ storage, mailer: createMemoryMailer() });
    other.clock.advance(5 * 60_000);
    // Five were under way: each may have been sent.
    expect(await other.countersign.mails.send()).toMatchObject({ sent: 5, held: 5 });
  });

  it('no address is stored, and what was counted is deleted after a day', async () => {
    const storage = createMemoryStorage();
    const taken: unknown[] = [];
    const deleted: number[] = [];
    const at = given({
      storage: {
        ...storage,
        mails: {
          ...storage.mails,
          takeFromBudgets: async (request) => {
            taken.push(request.budgets);
            return storage.mails.takeFromBudgets(request);
          },
          deleteEndedBudgets: async (request) => {
            const count = await storage.mails.deleteEndedBudgets(request);
            deleted.push(count);
            return count;
          },
        },
      },
    });
    await at.create(await givenClient(at), 1);
    await at.sent();
    await at.sent(DAY_MS - 1);
    await at.sent(60_000);

    expect(taken).toHaveLength(1);
    expect(JSON.stringify(taken)).not.toMatch(/ada|example/);
    expect(deleted).toEqual([0, 0, 2]);
  });

  it('what was counted is deleted once a minute, and by the next call too if more may be left', async () => {
    const storage = createMemoryStorage();
    const deleted = [1_000, 999, 0];
    const deleteEndedBudgets = async () => deleted.shift() ?? 0;
    const at = given({ storage: { ...storage, mails: { ...storage.mails, deleteEndedBudgets } } });
    for (const left of [2, 1, 1]) {
      await at.sent();
      expect(deleted).toHaveLength(left);
    }
    await at.sent(60_000);
    expect(deleted).toEqual([]);
  });
});
