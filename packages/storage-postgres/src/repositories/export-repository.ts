import { EXPORT_CODE_ATTEMPTS, EXPORT_DECLINED_MS, EXPORT_DOWNLOADS } from '@countersign/domain/exports';
import type { ExportRepository } from '@countersign/domain/storage';
import type { SQL } from 'drizzle-orm';
import type { Session } from '../connection/session.ts';
import { columnsOf, parameter, type Statement, statementOf } from '../connection/statement.ts';
import { sql } from '../drizzle.ts';
import { areIds, momentText, parseInteger } from '../rows/parse-row.ts';
import { exportRequests as exports, verifications } from '../schema.ts';
import { exportRows } from '../tables/rows.ts';

const COLUMNS = columnsOf(exports);
const ATTEMPTS = sql.raw(String(EXPORT_CODE_ATTEMPTS));
const DOWNLOADS = sql.raw(String(EXPORT_DOWNLOADS));

/**
 * Locks the verification before it reads whether it may be exported, so that an erasure that begins at the same time comes before this
 * statement or after it. The erasure deletes what this one stored.
 */
const REQUEST = statementOf(sql`
  with verification as materialized (
    select ${verifications.clientId}, ${verifications.id} from ${verifications}
    where ${verifications.clientId} = ${parameter('clientId')} and ${verifications.id} = ${parameter('verificationId')}
      and ${verifications.erasedAt} is null
    for share
  )
  insert into ${exports} (client_id, id, verification_id, requested_at, requested_by, link_version, wrong_codes)
  select client_id, ${parameter('id')}::uuid, id, ${parameter('requestedAt')}::timestamptz, ${parameter('requestedBy')}, 0, 0
  from verification
  on conflict (client_id, verification_id) do update set
    id = excluded.id, requested_at = excluded.requested_at, requested_by = excluded.requested_by, released_at = null,
    released_by = null, code_hash = null, link_version = 0, expires_at = null, wrong_codes = 0, downloaded_at = null,
    downloads = 0, declined_at = null, decline_reason = null
  where case
    when ${exports.declinedAt} is not null then ${exports.declinedAt} <= ${parameter('declinedUntil')}::timestamptz
    else ${exports.expiresAt} <= excluded.requested_at or ${exports.wrongCodes} >= ${ATTEMPTS} or ${exports.downloads} >= ${DOWNLOADS}
  end
  returning ${COLUMNS}`);

/** The export that prevented a request. */
const REQUESTED = statementOf(sql`
  select ${COLUMNS} from ${exports} join ${verifications}
    on ${verifications.clientId} = ${exports.clientId} and ${verifications.id} = ${exports.verificationId}
  where ${exports.clientId} = ${parameter('clientId')} and ${exports.verificationId} = ${parameter('verificationId')}
    and ${verifications.erasedAt} is null`);

const RELEASE = statementOf(sql`
  update ${exports} set released_at = ${parameter('releasedAt')}::timestamptz, released_by = ${parameter('releasedBy')},
    code_hash = ${parameter('codeHash')}, expires_at = ${parameter('expiresAt')}::timestamptz,
    link_version = ${exports.linkVersion} + 1, wrong_codes = 0, downloaded_at = null, downloads = 0, declined_at = null,
    decline_reason = null
  where ${exports.clientId} = ${parameter('clientId')} and ${exports.id} = ${parameter('id')}
  returning ${COLUMNS}`);

const DECLINE = statementOf(sql`
  update ${exports} set declined_at = ${parameter('declinedAt')}::timestamptz, decline_reason = ${parameter('declineReason')}
  where ${exports.clientId} = ${parameter('clientId')} and ${exports.id} = ${parameter('id')} and ${exports.declinedAt} is null
    and (${exports.expiresAt} is null or ${exports.expiresAt} > ${parameter('declinedAt')}::timestamptz)
    and ${exports.wrongCodes} < ${ATTEMPTS} and ${exports.downloads} < ${DOWNLOADS}
  returning ${COLUMNS}`);

const THE_RELEASE = sql`
  ${exports.id} = ${parameter('id')} and ${exports.linkVersion} = ${parameter('linkVersion')}
  and ${exports.expiresAt} is not null and ${exports.declinedAt} is null`;

const END = statementOf(sql`
  update ${exports} set expires_at = ${parameter('at')}::timestamptz
  where ${THE_RELEASE} and ${exports.expiresAt} > ${parameter('at')}::timestamptz`);

const END_ALL = statementOf(sql`
  update ${exports} set expires_at = ${parameter('at')}::timestamptz
  where ${exports.expiresAt} > ${parameter('at')}::timestamptz and ${exports.declinedAt} is null`);

/** A release whose attempts are not used up. */
const OPEN_RELEASE = sql`${THE_RELEASE} and ${exports.wrongCodes} < ${ATTEMPTS}`;

const COUNT_WRONG_CODE = statementOf(sql`
  update ${exports} set wrong_codes = ${exports.wrongCodes} + 1 where ${OPEN_RELEASE} returning ${exports.wrongCodes}`);

