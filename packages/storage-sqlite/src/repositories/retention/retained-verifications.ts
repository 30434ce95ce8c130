import type { RetainedVerification, RetentionRepository, VerificationPlace } from '@countersign/domain/storage';
import { compile, parameter } from '../../connection/compiled.ts';
import type { Session } from '../../connection/session.ts';
import { and, asc, eq, isNotNull, lte, sql } from '../../drizzle.ts';
import { fromRetainedRow, RETAINED } from '../../rows/retention-rows.ts';
import { verifications } from '../../schema.ts';
import { createVerificationEvents } from '../verification-events.ts';

/** Finds a verification by `clientId` and `id`. */
const THE_VERIFICATION = and(
  eq(verifications.id, parameter('id')),
  eq(verifications.clientId, parameter('clientId')),
);

/** The same, if it has the expected version. */
export const OF_VERSION = and(THE_VERIFICATION, eq(verifications.version, parameter('expectedVersion')));

type Reads = Pick<RetentionRepository, 'find' | 'storedTraces' | 'due' | 'uploadsDue' | 'unfinished'>;

export function createRetainedVerifications(session: Session): Reads {
  const { db, connection, read, readAtOnce, readPage } = session;
  const events = createVerificationEvents(session);
  const one = compile(connection, db.select(RETAINED).from(verifications).where(THE_VERIFICATION));
  const due = compile(
    connection,
    db
      .select(RETAINED)
      .from(verifications)
      .where(and(isNotNull(verifications.retentionCheckAt), lte(verifications.retentionCheckAt, parameter('now'))))
      .orderBy(asc(verifications.retentionCheckAt), asc(verifications.id))
      .limit(sql.placeholder('limit')),
  );

  const uploadsDue = compile(
    connection,
    db
      .select(RETAINED)
      .from(verifications)
      .where(and(isNotNull(verifications.uploadsCheckAt), lte(verifications.uploadsCheckAt, parameter('now'))))
      .orderBy(asc(verifications.uploadsCheckAt), asc(verifications.id))
      .limit(sql.placeholder('limit')),
  );

  const unfinished = compile(
    connection,
    db
      .select(RETAINED)
      .from(verifications)
      .where(
        and(
          isNotNull(verifications.erasedAt),
          isNotNull(verifications.retentionCheckAt),
          lte(verifications.erasedAt, parameter('begunBefore')),
        ),
      )
      .orderBy(asc(verifications.erasedAt), asc(verifications.id))
      .limit(sql.placeholder('limit')),
  );

  const find = ({ clientId, verificationId: id }: VerificationPlace): RetainedVerification | null => {
    const columns = one.get({ clientId, id });
    return columns === undefined ? null : fromRetainedRow(columns);
  };

  return {
    find: (place) => read(() => find(place)),

    storedTraces: (place) =>
      readAtOnce(() => {
        const verification = find(place);
        return verification && { verification, events: events.allWithoutData(place.verificationId) };
      }),

    uploadsDue: ({ now, limit }) =>
      readPage(() => uploadsDue.all({ now: now.getTime(), limit }).map(fromRetainedRow)),

    unfinished: ({ begunBefore, limit }) =>
      readPage(() => unfinished.all({ begunBefore: begunBefore.getTime(), limit }).map(fromRetainedRow)),

    due: ({ now, limit }) => readPage(() => due.all({ now: now.getTime(), limit }).map(fromRetainedRow)),
  };
}
