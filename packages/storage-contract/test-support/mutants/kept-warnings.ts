import type { VerificationRecord } from '@countersign/domain/storage';
import type { WarningsNote } from '../../src/records/kept-warnings.ts';
import { keptWarningsSuite } from '../../src/suites/kept-warnings.ts';
import { type Mutant, mutantsOf } from './mutant.ts';
import { type Break, roundTrip, verifications } from './patch.ts';

const { commit, noteWarnings } = verifications;

/** Keeps notes about a verification as if it had the version and the client of the note. */
const keeping = (change: (note: WarningsNote, record: VerificationRecord) => Partial<WarningsNote>): Break =>
  noteWarnings.override(async ({ next, storage }, note) => {
    const record = await storage.verifications.findForAnyClient(note.verificationId).catch(() => null);
    return next(record === null ? note : { ...note, ...change(note, record) });
  });

export const KEPT_WARNINGS_MUTANTS: readonly Mutant[] = mutantsOf(keptWarningsSuite, {
  'keeps the first note': noteWarnings.override(async ({ next, storage }, note) => {
    const record = await storage.verifications.find(note.clientId, note.verificationId);
    return next({ ...note, warnings: record?.warnings ?? note.warnings });
  }),
  'keeps at any version': keeping((_, { version }) => ({ expectedVersion: version })),
  'keeps at an earlier version': keeping(({ expectedVersion }, { version }) => ({
    expectedVersion: Math.max(expectedVersion, version),
  })),
  'keeps at no version but the first': noteWarnings.override(
    async ({ next }, note) => note.expectedVersion === 1 && next(note),
  ),
  'checks the version, then keeps': noteWarnings.override(async ({ next, storage }, note) => {
    const record = await storage.verifications.find(note.clientId, note.verificationId);
    if (record?.version !== note.expectedVersion) return false;
    await roundTrip();
    const current = await storage.verifications.find(note.clientId, note.verificationId);
    return next({ ...note, expectedVersion: current?.version ?? note.expectedVersion });
  }),
  'refuses notes at once': noteWarnings.oneAtATime(async () => false),
  ...commit.ignoring('kept'),
  'keeps the warnings of a commit that lost': commit.override(async ({ next, storage }, change) => {
    const result = await next(change);
    const { clientId, id } = change.record;
    const record = await storage.verifications.find(clientId, id);
    if (record !== null && change.kept !== undefined) {
      const { version: expectedVersion } = record;
      await storage.verifications.noteWarnings({ clientId, verificationId: id, expectedVersion, ...change.kept });
    }
    return result;
  }),
});
