import type { RetentionRepository } from '@countersign/domain/storage';
import { isDeadlock, unavailable, violatedConstraint } from '../../connection/faults.ts';
import type { Session } from '../../connection/session.ts';
import { parameter, statementOf } from '../../connection/statement.ts';
import { sql } from '../../drizzle.ts';
import { areIds, momentText, parseInteger } from '../../rows/parse-row.ts';
import {
  erasures,
  exportRequests,
  handOverCodes,
  mails,
  readings,
  verificationEvents,
  verifications,
  webhookAttempts,
  webhookEndpoints,
} from '../../schema.ts';
import { appendEvents, valuesOfEvents } from '../verification-events.ts';
import { THE_VERIFICATION } from './retained-verifications.ts';

const attempts = webhookAttempts;

/**
 * The row of the verification is locked first, as in a commit; everything else follows from it. A statement reads the moment of
 * its beginning, and no event is added without a new version, so the events that it reads are all there are.
 *
 * Attempts are found by the events of the verification: no index of deliveries begins with the verification. The lateral join
 * keeps the planner from reading them all.
 *
 * Triggers of the migrations delete the labels, and what a server of 0.3.0 does not know where it erases.
 */
const ERASE = statementOf(sql`
  with erased as materialized (
    update ${verifications} set
      subject_reference = 'erased:' || ${verifications.id}, metadata = '{}', answers = '{}', review_data = '{}',
      idempotency_key = null, idempotency_fingerprint = null, data_key = null, data_key_wrapped_by = null,
      sandbox_outcome = null, return_url = null, locale = null, notify = null, warnings = null, severity = null, uploads_check_at = null,
      link_expires_at = least(${verifications.linkExpiresAt}, ${parameter('at')}::timestamptz),
      erasure_number = coalesce(
        ${parameter('number')}::integer, (select coalesce(max(${erasures.number}), 0) + 1 from ${erasures})
      ),
      version = ${parameter('version')}, event_count = ${verifications.eventCount} + 1
    where ${THE_VERIFICATION} and ${verifications.version} = ${parameter('expectedVersion')}
      and ${verifications.erasedAt} is not null and ${verifications.erasureNumber} is null
    returning ${verifications.clientId}, ${verifications.id}, ${verifications.erasureNumber}
  ), history as materialized (
    select ${verificationEvents.clientId}, ${verificationEvents.verificationId}, ${verificationEvents.version},
      ${verificationEvents.id}
    from erased join ${verificationEvents}
      on ${verificationEvents.clientId} = erased.client_id and ${verificationEvents.verificationId} = erased.id
    order by ${verificationEvents.version}, ${verificationEvents.id} for no key update of ${verificationEvents}
  ), emptied as (
    update ${verificationEvents} set data = '{}' from history
    where ${verificationEvents.clientId} = history.client_id
      and ${verificationEvents.verificationId} = history.verification_id
      and ${verificationEvents.version} = history.version and ${verificationEvents.id} = history.id
      and ${verificationEvents.data} <> '{}'
  ), attempted as materialized (
    select attempt.* from history
    join ${webhookEndpoints} on ${webhookEndpoints.clientId} = history.client_id
    cross join lateral (
      select ${attempts.clientId}, ${attempts.endpointId}, ${attempts.eventId}, ${attempts.id} from ${attempts}
      where ${attempts.clientId} = history.client_id and ${attempts.endpointId} = ${webhookEndpoints.id}
        and ${attempts.eventId} = history.id
      offset 0
    ) as attempt
  ), forgotten as (
    update ${attempts} set request = '', answer = null, fault = null from attempted
    where ${attempts.clientId} = attempted.client_id and ${attempts.endpointId} = attempted.endpoint_id
      and ${attempts.eventId} = attempted.event_id and ${attempts.id} = attempted.id
  ), exported as (
    delete from ${exportRequests} using erased
    where ${exportRequests.clientId} = erased.client_id and ${exportRequests.verificationId} = erased.id
  ), handed_over as (
    delete from ${handOverCodes} using erased
    where ${handOverCodes.clientId} = erased.client_id and ${handOverCodes.verificationId} = erased.id
  ), unread as (
    delete from ${readings} using erased
    where ${readings.clientId} = erased.client_id and ${readings.verificationId} = erased.id
  ), unsent as (
    delete from ${mails} using erased
    where ${mails.clientId} = erased.client_id and ${mails.verificationId} = erased.id
  ), appended as (${appendEvents(sql`erased`)}
  ), receipt as (
    insert into ${erasures} (client_id, number, verification_id, at, rule, steps, files, events, hash)
    select client_id, erasure_number, id, ${parameter('at')}::timestamptz, ${parameter('rule')},
      ${parameter('steps')}::integer, ${parameter('files')}::integer, ${parameter('events')}::integer,
      decode(${parameter('hash')}, 'hex')
    from erased
  )
  select erasure_number from erased`);

/** Constraints that refuse a number that has a receipt. */
const NUMBER_TAKEN = ['erasures_pk', 'erasures_number'];

/** Each failed attempt means that another erasure got the number, or that the server ended a deadlock. */
const ATTEMPTS = 50;

export function createErase({ operation }: Session): RetentionRepository['erase'] {
  return ({ expectedVersion, event, erasure: { clientId, verificationId, at, number, ...counts } }) =>
    operation(async ({ write }) => {
      if (!areIds(clientId, verificationId)) return { outcome: 'conflict' };
      const values = {
        clientId,
        verificationId,
        expectedVersion,
        version: event.version,
        number,
        at: momentText(at),
        ...counts,
        ...valuesOfEvents([event]),
      };
      for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
        try {
          const [row] = await write(ERASE, values);
          if (row === undefined) return { outcome: 'conflict' };
          return { outcome: 'erased', number: parseInteger('erasure_number', row[0]) };
        } catch (error) {
          const isTaken = NUMBER_TAKEN.includes(violatedConstraint(error) ?? '');
          if (isTaken && number !== null) return { outcome: 'number_taken' };
          if (!isTaken && !isDeadlock(error)) throw error;
        }
      }
      throw unavailable('The numbers of erasures keep changing');
    });
}

/** Locks the verification before its receipt. Both are changed, or neither. */
const FINISH = statementOf(sql`
  with receipt as materialized (
    select ${erasures.clientId}, ${erasures.number}, ${erasures.verificationId} from ${erasures}
    where ${erasures.clientId} = ${parameter('clientId')} and ${erasures.number} = ${parameter('number')}::bigint
  ), done as materialized (
    update ${verifications} set retention_check_at = null from receipt
    where ${verifications.clientId} = receipt.client_id and ${verifications.id} = receipt.verification_id
      and ${verifications.erasureNumber} = receipt.number and ${verifications.retentionCheckAt} is not null
    returning 1
  )
  update ${erasures} set finished_at = ${parameter('at')}::timestamptz from receipt
  where ${erasures.clientId} = receipt.client_id and ${erasures.number} = receipt.number
    and ${erasures.finishedAt} is null and (select count(*) from done) >= 0`);

export function createFinish({ write }: Session): RetentionRepository['finish'] {
  return async ({ clientId, number }, at) => {
    if (areIds(clientId)) await write(FINISH, { clientId, number, at: momentText(at) });
  };
}
