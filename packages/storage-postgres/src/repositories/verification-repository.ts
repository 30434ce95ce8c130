import type { VerificationRecord, VerificationRepository } from '@countersign/domain';
import type { Rows } from '../connection/lane.ts';
import type { Session } from '../connection/session.ts';
import { fromEventRow } from '../rows/event-row.ts';
import { jsonArray, type Row, text, whole } from '../rows/parse-row.ts';
import { areIds, isStorable, momentText } from '../rows/values.ts';
import { fromVerificationRow, listedVerification } from '../rows/verification-row.ts';
import { createCommit } from './commit.ts';
import { chargedCreation } from './create-charged.ts';
import { createBrowse } from './verification-browse.ts';
import { createListVerifications } from './verification-list.ts';
import { createQueue } from './verification-queue.ts';
import {
  BY_DAY,
  BY_ID,
  BY_ID_ALONE,
  BY_IDEMPOTENCY_KEY,
  DUE_IN_SANDBOX,
  WITH_EVENTS,
  WITH_EVENTS_BY_ID_ALONE,
} from './verification-statements.ts';

export function createVerificationRepository(session: Session): VerificationRepository {
  const { read, lookUp } = session;
  return {
    createCharged: chargedCreation(session),

    commit: createCommit(session),

    async find(clientId, id) {
      return areIds(clientId, id) ? recordOf(await lookUp(BY_ID, { clientId, id })) : null;
    },

    async findForAnyClient(id) {
      return areIds(id) ? recordOf(await lookUp(BY_ID_ALONE, { id })) : null;
    },

    async findByIdempotencyKey(clientId, idempotencyKey) {
      if (!areIds(clientId) || !isStorable(idempotencyKey)) return null;
      return recordOf(await lookUp(BY_IDEMPOTENCY_KEY, { clientId, idempotencyKey }));
    },

    async findWithEvents(clientId, id) {
      return areIds(clientId, id) ? wholeOf(await read(WITH_EVENTS, { clientId, id })) : null;
    },

    async findWithEventsForAnyClient(id) {
      return areIds(id) ? wholeOf(await read(WITH_EVENTS_BY_ID_ALONE, { id })) : null;
    },

    queue: createQueue(session),

    list: createListVerifications(session),

    browse: createBrowse(session),

    async countByDay(clientId, from, until) {
      if (!areIds(clientId)) return [];
      const rows = await read(BY_DAY, { clientId, from: momentText(from), until: momentText(until) });
      return rows.map(([day, count]) => ({ day: text('day', day), count: whole('count', Number(count)) }));
    },

    async dueInSandbox(limit) {
      return (await read(DUE_IN_SANDBOX, { limit })).map(listedVerification);
    },
  };
}

function recordOf([row]: Rows): VerificationRecord | null {
  return row === undefined ? null : fromVerificationRow(row);
}

function wholeOf([row]: Rows): Awaited<ReturnType<VerificationRepository['findWithEvents']>> {
  if (row === undefined) return null;
  const events = jsonArray('events', row.at(-1)) as readonly Row[];
  return { record: fromVerificationRow(row), events: events.map(fromEventRow) };
}
