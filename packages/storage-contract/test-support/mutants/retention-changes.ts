import { NO_RETENTION_FACTS, type RetentionFacts } from '@countersign/domain/retention';
import type { RetainedVerification } from '@countersign/domain/storage';
import { retentionChangesSuite } from '../../src/suites/retention/changes.ts';
import { type Mutant, mutantsOf } from './mutant.ts';
import { type Break, retention, roundTrip, toSeconds, uuidOnly } from './patch.ts';

const { change } = retention;

const keeps = (fields: (verification: RetainedVerification) => Partial<RetainedVerification>): Break =>
  change.input(({ verification }) => ({ verification: { ...verification, ...fields(verification) } }));

/** A break for each fact that is changed: the storage does not keep it. */
const FORGETTING: Readonly<Record<string, Break>> = Object.fromEntries(
  (Object.keys(NO_RETENTION_FACTS) as (keyof RetentionFacts)[])
    .filter((fact) => fact !== 'erasureNumber')
    .map((fact) => [`does not keep ${fact}`, keeps(() => ({ [fact]: null }))]),
);

/** Replaces the whole row, after the change. */
const alsoWrites = (columns: (verification: RetainedVerification) => object): Break =>
  change.override(async ({ next, storage }, request) => {
    const result = await next(request);
    const { clientId, id } = request.verification;
    const record = await storage.verifications.find(clientId, id);
    if (result.outcome === 'committed' && record !== null) {
      const written = { ...record, ...columns(request.verification) };
      await storage.verifications.commit({ record: written, expectedVersion: record.version, events: [] });
    }
    return result;
  });

export const retentionChangesMutants: readonly Mutant[] = mutantsOf(retentionChangesSuite, {
  ...FORGETTING,
  'keeps seconds': keeps(({ heldUntil }) => ({ heldUntil: heldUntil && toSeconds(heldUntil) })),
  'empties the documents': alsoWrites(() => ({ answers: {}, reviewData: {} })),
  'writes the subject': alsoWrites(({ subjectReference }) => ({ subjectReference })),
  'writes the end of the link': alsoWrites(({ linkExpiresAt }) => ({ linkExpiresAt })),
  'keeps the claim': keeps(() => ({ claimedBy: 'reviewer', claimedAt: new Date() })),
  'keeps the status': keeps(() => ({ status: 'submitted' })),
  'keeps the outcome of the sandbox': keeps(() => ({ sandboxOutcome: 'approved' })),
  'drops the events': change.input(() => ({ events: [] })),
  'appends the events twice': change.input(({ events }) => ({
    events: [...events, ...events.map((event) => ({ ...event, id: `${event.id.slice(0, -1)}f` }))],
  })),
  'never removes a hold': change.override(async ({ next, storage }, request) => {
    const { clientId, id } = request.verification;
    const before = await storage.retention.find({ clientId, verificationId: id });
    const heldAt = request.verification.heldAt ?? before?.heldAt ?? null;
    return next({ ...request, verification: { ...request.verification, heldAt } });
  }),
  'ignores the expected version': change.override(async ({ next, storage }, request) => {
    const { clientId, id } = request.verification;
    const found = await storage.retention.find({ clientId, verificationId: id });
    return next({ ...request, expectedVersion: found?.version ?? request.expectedVersion });
  }),
  'compares, then writes': change.override(async ({ next, storage }, request) => {
    const { clientId, id } = request.verification;
    const found = await storage.retention.find({ clientId, verificationId: id });
    if (found?.version !== request.expectedVersion) return { outcome: 'conflict' };
    await roundTrip();
    const now = await storage.retention.find({ clientId, verificationId: id });
    return next({ ...request, expectedVersion: now?.version ?? 0 });
  }),
  'changes verifications of any client': change.override(async ({ next, storage }, request) => {
    const owner = await storage.verifications.clientOf(request.verification.id);
    return next({
      ...request,
      verification: { ...request.verification, clientId: owner ?? request.verification.clientId },
    });
  }),
  'fails on a text that cannot be an id': change.input(({ verification }) => ({
    verification: { ...verification, id: uuidOnly(verification.id) },
  })),
  'keeps facts that contradict each other': change.override(async ({ next }, request) => {
    try {
      return await next(request);
    } catch {
      return { outcome: 'committed' };
    }
  }),
  'writes events of a conflict': change.override(async ({ next, storage }, request) => {
    const result = await next(request);
    const { clientId, id: verificationId } = request.verification;
    const found = await storage.retention.find({ clientId, verificationId });
    if (result.outcome === 'conflict' && found !== null) {
      const change = { verification: found, expectedVersion: found.version, events: request.events };
      await storage.retention.change(change);
    }
    return result;
  }),
  'sends no events': (storage) => ({ ...storage, webhooks: { ...storage.webhooks, fanOut: async () => 0 } }),
});
