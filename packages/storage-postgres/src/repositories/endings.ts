import {
  ENDING_EVENT_TYPES,
  endingsOf,
  LATER_STATUS_EVENT_TYPES,
  type VerificationRepository,
} from '@countersign/domain/storage';
import type { Session } from '../connection/session.ts';
import { parameter, type Statement, statementOf } from '../connection/statement.ts';
import { oneOf, sql } from '../drizzle.ts';
import { areIds, parseText } from '../rows/parse-row.ts';
import { verificationEvents } from '../schema.ts';

const { verificationId, clientId, type } = verificationEvents;

/** Creates `findEndings`: a look-up in an index of events for each verification. */
export function createFindEndings({ read }: Session): VerificationRepository['findEndings'] {
  return async (asked) => {
    const known = asked.filter((one) => areIds(one.clientId, one.verificationId));
    if (known.length === 0) return new Map();
    const rows = await read(ENDINGS, { asked: JSON.stringify(known) });
    return endingsOf(rows.map(([id, ended]) => [parseText('verification_id', id), parseText('type', ended)]));
  };
}

/** The later types are those of the partial index. The limit keeps it a look-up for each verification. */
const ENDINGS: Statement = statementOf(sql`
  select one."verificationId", ended.type
  from json_to_recordset(${parameter('asked')}::json) as one ("clientId" uuid, "verificationId" uuid)
  cross join lateral (
    select ${type} from ${verificationEvents}
    where ${clientId} = one."clientId" and ${verificationId} = one."verificationId"
      and ${oneOf(type, LATER_STATUS_EVENT_TYPES)} and ${oneOf(type, ENDING_EVENT_TYPES)}
    limit 1
  ) as ended`);
