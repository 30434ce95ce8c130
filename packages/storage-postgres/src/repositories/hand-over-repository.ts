import { HAND_OVER_WINDOW_MS, MAX_HAND_OVERS } from '@countersign/domain';
import { ANSWERABLE_STATUSES, type HandOverRepository } from '@countersign/domain/storage';
import type { SQL } from 'drizzle-orm';
import type { Session } from '../connection/session.ts';
import { columnNames, columnsOf, parameter, statementOf } from '../connection/statement.ts';
import { oneOf, sql } from '../drizzle.ts';
import { areIds, momentText } from '../rows/parse-row.ts';
import { handOverCodes as codes, verifications } from '../schema.ts';
import { handOverRows } from '../tables/rows.ts';

const COLUMNS = columnsOf(codes);

const OF_VERIFICATION = sql`${codes.clientId} = ${parameter('clientId')}
  and ${codes.verificationId} = ${parameter('verificationId')}`;

/** The verification can be answered at `at` by the link of the code, and was not submitted since the code was issued. */
const isAnswerable = ({
  linkVersion,
  issuedAt,
}: {
  readonly linkVersion: SQL;
  readonly issuedAt: SQL;
}): SQL => sql`
  ${verifications.clientId} = ${parameter('clientId')} and ${verifications.id} = ${parameter('verificationId')}
  and ${verifications.linkVersion} = ${linkVersion} and ${verifications.linkExpiresAt} > ${parameter('at')}::timestamptz
  and ${oneOf(verifications.status, ANSWERABLE_STATUSES)}
  and (${verifications.submittedAt} is null or ${verifications.submittedAt} <= ${issuedAt})`;

/** The window of the stored code has ended. */
const IS_OVER = sql`${codes.countedFrom} <= ${parameter('countedUntil')}::timestamptz`;

/** Locks the verification as in a request for an export, so that an erasure comes before this statement or after it. */
const ISSUE = statementOf(sql`
  with verification as materialized (
    select ${verifications.clientId}, ${verifications.id} from ${verifications}
    where ${isAnswerable({ linkVersion: parameter('linkVersion'), issuedAt: sql`${parameter('at')}::timestamptz` })}
    for share
  )
  insert into ${codes} (${columnNames(codes)})
  select client_id, id, ${parameter('linkVersion')}::integer, ${parameter('codeHash')}, ${parameter('at')}::timestamptz,
    ${parameter('expiresAt')}::timestamptz, null, ${parameter('at')}::timestamptz, 1
  from verification
  on conflict (client_id, verification_id) do update set
    link_version = excluded.link_version, code_hash = excluded.code_hash, issued_at = excluded.issued_at,
    expires_at = excluded.expires_at, spent_at = null,
    counted_from = case when ${IS_OVER} then excluded.counted_from else ${codes.countedFrom} end,
    issued = case when ${IS_OVER} then 1 else ${codes.issued} + 1 end
  where ${IS_OVER} or ${codes.issued} < ${sql.raw(String(MAX_HAND_OVERS))}
  returning ${COLUMNS}`);

const SPEND = statementOf(sql`
  update ${codes} set spent_at = ${parameter('at')}::timestamptz
  where ${OF_VERIFICATION} and ${codes.codeHash} = ${parameter('codeHash')} and ${codes.spentAt} is null
    and ${codes.expiresAt} > ${parameter('at')}::timestamptz
    and exists (select 1 from ${verifications}
      where ${isAnswerable({ linkVersion: sql`${codes.linkVersion}`, issuedAt: sql`${codes.issuedAt}` })})
  returning ${COLUMNS}`);

const FIND = statementOf(sql`select ${COLUMNS} from ${codes} where ${OF_VERIFICATION}`);

/** Compares the time again once a row is locked: another code may have replaced it. */
const FORGET = statementOf(sql`
  with old as materialized (
    select ${codes.clientId}, ${codes.verificationId} from ${codes}
    where ${codes.issuedAt} < ${parameter('before')}::timestamptz
    order by ${codes.issuedAt} limit ${parameter('limit')} for update skip locked
  )
  delete from ${codes} using old
  where ${codes.clientId} = old.client_id and ${codes.verificationId} = old.verification_id`);

export function createHandOverRepository({ lookUp, write }: Session): HandOverRepository {
  return {
    async issue({ issuedAt, expiresAt, ...code }) {
      if (!areIds(code.clientId, code.verificationId)) return null;
      const [row] = await write(ISSUE, {
        ...code,
        at: momentText(issuedAt),
        expiresAt: momentText(expiresAt),
        countedUntil: momentText(new Date(issuedAt.getTime() - HAND_OVER_WINDOW_MS)),
      });
      return row === undefined ? null : handOverRows.fromRow(row);
    },

    async spend({ clientId, verificationId, codeHash }, at) {
      if (!areIds(clientId, verificationId)) return null;
      const [row] = await write(SPEND, { clientId, verificationId, codeHash, at: momentText(at) });
      return row === undefined ? null : handOverRows.fromRow(row);
    },

    async find({ clientId, verificationId }) {
      if (!areIds(clientId, verificationId)) return null;
      const [row] = await lookUp(FIND, { clientId, verificationId });
      return row === undefined ? null : handOverRows.fromRow(row);
    },

    async forget({ before, limit }) {
      const { count } = await write(FORGET, { before: momentText(before), limit });
      return count;
    },
  };
}
