import { NO_RETENTION_FACTS, type RetentionFacts } from '@countersign/domain/retention';
import type { RetainedVerification } from '@countersign/domain/storage';
import { retentionChangesSuite } from '../../src/suites/retention/changes.ts';
import { type Mutant, mutantsOf } from './mutant.ts';
import { type Break, retention, toSeconds } from './patch.ts';

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
  'writes the subject': alsoWrites(({ subjectReference }) => ({ subjectReference })),
  'writes the end of the link': alsoWrites(({ linkExpiresAt }) => ({ linkExpiresAt })),
  'appends the events twice': change.input(({ events }) => ({
    events: [...events, ...events.map((event) => ({ ...event, id: `${event.id.slice(0, -1)}f` }))],
  })),
  'never removes a hold': change.override(async ({ next, storage }, request) => {
    const { clientId, id } = request.verification;
    const before = await storage.retention.find({ clientId, verificationId: id });
    const heldAt = request.verification.heldAt ?? before?.heldAt ?? null;
    return next({ ...request, verification: { ...request.verification, heldAt } });
  }),
});
