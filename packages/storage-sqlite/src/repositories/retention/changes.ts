import type { RetainedVerification, RetentionRepository } from '@countersign/domain/storage';
import { assignments } from '@countersign/statements';
import { compile, parameter } from '../../connection/compiled.ts';
import type { Session } from '../../connection/session.ts';
import { sql } from '../../drizzle.ts';
import { verifications } from '../../schema.ts';
import { createVerificationEvents } from '../verification-events.ts';
import { OF_VERSION } from './retained-verifications.ts';

type Changes = Pick<RetentionRepository, 'change' | 'schedule' | 'recheck'>;

/** Changes that leave the documents as they are. */
export function createRetentionChanges(session: Session): Changes {
  return {
    change: createChange(session),
    schedule: createSchedule(session),
    recheck: createRecheck(session),
  };
}

/** The columns that `change` writes. */
function changedColumns(verification: RetainedVerification) {
  const { status, claimedBy, sandboxOutcome, heldBy, version, eventCount } = verification;
  return {
    status,
    claimedBy,
    sandboxOutcome,
    heldBy,
    version,
    eventCount,
    resolvedAt: verification.resolvedAt?.getTime() ?? null,
    claimedAt: verification.claimedAt?.getTime() ?? null,
    relationshipEndedAt: verification.relationshipEndedAt?.getTime() ?? null,
    heldAt: verification.heldAt?.getTime() ?? null,
    heldUntil: verification.heldUntil?.getTime() ?? null,
    erasureRequestedAt: verification.erasureRequestedAt?.getTime() ?? null,
    erasedAt: verification.erasedAt?.getTime() ?? null,
    retentionCheckAt: verification.retentionCheckAt?.getTime() ?? null,
    uploadsCheckAt: verification.uploadsCheckAt?.getTime() ?? null,
  };
}

function createChange(session: Session): Changes['change'] {
  const { connection, write } = session;
  const events = createVerificationEvents(session);

  return async ({ verification, expectedVersion, events: appended }) => {
    const { clientId, id } = verification;
    const columns = changedColumns(verification);
    return write<{ outcome: 'committed' | 'conflict' }>(() => {
      const set = assignments(verifications, Object.keys(columns));
      const change = compile(connection, sql`update ${verifications} set ${set} where ${OF_VERSION}`);
      const changes = change.run({ ...columns, clientId, id, expectedVersion });
      if (changes === 0) return { keep: false, value: { outcome: 'conflict' } };
      for (const event of appended) events.append(event);
      return { keep: true, value: { outcome: 'committed' } };
    });
  };
}

function createSchedule({ connection, write }: Session): Changes['schedule'] {
  const schedule = compile(
    connection,
    sql`update ${verifications} set ${assignments(verifications, ['retentionCheckAt', 'uploadsCheckAt'])}
      where ${OF_VERSION} and ${verifications.retentionCheckAt} is ${parameter('expectedCheckAt')}`,
  );

  return async ({ place, expected, checkAt, uploadsCheckAt = expected.uploadsCheckAt }) => {
    const { clientId, verificationId: id } = place;
    const values = {
      clientId,
      id,
      expectedVersion: expected.version,
      expectedCheckAt: expected.retentionCheckAt?.getTime() ?? null,
      retentionCheckAt: checkAt?.getTime() ?? null,
      uploadsCheckAt: uploadsCheckAt?.getTime() ?? null,
    };
    return write<{ outcome: 'scheduled' | 'conflict' }>(() => {
      const isChanged = schedule.run(values) === 1;
      return { keep: isChanged, value: { outcome: isChanged ? 'scheduled' : 'conflict' } };
    });
  };
}

function createRecheck({ connection, write }: Session): Changes['recheck'] {
  const { clientId, id, resolvedAt, erasedAt, retentionCheckAt } = verifications;
  const page = compile(
    connection,
    sql`select ${id} from ${verifications}
      where ${clientId} = ${parameter('clientId')} and ${resolvedAt} is not null and ${erasedAt} is null
        and ${id} > ${parameter('after')}
      order by ${id} limit ${sql.placeholder('limit')}`,
  );
  const check = compile(
    connection,
    sql`update ${verifications} set retention_check_at = ${parameter('at')}
      where ${id} = ${parameter('id')} and coalesce(${retentionCheckAt} > ${parameter('at')}, true)`,
  );

  return ({ clientId, after, limit, at }) =>
    write(() => {
      // Every id comes after the empty text.
      const ids = page.all({ clientId, after: after ?? '', limit }).map(([id]) => String(id));
      for (const id of ids) check.run({ id, at: at.getTime() });
      return { keep: true, value: { last: ids.at(-1) ?? null } };
    });
}
