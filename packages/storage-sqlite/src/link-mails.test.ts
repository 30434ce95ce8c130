import type { Mail } from '@countersign/domain/storage';
import { expect, it, onTestFinished } from 'vitest';
import { givenDatabase, rawConnection } from '../test-support/given-database.ts';
import { planOf } from '../test-support/plan-of.ts';
import { aCreateRequest, CLIENT } from '../test-support/records.ts';
import { createMailQueue } from './repositories/mail-queue.ts';
import { createSqliteStorage } from './sqlite-storage.ts';
import { createSqliteTransferSource } from './transfer/sqlite-transfer.ts';

const AT = new Date('2026-03-10T12:00:00Z');
const LATER = new Date('2026-03-10T12:05:00Z');

function linkMail(n: number, given: Partial<Mail> = {}): Mail {
  return {
    id: `mail-${n}`,
    kind: 'verification.link',
    clientId: CLIENT.id,
    verificationId: `verification-${n}`,
    userId: null,
    targetId: null,
    plannedAt: AT,
    dueAt: AT,
    attempts: 0,
    heldUntil: null,
    ...given,
  };
}

/** Creates a verification with mails, and returns the file and what waits in its row and in the table of mails. */
async function givenCreation(mails: readonly Mail[]) {
  const file = await givenDatabase(onTestFinished, { verifications: 0 });
  const storage = await createSqliteStorage({ file });
  onTestFinished(() => storage.close());
  await storage.verifications.createCharged({ ...aCreateRequest(1), mails });
  const raw = rawConnection(onTestFinished, file);
  const waiting = () => ({
    row: raw.prepare('select link_mail_id, link_mail_at from verifications').raw().get(),
    mails: raw.prepare('select id from mails order by id').pluck().all(),
  });
  return { file, storage, waiting };
}

it('createCharged: the mail with the link waits in the row until it is due and leased', async () => {
  const { storage, waiting } = await givenCreation([linkMail(1)]);
  const lease = (now: Date) => storage.mails.lease({ leaseToken: 'a', now, until: LATER, limit: 5 });
  expect(waiting()).toEqual({ row: ['mail-1', AT.getTime()], mails: [] });

  expect(await lease(new Date(AT.getTime() - 1))).toEqual([]);
  expect(waiting()).toEqual({ row: ['mail-1', AT.getTime()], mails: [] });

  expect(await lease(AT)).toEqual([linkMail(1)]);
  expect(waiting()).toEqual({ row: [null, null], mails: ['mail-1'] });
});

it.each<[string, Partial<Mail>]>([
  ['another kind', { kind: 'verification.result' }],
  ['another verification', { verificationId: 'verification-2' }],
  ['another client', { clientId: 'client-2' }],
  ['a user', { userId: 'user-1' }],
  ['a target', { targetId: 'target-1' }],
  ['attempts', { attempts: 1 }],
  ['a later time', { dueAt: LATER }],
])('createCharged: a mail with %s waits among the others', async (_, given) => {
  const { storage, waiting } = await givenCreation([linkMail(1, given)]);
  expect(waiting()).toEqual({ row: [null, null], mails: ['mail-1'] });
  const request = { leaseToken: 'a', now: LATER, until: LATER, limit: 5 };
  expect(await storage.mails.lease(request)).toEqual([linkMail(1, given)]);
});

it('lease: a mail that has the id of one in a row is leased once', async () => {
  const { storage, waiting } = await givenCreation([linkMail(1)]);
  await storage.mails.add([linkMail(1)]);
  const request = { leaseToken: 'a', now: LATER, until: LATER, limit: 5 };
  expect(await storage.mails.lease(request)).toEqual([linkMail(1)]);
  expect(waiting()).toEqual({ row: [null, null], mails: ['mail-1'] });
});

it('copy: reads mails that wait in rows with the others, and leaves them where they are', async () => {
  const { file, storage, waiting } = await givenCreation([linkMail(1)]);
  await storage.mails.add([linkMail(2)]);
  await storage.close();
  const source = await createSqliteTransferSource({ file });
  expect(await source.count('mails')).toBe(2);
  expect(await source.read('mails', null, 10)).toEqual([linkMail(1), linkMail(2)]);
  await source.close();
  expect(waiting()).toEqual({ row: ['mail-1', AT.getTime()], mails: ['mail-2'] });
});

it('query plan: mails that wait in rows are found by their index, in its order', async () => {
  const { file, storage } = await givenCreation([linkMail(1)]);
  await storage.close();
  const plan = await planOf(onTestFinished, file, async (session) => {
    const queue = createMailQueue(session);
    await queue.backlog({ now: LATER, limit: 5 });
    await queue.lease({ leaseToken: 'a', now: LATER, until: LATER, limit: 5 });
  });
  const found = plan.filter((step) => step.includes('verifications_link_mails'));
  expect(found).toHaveLength(2);
  for (const step of found)
    expect(step).toMatch(
      /^SEARCH verifications USING (COVERING )?INDEX verifications_link_mails \(link_mail_at<\?\)$/,
    );
  expect(plan.filter((step) => step.startsWith('SCAN verifications'))).toEqual([]);
});
