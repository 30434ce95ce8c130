import type { RetainedVerification, RetentionRepository } from '@countersign/domain/storage';
import { compile, parameter, prepared } from '../../connection/compiled.ts';
import type { Session } from '../../connection/session.ts';
import { and, asc, eq, gt, isNotNull, isNull, sql } from '../../drizzle.ts';
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
  const { db, write } = session;
  const events = createVerificationEvents(session);

  return async ({ verification, expectedVersion, events: appended }) => {
    const { clientId, id } = verification;
    const columns = changedColumns(verification);
    return write<{ outcome: 'committed' | 'conflict' }>(() => {
      const change = db.update(verifications).set(columns).where(OF_VERSION).prepare();
      const { changes } = change.run({ clientId, id, expectedVersion });
      if (changes === 0) return { keep: false, value: { outcome: 'conflict' } };
      for (const event of appended) events.append(event);
      return { keep: true, value: { outcome: 'committed' } };
    });
  };
}

function createSchedule({ db, write }: Session): Changes['schedule'] {
  const schedule = prepared(
    db
      .update(verifications)
      .set({ retentionCheckAt: parameter('checkAt'), uploadsCheckAt: parameter('uploadsCheckAt') })
      .where(and(OF_VERSION, sql`${verifications.retentionCheckAt} is ${parameter('expectedCheckAt')}`)),
  );

  return async ({ place, expected, checkAt, uploadsCheckAt = expected.uploadsCheckAt }) => {
    const { clientId, verificationId: id } = place;
    const values = {
      clientId,
      id,
      expectedVersion: expected.version,
      expectedCheckAt: expected.retentionCheckAt?.getTime() ?? null,
      checkAt: checkAt?.getTime() ?? null,
      uploadsCheckAt: uploadsCheckAt?.getTime() ?? null,
    };
    return write<{ outcome: 'scheduled' | 'conflict' }>(() => {
      const isChanged = schedule.run(values).changes === 1;
      return { keep: isChanged, value: { outcome: isChanged ? 'scheduled' : 'conflict' } };
    });
  };
}

function createRecheck({ db, connection, write }: Session): Changes['recheck'] {
  const ofClient = and(
    eq(verifications.clientId, parameter('clientId')),
    isNotNull(verifications.resolvedAt),
    isNull(verifications.erasedAt),
  );
  const page = compile(
    connection,
    db
      .select({ id: verifications.id })
      .from(verifications)
      .where(and(ofClient, gt(verifications.id, parameter('after'))))
      .orderBy(asc(verifications.id))
      .limit(sql.placeholder('limit')),
  );
  const check = compile(
    connection,
    db
      .update(verifications)
      .set({ retentionCheckAt: parameter('at') })
      .where(
        and(
          eq(verifications.id, parameter('id')),
          sql`coalesce(${verifications.retentionCheckAt} > ${parameter('at')}, true)`,
        ),
      ),
  );

  return ({ clientId, after, limit, at }) =>
    write(() => {
      // Every id comes after the empty text.
      const ids = page.all({ clientId, after: after ?? '', limit }).map(([id]) => String(id));
      for (const id of ids) check.run({ id, at: at.getTime() });
      return { keep: true, value: { last: ids.at(-1) ?? null } };
    });
}
