import { HAND_OVER_WINDOW_MS, MAX_HAND_OVERS } from '@countersign/domain';
import { ANSWERABLE_STATUSES, type HandOverCode, type HandOverRepository } from '@countersign/domain/storage';
import { insertInto, oneOf } from '@countersign/statements';
import type { SQL } from 'drizzle-orm';
import { compile, compileRows, fieldsOf, parameter } from '../connection/compiled.ts';
import type { Session } from '../connection/session.ts';
import { sql } from '../drizzle.ts';
import { handOverCodes as codes } from '../hand-over-tables.ts';
import { verifications } from '../schema.ts';
import { handOverRows } from '../tables/rows.ts';

const OF_VERIFICATION = sql`${codes.clientId} = ${parameter('clientId')}
  and ${codes.verificationId} = ${parameter('verificationId')}`;

/** The verification can be answered at `at` by the link of the code, and was not submitted since the code was issued. */
const isAnswerable = ({
  linkVersion,
  issuedAt,
}: {
  readonly linkVersion: SQL;
  readonly issuedAt: SQL;
}): SQL => sql`exists (
  select 1 from ${verifications} where ${verifications.id} = ${parameter('verificationId')}
    and ${verifications.clientId} = ${parameter('clientId')} and ${verifications.linkVersion} = ${linkVersion}
    and ${verifications.linkExpiresAt} > ${parameter('at')} and ${oneOf(verifications.status, ANSWERABLE_STATUSES)}
    and (${verifications.submittedAt} is null or ${verifications.submittedAt} <= ${issuedAt}))`;

type CodeRow = typeof codes.$inferSelect;

function codeOrNull(row: CodeRow | undefined): HandOverCode | null {
  return row === undefined ? null : handOverRows.fromRow(row);
}

export function createHandOverRepository({ connection, read, write }: Session): HandOverRepository {
  const find = compileRows<CodeRow>(
    connection,
    sql`select ${fieldsOf(codes)} from ${codes} where ${OF_VERIFICATION}`,
  );
  const owner = compile(
    connection,
    sql`select 1 where ${isAnswerable({ linkVersion: parameter('linkVersion'), issuedAt: parameter('at') })}`,
  );
  const isOver = sql`${codes.countedFrom} <= ${parameter('countedUntil')}`;
  const issue = compileRows<CodeRow>(
    connection,
    sql`${insertInto(codes)} on conflict (client_id, verification_id) do update set
      link_version = excluded.link_version, code_hash = excluded.code_hash, issued_at = excluded.issued_at,
      expires_at = excluded.expires_at, spent_at = null,
      counted_from = case when ${isOver} then excluded.counted_from else ${codes.countedFrom} end,
      issued = case when ${isOver} then 1 else ${codes.issued} + 1 end
      where ${isOver} or ${codes.issued} < ${sql.raw(String(MAX_HAND_OVERS))}
      returning ${fieldsOf(codes)}`,
  );
  const spend = compileRows<CodeRow>(
    connection,
    sql`update ${codes} set spent_at = ${parameter('at')}
      where ${OF_VERIFICATION} and ${codes.codeHash} = ${parameter('codeHash')} and ${codes.spentAt} is null
        and ${codes.expiresAt} > ${parameter('at')}
        and ${isAnswerable({ linkVersion: sql`${codes.linkVersion}`, issuedAt: sql`${codes.issuedAt}` })}
      returning ${fieldsOf(codes)}`,
  );
  const forget = compile(
    connection,
    sql`delete from ${codes} where rowid in (
      select rowid from ${codes} where ${codes.issuedAt} < ${parameter('before')}
      order by ${codes.issuedAt} limit ${sql.placeholder('limit')})`,
  );

  return {
    issue: (code) =>
      write<HandOverCode | null>(() => {
        const { clientId, verificationId, linkVersion, issuedAt } = code;
        const at = issuedAt.getTime();
        if (owner.get({ clientId, verificationId, linkVersion, at }) === undefined)
          return { keep: false, value: null };
        const row = handOverRows.toRow({ ...code, spentAt: null, countedFrom: issuedAt, issued: 1 });
        const stored = issue.get({ ...row, countedUntil: at - HAND_OVER_WINDOW_MS });
        return { keep: stored !== undefined, value: codeOrNull(stored) };
      }),

    spend: ({ clientId, verificationId, codeHash }, at) =>
      write<HandOverCode | null>(() => {
        const stored = spend.get({ clientId, verificationId, codeHash, at: at.getTime() });
        return { keep: stored !== undefined, value: codeOrNull(stored) };
      }),

    find: ({ clientId, verificationId }) => read(() => codeOrNull(find.get({ clientId, verificationId }))),

    forget: ({ before, limit }) =>
      write(() => {
        const changes = forget.run({ before: before.getTime(), limit });
        return { keep: changes > 0, value: changes };
      }),
  };
}
