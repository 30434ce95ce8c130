import type { VerificationRecord } from '@countersign/domain';
import { creationSuite } from '../suites/creation.ts';
import { eachValue, keepingEvents, keepingRecords, toSeconds } from './lossy.ts';
import { type Mutant, mutantsOf, patched } from './mutant.ts';

/** A mutant that keeps its records differently. */
const keeping =
  (keep: (record: VerificationRecord) => Partial<VerificationRecord>): Mutant['breakIn'] =>
  (storage) =>
    keepingRecords(storage, (record) => ({ ...record, ...keep(record) }));

/** A mutant that keeps its JSON documents differently. */
const keepingDocuments =
  (change: (value: unknown, key: string) => unknown): Mutant['breakIn'] =>
  (storage) =>
    keepingRecords(storage, (record) => ({
      ...record,
      metadata: eachValue(record.metadata, change),
      answers: eachValue(record.answers, change),
      reviewData: eachValue(record.reviewData, change),
    }));

export const creationMutants: readonly Mutant[] = mutantsOf(creationSuite, {
  'forgets the fingerprint': keeping(() => ({ idempotencyFingerprint: null })),
  'forgets where a sandbox drives it': keeping(() => ({ sandboxOutcome: null })),
  'forgets the type': keeping(() => ({ type: 'kyc' })),
  'forgets the answers': keeping(() => ({ answers: {} })),
  'trims references': keeping(({ subjectReference }) => ({ subjectReference: subjectReference.trim() })),
  'folds cases': keeping(({ subjectReference }) => ({ subjectReference: subjectReference.toLowerCase() })),
  'composes accents': keeping(({ subjectReference }) => ({ subjectReference: subjectReference.normalize('NFC') })),
  'cuts references at 256 UTF-16 units': keeping(({ subjectReference }) => ({
    subjectReference: subjectReference.slice(0, 256),
  })),
  'knows the BMP alone': keeping(({ subjectReference }) => ({
    subjectReference: subjectReference.replace(/[\u{10000}-\u{10ffff}]/gu, '\ufffd'),
  })),
  'takes references of equal letters for one': (storage) => {
    const taken = new Set<string>();
    return patched(storage, {
      verifications: {
        createCharged: async (request) => {
          const folded = request.record.subjectReference.toLowerCase();
          if (taken.has(folded)) return { outcome: 'duplicate', verificationId: '', status: 'pending' };
          taken.add(folded);
          return storage.verifications.createCharged(request);
        },
      },
    });
  },
  'keeps numbers as text': keepingDocuments((value) => (typeof value === 'number' ? String(value) : value)),
  'keeps numbers in single precision': keepingDocuments((value) =>
    typeof value === 'number' ? Math.fround(value) : value,
  ),
  'leaves out nulls': keepingDocuments((value) => (value === null ? undefined : value)),
  'leaves out empty keys': keepingDocuments((value, key) =>
    key === '' && typeof value === 'number' ? undefined : value,
  ),
  'makes moments of texts': keepingDocuments((value) =>
    typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value) ? new Date(value).getTime() : value,
  ),
  'sorts lists': keepingDocuments((value) => (Array.isArray(value) ? [...(value as unknown[])].sort() : value)),
  'forgets the reviewData': keeping(() => ({ reviewData: {} })),
  'keeps moments to the second': keeping(({ requestedAt, linkExpiresAt }) => ({
    requestedAt: toSeconds(requestedAt),
    linkExpiresAt: toSeconds(linkExpiresAt),
  })),
  'keeps moments in summer time': keeping(({ requestedAt }) => ({
    requestedAt: requestedAt.getUTCMonth() === 9 ? new Date(requestedAt.getTime() + 3_600_000) : requestedAt,
  })),
  'charges another month': (storage) =>
    patched(storage, {
      verifications: {
        createCharged: (request) => storage.verifications.createCharged({ ...request, month: '1970-01' }),
      },
    }),
  'charges without inserting': (storage) =>
    patched(storage, {
      verifications: {
        createCharged: async (request) => {
          await storage.verifications.createCharged(request);
          return { outcome: 'limit_reached' };
        },
      },
    }),
  'loses the event': (storage) =>
    patched(storage, {
      verifications: {
        findWithEvents: async (...given) => {
          const found = await storage.verifications.findWithEvents(...given);
          return found && { ...found, events: [] };
        },
      },
    }),
  'keeps the event without its data': (storage) => keepingEvents(storage, (event) => ({ ...event, data: {} })),
});
