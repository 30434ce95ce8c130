import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { temporaryDirectory } from '@countersign/test-support/processes/temporary-directory';
import { expect, it, onTestFinished } from 'vitest';
import { aRequestedErasure, ERASED_AT } from '../../../test-support/erasures.ts';
import { rawConnection } from '../../../test-support/given-database.ts';
import { aCreateRequest, CLIENT } from '../../../test-support/records.ts';
import { createSqliteStorage } from '../../sqlite-storage.ts';

const DECIDED_AT = new Date('2026-03-11T12:00:00Z');

/** A text that only the `n`th verification has, long enough for several pages with the others. */
const canary = (n: number, place: string): string => `canary-${place}-${n}-${'x'.repeat(40 + ((n * 37) % 900))}`;

// SQLite overwrites what is deleted (`secure_delete`). But when it moves rows to other pages, copies of them stay in the free space
// of the old ones.
it.each([8, 200])(
  'clear: after erasures among %i verifications, no file has anything of the erased data, and the rest is unharmed',
  {
    timeout: 120_000,
  },
  async (count) => {
    const file = join(temporaryDirectory(onTestFinished), 'countersign.db');
    const storage = await createSqliteStorage({ file });
    await storage.clients.create({ client: CLIENT, subscription: null });
    const numbers = Array.from({ length: count }, (_, index) => index + 1);
    const records = numbers.map((n) => recordWithCanaries(n));
    // One after the other and mixed, so that pages split and rows move between them.
    for (const { request, decided, event } of records) {
      await storage.verifications.createCharged(request);
      await storage.verifications.commit({ record: decided, expectedVersion: 1, events: [event] });
    }

    for (const [index, { decided }] of records.entries()) {
      if (index % 4 === 0) continue;
      const { clientId, id: verificationId } = decided;
      const found = await storage.retention.find({ clientId, verificationId });
      if (found === null) throw new Error(`${verificationId} is missing`);
      const begun = { ...found, erasedAt: DECIDED_AT, version: 3 };
      await storage.retention.change({ verification: begun, expectedVersion: 2, events: [] });
      const erased = await storage.retention.erase(
        aRequestedErasure({ clientId, verificationId, expectedVersion: 3, number: null }),
      );
      expect(erased.outcome).toBe('erased');
    }
    const left = await Promise.all(
      records.map(({ decided }) => storage.verifications.findForAnyClient(decided.id)),
    );
    const erasures = count - Math.ceil(count / 4);
    expect(await storage.erasedSpace.find()).toEqual({ erasures, since: ERASED_AT, isSmall: true });
    expect(await storage.erasedSpace.clear()).toMatchObject({ outcome: 'cleared', erasures });
    expect(await storage.erasedSpace.find()).toMatchObject({ erasures: 0, since: null });
    await storage.close();

    const names = readdirSync(dirname(file));
    // The thread that cleared has no connection any more: it would keep the write-ahead log.
    expect(names.filter((name) => /-(wal|shm)$/.test(name))).toEqual([]);
    const bytes = names.map((name) => readFileSync(join(dirname(file), name)).toString('latin1'));
    const found = new Set(bytes.join('\n').match(/canary-[a-z]+-\d+-/g));
    const expected = new Set<string>();
    for (const [index, { decided }] of records.entries()) {
      if (index % 4 !== 0) continue;
      expect(left[index]).toEqual(decided);
      for (const place of PLACES) expected.add(`canary-${place}-${index + 1}-`);
    }
    expect([...found].toSorted()).toEqual([...expected].toSorted());
    const integrity = rawConnection(onTestFinished, file).pragma('integrity_check', { simple: true });
    expect(integrity).toBe('ok');
  },
);

const PLACES = ['subject', 'key', 'metadata', 'answers', 'review', 'url', 'event'];

function recordWithCanaries(n: number) {
  const { record, ...request } = aCreateRequest(n);
  const created = {
    ...record,
    subjectReference: canary(n, 'subject'),
    idempotencyKey: canary(n, 'key'),
    idempotencyFingerprint: 'f',
    metadata: { value: canary(n, 'metadata') },
    returnUrl: canary(n, 'url'),
  };
  const decided = {
    ...created,
    status: 'rejected' as const,
    resolvedAt: DECIDED_AT,
    answers: { value: canary(n, 'answers').repeat(1 + (n % 12)) },
    reviewData: { value: canary(n, 'review') },
    version: 2,
    eventCount: 2,
  };
  const event = {
    ...request.event,
    id: `decided-${n}`,
    version: 2,
    type: 'verification.rejected' as const,
    status: 'rejected' as const,
    data: { value: canary(n, 'event') },
  };
  return { request: { ...request, record: created }, decided, event };
}
