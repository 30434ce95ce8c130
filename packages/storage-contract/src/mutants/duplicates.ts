import { isActive, type Storage, type VerificationRecord } from '@countersign/domain';
import { aQuery } from '../records/queries.ts';
import { createCharged } from '../records/verifications.ts';
import { duplicatesSuite } from '../suites/duplicates.ts';
import { creating } from './around.ts';
import { type Mutant, mutantsOf, roundTrip } from './mutant.ts';

/** Takes a record for a duplicate, or not, in a way of its own. */
const judging =
  (stands: (earlier: VerificationRecord, record: VerificationRecord) => boolean): Mutant['breakIn'] =>
  (storage) =>
    creating(storage, async (next, request) => {
      const { record } = request;
      const earlier = (await all(storage, record.clientId)).find((each) => stands(each, record));
      if (earlier !== undefined) return duplicateOf(earlier);
      const answer = await next(request);
      return answer.outcome === 'duplicate' ? { outcome: 'created' } : answer;
    });

const isSame = (a: VerificationRecord, b: VerificationRecord): boolean =>
  a.subjectReference === b.subjectReference;

export const duplicatesMutants: readonly Mutant[] = mutantsOf(duplicatesSuite, {
  'overlooks pending ones': judging((a, b) => isSame(a, b) && isActive(a.status) && a.status !== 'pending'),
  'overlooks submitted ones': judging((a, b) => isSame(a, b) && isActive(a.status) && a.status !== 'submitted'),
  'overlooks those that need action': judging(
    (a, b) => isSame(a, b) && isActive(a.status) && a.status !== 'action_needed',
  ),
  'takes approved ones for active': judging(
    (a, b) => isSame(a, b) && (isActive(a.status) || a.status === 'approved'),
  ),
  'takes rejected ones for active': judging(
    (a, b) => isSame(a, b) && (isActive(a.status) || a.status === 'rejected'),
  ),
  'overlooks those of the other type': judging((a, b) => isSame(a, b) && isActive(a.status) && a.type === b.type),
  'takes a subject for one whose name begins the same': judging(
    (a, b) => b.subjectReference.startsWith(a.subjectReference) && isActive(a.status),
  ),
  'takes subjects for one without regard to case': judging(
    (a, b) => a.subjectReference.toLowerCase() === b.subjectReference.toLowerCase() && isActive(a.status),
  ),
  'looks at all clients': (storage) =>
    creating(storage, async (next, request) => {
      for (const { client } of await storage.clients.list()) {
        const earlier = (await all(storage, client.id)).find(
          (each) => isSame(each, request.record) && isActive(each.status),
        );
        if (earlier !== undefined) return duplicateOf(earlier);
      }
      return next(request);
    }),
  'names the first of the subject, active or not': (storage) =>
    creating(storage, async (next, request) => {
      const answer = await next(request);
      if (answer.outcome !== 'duplicate') return answer;
      const first = (await all(storage, request.record.clientId)).find((each) => isSame(each, request.record));
      return first === undefined ? answer : duplicateOf(first);
    }),
  'names the refused one': (storage) =>
    creating(storage, async (next, request) => {
      const answer = await next(request);
      return answer.outcome === 'duplicate' ? { ...answer, verificationId: request.record.id } : answer;
    }),
  'calls every duplicate pending': (storage) =>
    creating(storage, async (next, request) => {
      const answer = await next(request);
      return answer.outcome === 'duplicate' ? { ...answer, status: 'pending' } : answer;
    }),
  'looks first and inserts later': (storage) =>
    creating(storage, async (next, request) => {
      const earlier = (await all(storage, request.record.clientId)).find(
        (each) => isSame(each, request.record) && isActive(each.status),
      );
      if (earlier !== undefined) return duplicateOf(earlier);
      await roundTrip();
      await next(request);
      return { outcome: 'created' };
    }),
  'charges duplicates': (storage) =>
    creating(storage, async (next, request) => {
      const answer = await next(request);
      if (answer.outcome === 'duplicate') await chargeOnly(storage, request.record);
      return answer;
    }),
});

const duplicateOf = ({ id, status }: VerificationRecord) =>
  ({ outcome: 'duplicate', verificationId: id, status: isActive(status) ? status : 'pending' }) as const;

async function all(storage: Storage, clientId: string): Promise<readonly VerificationRecord[]> {
  return (await storage.verifications.list(clientId, aQuery())).records;
}

/** There is no charge without a row, so the row is one that nobody asks for. */
async function chargeOnly(storage: Storage, record: VerificationRecord): Promise<void> {
  const id = `ffffffff${record.id.slice(8)}`;
  await createCharged(storage, { ...record, id, subjectReference: id, idempotencyKey: null });
}
