import type { VerificationEvent } from '@countersign/domain';
import type {
  Attempt,
  RetainedVerification,
  RetentionRepository,
  Storage,
  VerificationRecord,
} from '@countersign/domain/storage';
import { erasureAtOnceSuite, erasureSuite } from '../../src/suites/retention/erasing.ts';
import { type Mutant, mutantsOf } from './mutant.ts';
import { type Break, both, remembering, retention, roundTrip, verifications, webhooks } from './patch.ts';

const { erase } = retention;
type Request = Parameters<RetentionRepository['erase']>[0];

/** Remembers each verification as it was before its erasure. */
const leaving = (patch: (before: ReadonlyMap<string, VerificationRecord>) => Break): Break =>
  remembering(() => {
    const before = new Map<string, VerificationRecord>();
    return both(
      erase.override(async ({ next, storage }, request) => {
        const { clientId, verificationId } = request.erasure;
        const record = await storage.verifications.find(clientId, verificationId);
        const result = await next(request);
        if (result.outcome === 'erased' && record !== null) before.set(verificationId, structuredClone(record));
        return result;
      }),
      patch(before),
    );
  });

/** Shows a column of erased verifications as it was. */
const leaves = (...columns: readonly (keyof VerificationRecord)[]): Break =>
  leaving((before) =>
    verifications.findWithEventsForAnyClient.result((found) => {
      const old = before.get(found.record.id);
      const left = old && Object.fromEntries(columns.map((column) => [column, old[column]]));
      return { ...found, record: { ...found.record, ...left } };
    }),
  );

const COLUMNS = [
  'subjectReference',
  'metadata',
  'answers',
  'reviewData',
  'idempotencyKey',
  'sandboxOutcome',
  'returnUrl',
  'locale',
  'notify',
  'linkExpiresAt',
  'eventCount',
] as const;

/** A break for each column: the storage does not empty it. */
const LEAVING: Readonly<Record<string, Break>> = Object.fromEntries(
  COLUMNS.map((column) => [`leaves ${column}`, leaves(column)]),
);

/** Keeps the texts of attempts that are settled while the verification is as `when` says. */
const showsTexts = (
  when: (found: RetainedVerification) => boolean,
  delay = async (): Promise<void> => undefined,
): Break =>
  remembering(() => {
    const kept = new Map<string, Attempt>();
    return both(
      webhooks.settle.override(async ({ next, storage }, lease, delivery, result) => {
        const { verificationId } = delivery;
        const found = await storage.retention.find({ clientId: lease.clientId, verificationId });
        if (found !== null && when(found)) kept.set(result.attempt.id, result.attempt);
        await delay();
        return next(lease, delivery, result);
      }),
      webhooks.attempts.result((attempts) => attempts.map((attempt) => kept.get(attempt.id) ?? attempt)),
    );
  });

/** Also tries, for a conflict, what `change` makes of the request. */
const instead = (change: (request: Request, storage: Storage) => Promise<Request | null>): Break =>
  erase.override(async ({ next, storage }, request) => {
    const result = await next(request);
    const other = result.outcome === 'conflict' ? await change(request, storage) : null;
    return other === null ? result : next(other);
  });

export const erasureMutants: readonly Mutant[] = mutantsOf(erasureSuite, {
  ...LEAVING,
  'ends every link with the erasure': retention.find.result((found) =>
    found.erasureNumber === null ? found : { ...found, linkExpiresAt: found.erasedAt ?? found.linkExpiresAt },
  ),
  'empties the data of its own event': erase.input(({ event }) => ({ event: { ...event, data: {} } })),
  'fans out no event of an erased verification': leaving((before) =>
    webhooks.fanOut.override(async ({ next }, request) => (before.size > 0 ? 0 : next(request))),
  ),
  'never gives the Idempotency-Key back': leaving((before) =>
    verifications.createCharged.override(async ({ next }, request) => {
      const used = [...before.values()].find(
        ({ idempotencyKey }) => idempotencyKey === request.record.idempotencyKey,
      );
      return used === undefined ? next(request) : { outcome: 'key_used', record: used };
    }),
  ),
  'ignores the expected version': instead(async (request, storage) => {
    const { clientId, verificationId } = request.erasure;
    const found = await storage.retention.find({ clientId, verificationId });
    return found && { ...request, expectedVersion: found.version };
  }),
});

export const erasureAtOnceMutants: readonly Mutant[] = mutantsOf(erasureAtOnceSuite, {
  'compares, then erases': erase.override(async ({ next, storage }, request) => {
    const { clientId, verificationId } = request.erasure;
    const found = await storage.retention.find({ clientId, verificationId });
    await roundTrip();
    const result = await next(request);
    const isExpected = found?.version === request.expectedVersion;
    return result.outcome === 'conflict' && isExpected ? { outcome: 'erased', number: 1 } : result;
  }),
  'reads the highest number, then erases': erase.override(async ({ next, storage }, request) => {
    const last = await storage.retention.lastErasure();
    await roundTrip();
    return next({ ...request, erasure: { ...request.erasure, number: request.erasure.number ?? last + 1 } });
  }),
  'leaves gaps between numbers': erase.override(async ({ next, storage }, request) => {
    const last = await storage.retention.lastErasure();
    return next({ ...request, erasure: { ...request.erasure, number: request.erasure.number ?? 2 * last + 1 } });
  }),
  'erases, then looks whether the number is taken': erase.override(async ({ next }, request) => {
    const result = await next(request);
    if (result.outcome === 'number_taken')
      await next({ ...request, erasure: { ...request.erasure, number: null } });
    return result;
  }),
  'looks whether the erasure has begun, then stores the attempt': showsTexts(
    ({ erasedAt }) => erasedAt === null,
    roundTrip,
  ),
  'erases whatever came meanwhile': erase.override(async ({ next, storage }, request) => {
    await roundTrip();
    const { clientId, verificationId } = request.erasure;
    const found = await storage.retention.find({ clientId, verificationId });
    return next({ ...request, expectedVersion: found?.version ?? 0 });
  }),
  'lets a commit bring the data back': verifications.commit.override(async ({ next, storage }, request) => {
    const { id, clientId } = request.record;
    const found = await storage.retention.find({ clientId, verificationId: id });
    const isErased = found?.erasureNumber !== null;
    return isErased ? { outcome: 'committed' } : next(request);
  }),
  'empties the row, then the events': remembering(() => {
    let isErasing = false;
    let left: readonly VerificationEvent[] | null = null;
    return both(
      erase.override(async ({ next, storage }, request) => {
        isErasing = true;
        const before = await storage.verifications.findWithEventsForAnyClient(request.erasure.verificationId, 100);
        const result = await next(request);
        left = before?.events ?? null;
        await roundTrip();
        [isErasing, left] = [false, null];
        return result;
      }),
      verifications.findWithEventsForAnyClient.override(async ({ next }, ...input) => {
        if (isErasing) await someTurns();
        const found = await next(...input);
        return found && { ...found, events: left ?? found.events };
      }),
    );
  }),
});

/** Lets some pending calls run first. */
async function someTurns(): Promise<void> {
  for (let turn = 0; turn < 50; turn += 1) await Promise.resolve();
}
