import type { RetentionRepository } from '@countersign/domain/storage';
import { insertInto } from '@countersign/statements';
import { compile, parameter } from '../../connection/compiled.ts';
import type { Session } from '../../connection/session.ts';
import { sql } from '../../drizzle.ts';
import { exportRequests } from '../../export-tables.ts';
import { handOverCodes } from '../../hand-over-tables.ts';
import { mails } from '../../mail-tables.ts';
import { readings } from '../../reading-tables.ts';
import { erasures, unclearedErasures } from '../../retention-tables.ts';
import { verifications } from '../../schema.ts';
import { erasureRows } from '../../tables/rows.ts';
import { webhookAttempts, webhookDeliveries } from '../../webhook-tables.ts';
import { createVerificationEvents } from '../verification-events.ts';
import { LAST_ERASURE, THE_ERASURE } from './receipts.ts';
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

/** A trigger of the migrations deletes the labels, also where a server of 0.3.0 erases. */
function createErase(session: Session): Erasing['erase'] {
  const { connection, write } = session;
  const events = createVerificationEvents(session);
  const empty = compile(
    connection,
    sql`update ${verifications} set
      subject_reference = 'erased:' || ${verifications.id},
      metadata = '{}', answers = '{}', review_data = '{}',
      idempotency_key = null, idempotency_fingerprint = null, data_key = null, data_key_wrapped_by = null,
      sandbox_outcome = null, return_url = null, locale = null,
      notify = null, warnings = null, severity = null, link_mail_id = null, link_mail_at = null,
      link_expires_at = min(${verifications.linkExpiresAt}, ${parameter('at')}),
      erasure_number = ${parameter('number')}, uploads_check_at = null,
      version = ${parameter('version')}, event_count = ${verifications.eventCount} + 1
      where ${OF_VERSION} and ${verifications.erasedAt} is not null and ${verifications.erasureNumber} is null`,
  );
  const emptyAttempts = compile(
    connection,
    sql`update ${webhookAttempts} set request = '', answer = null, fault = null
      where (client_id, endpoint_id, event_id) in (
        select client_id, endpoint_id, event_id from ${webhookDeliveries} where verification_id = ${parameter('verificationId')}
      )`,
  );
  const forget = (table: typeof exportRequests | typeof handOverCodes | typeof readings | typeof mails) =>
    compile(
      connection,
      sql`delete from ${table} where ${table.clientId} = ${parameter('clientId')}
        and ${table.verificationId} = ${parameter('verificationId')}`,
    );
  const forgotten = [forget(exportRequests), forget(handOverCodes), forget(readings), forget(mails)];
  const insert = compile(connection, insertInto(erasures));
  const markUncleared = compile(connection, sql`${insertInto(unclearedErasures)} on conflict do nothing`);
  const taken = compile(connection, sql`select 1 from ${erasures} where ${THE_ERASURE}`);
  const last = compile(connection, LAST_ERASURE);
  const nextNumber = (): number => Number(last.get({})?.[0] ?? 0) + 1;

  return ({ expectedVersion, event, erasure }) =>
    write<Awaited<ReturnType<Erasing['erase']>>>(() => {
      const { clientId, verificationId } = erasure;
      const number = erasure.number ?? nextNumber();
      const changes = empty.run({
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
      for (const deletion of forgotten) deletion.run({ clientId, verificationId });
      insert.run(erasureRows.toRow({ ...erasure, number, finishedAt: null }));
      markUncleared.run({ number, at: erasure.at.getTime() });
      return { keep: true, value: { outcome: 'erased', number } };
    });
}

function createRecordErasure({ connection, write }: Session): Erasing['recordErasure'] {
  const record = compile(connection, sql`${insertInto(erasures)} on conflict (number) do nothing`);
  return async (erasure) => {
    const row = erasureRows.toRow(erasure);
    await write(() => {
      record.run(row);
      return { keep: true, value: undefined };
    });
  };
}

function createFinish({ connection, write }: Session): Erasing['finish'] {
  const finish = compile(
    connection,
    sql`update ${erasures} set finished_at = ${parameter('at')}
      where ${THE_ERASURE} and ${erasures.clientId} = ${parameter('clientId')} and ${erasures.finishedAt} is null
      returning verification_id`,
  );
  const unschedule = compile(
    connection,
    sql`update ${verifications} set retention_check_at = null
      where ${verifications.id} = ${parameter('verificationId')}
        and ${verifications.erasureNumber} = ${parameter('number')}`,
  );

  return ({ clientId, number }, at) =>
    write(() => {
      const [finished] = finish.all({ clientId, number, at: at.getTime() });
      if (finished !== undefined) unschedule.run({ verificationId: finished[0], number });
      return { keep: finished !== undefined, value: undefined };
    });
}
