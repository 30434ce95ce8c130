import { idsOfReference, type VerificationRepository } from '@countersign/domain/storage';
import type { Session } from '../connection/session.ts';
import { parameter, type Statement, statementOf } from '../connection/statement.ts';
import { sql } from '../drizzle.ts';
import { areIds } from '../rows/parse-row.ts';
import { listedVerification } from '../rows/rows.ts';
import { verifications } from '../schema.ts';
import { WITHOUT_DOCUMENTS } from './verification-pages.ts';

const { id, clientId, requestedAt } = verifications;

/** Creates `findByShortReference`: reads the ranges of ids in an index of ids. */
export function createFindByShortReference({ read }: Session): VerificationRepository['findByShortReference'] {
  return async ({ reference, clientId: client, limit }) => {
    if (client !== undefined && !areIds(client)) return [];
    const { ranges, ending } = idsOfReference(reference);
    const values = { ranges: JSON.stringify(ranges), ending, limit };
    const rows = await (client === undefined
      ? read(OF_ANY_CLIENT, values)
      : read(OF_ONE_CLIENT, { ...values, clientId: client }));
    return rows.map(listedVerification);
  };
}

/** The offset keeps the planner from reading the table once and comparing every row with each range. */
function statementFor(ofClient = sql``): Statement {
  return statementOf(sql`
    select ${WITHOUT_DOCUMENTS}
    from json_to_recordset(${parameter('ranges')}::json) as range (first uuid, last uuid)
    cross join lateral (
      select * from ${verifications}
      where ${id} >= range.first and ${id} <= range.last and right(${id}::text, 3) = ${parameter('ending')}${ofClient}
      offset 0
    ) as ${verifications}
    order by ${requestedAt} desc, ${id} desc limit ${parameter('limit')}`);
}

const OF_ANY_CLIENT = statementFor();
const OF_ONE_CLIENT = statementFor(sql` and ${clientId} = ${parameter('clientId')}`);
