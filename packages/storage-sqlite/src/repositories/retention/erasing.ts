import type { RetentionRepository } from '@countersign/domain/storage';
import { columnParameters, compile, parameter, prepared } from '../../connection/compiled.ts';
import type { Session } from '../../connection/session.ts';
import { and, eq, isNotNull, isNull, sql } from '../../drizzle.ts';
import { exportRequests } from '../../export-tables.ts';
import { mails } from '../../mail-tables.ts';
import { erasures, unclearedErasures } from '../../retention-tables.ts';
import { toErasureRow } from '../../rows/retention-rows.ts';
import { verifications } from '../../schema.ts';
import { webhookAttempts, webhookDeliveries } from '../../webhook-tables.ts';
import { createVerificationEvents } from '../verification-events.ts';
import { THE_ERASURE } from './receipts.ts';
import { OF_VERSION } from './retained-verifications.ts';

type Erasing = Pick<RetentionRepository, 'erase' | 'recordErasure' | 'finish'>;

/** Removes the data of verifications and writes receipts. */
export function createErasing(session: Session): Erasing {
  return {
    erase: createErase(session),
    recordErasure: createRecordErasure(session),
    finish: createFinish(session),
  };
}

function createErase(session: Session): Erasing['erase'] {
  const { db, connection, write } = session;
  const events = createVerificationEvents(session);
  const empty = prepared(
    db
      .update(verifications)
      .set({
        subjectReference: sql`'erased:' || ${verifications.id}`,
        metadata: '{}',
        answers: '{}',
        reviewData: '{}',
        idempotencyKey: null,
        idempotencyFingerprint: null,
        dataKey: null,
        dataKeyWrappedBy: null,
        sandboxOutcome: null,
        returnUrl: null,
        locale: null,
        notify: null,
        linkMailId: null,
        linkMailAt: null,
        linkExpiresAt: sql`min(${verifications.linkExpiresAt}, ${parameter('at')})`,
        erasureNumber: parameter('number'),
        uploadsCheckAt: null,
        version: parameter('version'),
        eventCount: sql`${verifications.eventCount} + 1`,
      })
      .where(and(OF_VERSION, isNotNull(verifications.erasedAt), isNull(verifications.erasureNumber))),
  );
  const emptyAttempts = compile(
    connection,
    sql`update ${webhookAttempts} set request = '', answer = null, fault = null
      where (client_id, endpoint_id, event_id) in (
        select client_id, endpoint_id, event_id from ${webhookDeliveries} where verification_id = ${parameter('verificationId')}
      )`,
  );
  const forgetExport = compile(
    connection,
    db.delete(exportRequests).where(eq(exportRequests.verificationId, parameter('verificationId'))),
  );
  const forgetMails = compile(
    connection,
    db.delete(mails).where(eq(mails.verificationId, parameter('verificationId'))),
  );
  const insert = compile(connection, db.insert(erasures).values(columnParameters(erasures)));
  const markUncleared = compile(
    connection,
    db.insert(unclearedErasures).values(columnParameters(unclearedErasures)).onConflictDoNothing(),
  );
  const taken = compile(connection, db.select({ number: erasures.number }).from(erasures).where(THE_ERASURE));
  const last = compile(connection, db.select({ last: sql`max(${erasures.number})` }).from(erasures));
  const nextNumber = (): number => Number(last.get({})?.[0] ?? 0) + 1;

  return ({ expectedVersion, event, erasure }) =>
    write<Awaited<ReturnType<Erasing['erase']>>>(() => {
      const { clientId, verificationId } = erasure;
      const number = erasure.number ?? nextNumber();
      const { changes } = empty.run({
        clientId,
        id: verificationId,
        expectedVersion,
        version: event.version,
        at: erasure.at.getTime(),
        number,
      });
      if (changes === 0) return { keep: false, value: { outcome: 'conflict' } };
      if (taken.get({ number }) !== undefined) return { keep: false, value: { outcome: 'number_taken' } };
      events.removeData(verificationId);
      events.append(event);
      emptyAttempts.run({ verificationId });
      forgetExport.run({ verificationId });
      forgetMails.run({ verificationId });
      insert.run(toErasureRow({ ...erasure, number, finishedAt: null }));
      markUncleared.run({ number, at: erasure.at.getTime() });
      return { keep: true, value: { outcome: 'erased', number } };
    });
}

function createRecordErasure({ db, connection, write }: Session): Erasing['recordErasure'] {
  const record = compile(
    connection,
    db.insert(erasures).values(columnParameters(erasures)).onConflictDoNothing({ target: erasures.number }),
  );
  return async (erasure) => {
    const row = toErasureRow(erasure);
    await write(() => {
      record.run(row);
      return { keep: true, value: undefined };
    });
  };
}

function createFinish({ db, write }: Session): Erasing['finish'] {
  const ofClient = eq(erasures.clientId, parameter('clientId'));
  const finish = prepared(
    db
      .update(erasures)
      .set({ finishedAt: parameter('at') })
      .where(and(THE_ERASURE, ofClient, isNull(erasures.finishedAt)))
      .returning({ verificationId: erasures.verificationId }),
  );
  const unschedule = prepared(
    db
      .update(verifications)
      .set({ retentionCheckAt: null })
      .where(
        and(
          eq(verifications.id, parameter('verificationId')),
          eq(verifications.erasureNumber, parameter('number')),
        ),
      ),
  );

  return ({ clientId, number }, at) =>
    write(() => {
      const finished = finish.get({ clientId, number, at: at.getTime() });
      if (finished !== undefined) unschedule.run({ ...finished, number });
      return { keep: finished !== undefined, value: undefined };
    });
}
