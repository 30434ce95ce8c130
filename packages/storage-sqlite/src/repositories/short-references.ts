import { idsOfReference, type VerificationRepository } from '@countersign/domain/storage';
import { createStatementCache, parameter } from '../connection/compiled.ts';
import type { Session } from '../connection/session.ts';
import { sql } from '../drizzle.ts';
import { listedVerification } from '../rows/rows.ts';
import { verifications } from '../schema.ts';
import { WITHOUT_DOCUMENTS } from './verification-pages.ts';

const { id, clientId, requestedAt } = verifications;

/** Creates `findByShortReference`: reads the ranges of ids in the index of the primary key. */
export function createFindByShortReference({
  connection,
  readPage,
}: Session): VerificationRepository['findByShortReference'] {
  const statementFor = createStatementCache(connection);
  return ({ reference, clientId: client, limit }) => {
    const { ranges, ending } = idsOfReference(reference);
    const ofClient = client === undefined ? sql`` : sql` and +${clientId} = ${parameter('clientId')}`;
    const statement = statementFor(
      String(client === undefined),
      () => sql`
        select ${WITHOUT_DOCUMENTS} from json_each(${parameter('ranges')}) as range
        cross join ${verifications} indexed by sqlite_autoindex_verifications_1
        where ${id} >= range.value ->> 'first' and ${id} <= range.value ->> 'last'
          and substr(${id}, -3) = ${parameter('ending')}${ofClient}
        order by ${requestedAt} desc, ${id} desc limit ${sql.placeholder('limit')}`,
    );
    const values = { ranges: JSON.stringify(ranges), ending, clientId: client, limit };
    return readPage(() => statement.all(values).map(listedVerification));
  };
}
