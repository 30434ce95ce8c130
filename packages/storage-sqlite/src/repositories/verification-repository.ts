import type { VerificationRepository } from '@countersign/domain';
import { columnParameters, parameter } from '../connection/parameters.ts';
import type { Session } from '../connection/session.ts';
import { and, eq } from '../drizzle.ts';
import { toVerificationRow } from '../rows/verification-row.ts';
import { verifications } from '../schema/index.ts';
import { createCountByDay } from './count-by-day.ts';
import { chargedCreation } from './create-charged.ts';
import { createDueInSandbox } from './due-in-sandbox.ts';
import { createBrowse } from './verification-browse.ts';
import { createVerificationEvents } from './verification-events.ts';
import { createListVerifications } from './verification-list.ts';
import { createQueue } from './verification-queue.ts';
import { createVerificationRecords } from './verification-records.ts';

export function createVerificationRepository(session: Session): VerificationRepository {
  const { db, read, readAtOnce, write } = session;
  const records = createVerificationRecords(session);
  const events = createVerificationEvents(session);

  // The data key is changed by nothing but its own repository.
  const { id, clientId, dataKey: _, dataKeyWrappedBy: __, ...replaced } = columnParameters(verifications);
  const replace = db
    .update(verifications)
    .set(replaced)
    .where(
      and(
        eq(verifications.id, id),
        eq(verifications.clientId, clientId),
        eq(verifications.version, parameter('expectedVersion')),
      ),
    )
    .prepare();

  return {
    createCharged: chargedCreation(session, { records, events }),

    async commit({ record, expectedVersion, events: happened }) {
      const row = toVerificationRow(record);
      return write<{ outcome: 'committed' | 'conflict' }>(() => {
        const { changes } = replace.run({ ...row, expectedVersion });
        if (changes === 0) return { keep: false, value: { outcome: 'conflict' } };
        for (const event of happened) events.append(event);
        return { keep: true, value: { outcome: 'committed' } };
      });
    },

    find: (clientId, verificationId) => read(() => records.find(clientId, verificationId)),

    findForAnyClient: (verificationId) => read(() => records.findForAnyClient(verificationId)),

    findByIdempotencyKey: (clientId, key) => read(() => records.findByIdempotencyKey(clientId, key)),

    findWithEvents: (clientId, verificationId) =>
      readAtOnce(() => {
        const record = records.find(clientId, verificationId);
        return record === null ? null : { record, events: events.of(verificationId) };
      }),

    findWithEventsForAnyClient: (verificationId) =>
      readAtOnce(() => {
        const record = records.findForAnyClient(verificationId);
        return record === null ? null : { record, events: events.of(verificationId) };
      }),

    queue: createQueue(session),

    list: createListVerifications(session),

    browse: createBrowse(session),

    countByDay: createCountByDay(session),

    dueInSandbox: createDueInSandbox(session),
  };
}
