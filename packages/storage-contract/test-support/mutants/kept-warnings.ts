import type { VerificationRecord } from '@countersign/domain/storage';
import type { WarningsNote } from '../../src/records/kept-warnings.ts';
import { keptWarningsSuite } from '../../src/suites/kept-warnings.ts';
import { type Mutant, mutantsOf } from './mutant.ts';
import { type Break, both, remembering, retention, roundTrip, uuidOnly, verifications } from './patch.ts';

const { noteWarnings, commit } = verifications;

/** Shows other kept warnings than the storage has. */
const shows = (change: (record: VerificationRecord) => Partial<VerificationRecord>): Break =>
  verifications.findWithEventsForAnyClient.result((found) => ({
    ...found,
    record: { ...found.record, ...change(found.record) },
  }));

/** Shows what `patch` remembers of a verification in place of what the storage has. */
const showing = (patch: (shown: Map<string, Partial<VerificationRecord>>) => Break): Break =>
  remembering(() => {
    const shown = new Map<string, Partial<VerificationRecord>>();
    return both(
      patch(shown),
      shows(({ id }) => shown.get(id) ?? {}),
    );
  });

const ofRecord = ({ warnings, severity }: Pick<VerificationRecord, 'warnings' | 'severity'>) => ({
  warnings,
  severity,
});

/** Keeps notes about a verification as if it had the version and the client of the note. */
const keeping = (change: (note: WarningsNote, record: VerificationRecord) => Partial<WarningsNote>): Break =>
  noteWarnings.override(async ({ next, storage }, note) => {
    const record = await storage.verifications.findForAnyClient(note.verificationId).catch(() => null);
    return next(record === null ? note : { ...note, ...change(note, record) });
  });

export const KEPT_WARNINGS_MUTANTS: readonly Mutant[] = mutantsOf(keptWarningsSuite, {
  'keeps no warnings': shows(() => ({ warnings: null, severity: null })),
  'keeps no severity': shows(() => ({ severity: null })),
  'keeps every severity as a warning': keeping(() => ({ severity: 'warning' })),
  'keeps the first note': noteWarnings.override(async ({ next, storage }, note) => {
    const record = await storage.verifications.find(note.clientId, note.verificationId);
    return next({ ...note, warnings: record?.warnings ?? note.warnings });
  }),
  'raises the version': noteWarnings.override(async ({ next, storage }, note) => {
    const isStored = await next(note);
    const record = await storage.verifications.find(note.clientId, note.verificationId);
    if (isStored && record !== null) {
      const change = { record: { ...record, version: record.version + 1 }, expectedVersion: record.version };
      await storage.verifications.commit({ ...change, events: [] });
    }
    return isStored;
  }),
  'keeps at any version': keeping((_, { version }) => ({ expectedVersion: version })),
  'keeps at an earlier version': keeping(({ expectedVersion }, { version }) => ({
    expectedVersion: Math.max(expectedVersion, version),
  })),
  'keeps at no version but the first': noteWarnings.override(
    async ({ next }, note) => note.expectedVersion === 1 && next(note),
  ),
  'says that it kept': noteWarnings.override(async ({ next }, note) => {
    await next(note);
    return true;
  }),
  'keeps for any client': keeping((_, { clientId }) => ({ clientId })),
  'checks the version, then keeps': noteWarnings.override(async ({ next, storage }, note) => {
    const record = await storage.verifications.find(note.clientId, note.verificationId);
    if (record?.version !== note.expectedVersion) return false;
    await roundTrip();
    const current = await storage.verifications.find(note.clientId, note.verificationId);
    return next({ ...note, expectedVersion: current?.version ?? note.expectedVersion });
  }),
  'refuses notes at once': noteWarnings.oneAtATime(async () => false),
  'throws for other ids': noteWarnings.before(({ verificationId }) => uuidOnly(verificationId)),
  'replaces the warnings by those of a commit': showing((shown) =>
    commit.override(async ({ next }, change) => {
      const result = await next(change);
      if (result.outcome === 'committed') shown.set(change.record.id, ofRecord(change.record));
      return result;
    }),
  ),
  'keeps the warnings of an erased verification': showing((shown) =>
    retention.erase.override(async ({ next, storage }, request) => {
      const { clientId, verificationId } = request.erasure;
      const record = await storage.verifications.find(clientId, verificationId);
      const result = await next(request);
      if (record !== null) shown.set(verificationId, ofRecord(record));
      return result;
    }),
  ),
  'keeps the severity of an erased verification': showing((shown) =>
    retention.erase.override(async ({ next, storage }, request) => {
      const { clientId, verificationId } = request.erasure;
      const record = await storage.verifications.find(clientId, verificationId);
      const result = await next(request);
      if (record !== null) shown.set(verificationId, { severity: record.severity });
      return result;
    }),
  ),
});