const MARK_DOWNLOADED = statementOf(sql`
  update ${exports} set downloaded_at = ${parameter('at')}::timestamptz, downloads = ${exports.downloads} + 1
  where ${OPEN_RELEASE} and ${exports.expiresAt} > ${parameter('at')}::timestamptz and ${exports.downloads} < ${DOWNLOADS}`);

const FIND = statementOf(sql`select ${COLUMNS} from ${exports} where ${exports.id} = ${parameter('id')}`);

const OF_VERIFICATION = statementOf(sql`
  select ${COLUMNS} from ${exports}
  where ${exports.clientId} = ${parameter('clientId')} and ${exports.verificationId} = ${parameter('verificationId')}`);

const listed = (ofClient: SQL): Statement =>
  statementOf(sql`
    select ${COLUMNS} from ${exports}
    where ${ofClient} and ${exports.id} < ${parameter('after')}
      and (${exports.releasedAt} is null and ${exports.declinedAt} is null or not ${parameter('waiting')}::boolean)
    order by ${exports.id} desc limit ${parameter('limit')}`);

const OF_ALL = listed(sql`true`);
const OF_CLIENT = listed(sql`${exports.clientId} = ${parameter('clientId')}`);

/** Every id comes before it. */
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** Compares the time again once a row is locked: the export may have been requested again. */
const forgetBefore = (end: SQL): Statement =>
  statementOf(sql`
  with ended as materialized (
    select ${exports.clientId}, ${exports.id} from ${exports} where ${end} < ${parameter('before')}::timestamptz
    order by ${end} limit ${parameter('limit')} for update skip locked
  )
  delete from ${exports} using ended where ${exports.clientId} = ended.client_id and ${exports.id} = ended.id`);

const FORGET_EXPIRED = forgetBefore(sql`${exports.expiresAt}`);
const FORGET_DECLINED = forgetBefore(sql`${exports.declinedAt}`);

export function createExportRepository({ read, lookUp, write, operation }: Session): ExportRepository {
  return {
    async request(request) {
      const { clientId, verificationId } = request;
      if (!areIds(clientId, verificationId)) return null;
      return operation(async (runs) => {
        const { requestedAt } = request;
        const declinedUntil = momentText(new Date(requestedAt.getTime() - EXPORT_DECLINED_MS));
        const values = { ...request, requestedAt: momentText(requestedAt), declinedUntil };
        const [stored] = await runs.write(REQUEST, values);
        const [row] = stored === undefined ? await runs.read(REQUESTED, { clientId, verificationId }) : [stored];
        return row === undefined ? null : exportRows.fromRow(row);
      });
    },

    async release({ releasedAt, expiresAt, ...same }) {
      if (!areIds(same.clientId, same.id)) return null;
      const times = { releasedAt: momentText(releasedAt), expiresAt: momentText(expiresAt) };
      const [row] = await write(RELEASE, { ...same, ...times });
      return row === undefined ? null : exportRows.fromRow(row);
    },

    async decline({ declinedAt, ...same }) {
      if (!areIds(same.clientId, same.id)) return null;
      const [row] = await write(DECLINE, { ...same, declinedAt: momentText(declinedAt) });
      return row === undefined ? null : exportRows.fromRow(row);
    },

    async end({ id, linkVersion }, at) {
      if (areIds(id)) await write(END, { id, linkVersion, at: momentText(at) });
    },

    async endAll(at) {
      const { count } = await write(END_ALL, { at: momentText(at) });
      return count;
    },

    async countWrongCode({ id, linkVersion }) {
      const [row] = areIds(id) ? await write(COUNT_WRONG_CODE, { id, linkVersion }) : [];
      return row === undefined ? null : parseInteger('wrong_codes', row[0]);
    },

    async markDownloaded({ id, linkVersion }, at) {
      if (!areIds(id)) return { outcome: 'ended' };
      const { count } = await write(MARK_DOWNLOADED, { id, linkVersion, at: momentText(at) });
      return { outcome: count === 1 ? 'marked' : 'ended' };
    },

    async find(id) {
      const [row] = areIds(id) ? await lookUp(FIND, { id }) : [];
      return row === undefined ? null : exportRows.fromRow(row);
    },

    async ofVerification({ clientId, verificationId }) {
      if (!areIds(clientId, verificationId)) return null;
      const [row] = await lookUp(OF_VERIFICATION, { clientId, verificationId });
      return row === undefined ? null : exportRows.fromRow(row);
    },

    async list({ clientId, waiting, after, limit }) {
      if (!areIds(...[clientId, after].filter((id) => typeof id === 'string'))) return [];
      const values = { waiting, after: after ?? LAST_ID, limit };
      const rows = await (clientId === undefined
        ? read(OF_ALL, values)
        : read(OF_CLIENT, { clientId, ...values }));
      return rows.map(exportRows.fromRow);
    },

    async forget({ before, limit }) {
      const at = momentText(before);
      const { count } = await write(FORGET_EXPIRED, { before: at, limit });
      const declined = await write(FORGET_DECLINED, { before: at, limit: limit - count });
      return count + declined.count;
    },
  };
}
