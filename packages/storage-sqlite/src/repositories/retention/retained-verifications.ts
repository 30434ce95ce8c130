import type { RetainedVerification, RetentionRepository, VerificationPlace } from '@countersign/domain/storage';
import { list } from '@countersign/statements';
import type { SQL } from 'drizzle-orm';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
import { compile, parameter } from '../../connection/compiled.ts';
import type { Session } from '../../connection/session.ts';
import { sql } from '../../drizzle.ts';
import { verifications } from '../../schema.ts';
import { createVerificationEvents } from '../verification-events.ts';
import { fromRetainedRow, RETAINED } from './retained-rows.ts';

/** Finds a verification by `clientId` and `id`. */
const THE_VERIFICATION = sql`${verifications.id} = ${parameter('id')}
  and ${verifications.clientId} = ${parameter('clientId')}`;

/** Finds a verification by `clientId` and `id`, if it has the version `expectedVersion`. */
export const OF_VERSION: SQL = sql`${THE_VERIFICATION} and ${verifications.version} = ${parameter('expectedVersion')}`;

type Reads = Pick<RetentionRepository, 'find' | 'storedTraces' | 'due' | 'uploadsDue' | 'unfinished'>;

export function createRetainedVerifications(session: Session): Reads {
  const { connection, read, readAtOnce, readPage } = session;
  const { id, retentionCheckAt, uploadsCheckAt, erasedAt } = verifications;
  const events = createVerificationEvents(session);
  const select = (rest: SQL) =>
    compile(connection, sql`select ${list(Object.values(RETAINED))} from ${verifications} where ${rest}`);
  const dueBy = (column: SQLiteColumn, until: string, condition = sql`true`) =>
    select(sql`${column} is not null and ${column} <= ${parameter(until)} and ${condition}
      order by ${column}, ${id} limit ${sql.placeholder('limit')}`);

  const one = select(THE_VERIFICATION);
  const due = dueBy(retentionCheckAt, 'now');
  const uploadsDue = dueBy(uploadsCheckAt, 'now');
  const unfinished = dueBy(erasedAt, 'begunBefore', sql`${retentionCheckAt} is not null`);

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
