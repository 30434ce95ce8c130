import {
  EXPORT_CODE_ATTEMPTS,
  EXPORT_DOWNLOADS,
  type ExportRequest,
  exportStateOf,
  NO_RELEASE,
} from '@countersign/domain/exports';
import type { ExportRepository } from '@countersign/domain/storage';
import { assignments, createShapes, every, insertInto } from '@countersign/statements';
import type { SQL } from 'drizzle-orm';
import { type Compiled, compile, compileRows, fieldsOf, parameter } from '../connection/compiled.ts';
import type { Session } from '../connection/session.ts';
import { sql } from '../drizzle.ts';
import { exportRequests as exports } from '../export-tables.ts';
import { exportRows } from '../tables/rows.ts';
import { createHoldsData } from './holds-data.ts';

const equals = (field: 'id' | 'linkVersion' | 'clientId' | 'verificationId'): SQL =>
  sql`${exports[field]} = ${parameter(field)}`;

const THE_EXPORT = equals('id');

const THE_RELEASE = sql`${THE_EXPORT} and ${equals('linkVersion')}
  and ${exports.expiresAt} is not null and ${exports.declinedAt} is null`;

const HAS_ATTEMPTS_LEFT = sql`${exports.wrongCodes} < ${sql.raw(String(EXPORT_CODE_ATTEMPTS))}`;

/** A release whose attempts are not used up. */
const OPEN_RELEASE = sql`${THE_RELEASE} and ${HAS_ATTEMPTS_LEFT}`;

const HAS_DOWNLOADS_LEFT = sql`${exports.downloads} < ${sql.raw(String(EXPORT_DOWNLOADS))}`;

const OF_VERIFICATION = sql`${equals('verificationId')} and ${equals('clientId')}`;

/** Expires after `at`. */
const IS_OPEN = sql`${exports.expiresAt} > ${parameter('at')}`;

const COLUMNS = fieldsOf(exports);

type ExportRow = typeof exports.$inferSelect;

/** Comes after every UUID. */
const AFTER_ALL_IDS = '~';

function exportOrNull(row: ExportRow | undefined): ExportRequest | null {
  return row === undefined ? null : exportRows.fromRow(row);
}

function compileSelect({ connection }: Session, rest: SQL): Compiled<ExportRow> {
  return compileRows(connection, sql`select ${COLUMNS} from ${exports} where ${rest}`);
}

function compileUpdate({ connection }: Session, rest: SQL): Compiled<ExportRow> {
  return compileRows(connection, sql`update ${exports} set ${rest}`);
}

export function createExportRepository(session: Session): ExportRepository {
  const { read, readPage } = session;
  const byId = compileSelect(session, THE_EXPORT);
  const ofVerification = compileSelect(session, OF_VERIFICATION);
  const pages = createShapes<Compiled<ExportRow>>();

  return {
    request: createRequest(session),
    ...createReleases(session),
    ...createEnds(session),
    find: (id) => read(() => exportOrNull(byId.get({ id }))),
    ofVerification: ({ clientId, verificationId }) =>
      read(() => exportOrNull(ofVerification.get({ clientId, verificationId }))),

    list: ({ clientId, waiting, after, limit }) =>
      readPage(() => {
        const conditions = [
          ...(clientId === undefined ? [] : [equals('clientId')]),
          ...(waiting ? [sql`${exports.releasedAt} is null and ${exports.declinedAt} is null`] : []),
          sql`${exports.id} < ${parameter('before')}`,
        ];
        const page = pages(`${clientId === undefined} ${waiting}`, () =>
          compileSelect(
            session,
            sql`${every(conditions)} order by ${exports.id} desc limit ${sql.placeholder('limit')}`,
          ),
        );
        return page.all({ clientId, before: after ?? AFTER_ALL_IDS, limit }).map(exportRows.fromRow);
      }),

    forget: createForget(session),
  };
}

function createRequest(session: Session): ExportRepository['request'] {
  const { connection, write } = session;
  const stored = compileSelect(session, OF_VERIFICATION);
  const mayBeExported = createHoldsData(session);
  const replaced = ['id', 'requestedAt', 'requestedBy', ...Object.keys(NO_RELEASE)];
  const insert = compileRows<ExportRow>(
    connection,
    sql`${insertInto(exports, {}, ['clientId', 'verificationId', ...replaced])} on conflict (verification_id)
      do update set ${assignments(exports, replaced)} returning ${COLUMNS}`,
  );

  return (request) =>
    write<ExportRequest | null>(() => {
      if (!mayBeExported(request)) return { keep: false, value: null };
      const before = exportOrNull(stored.get(request));
      if (before !== null && exportStateOf(before, request.requestedAt) !== 'ended')
        return { keep: false, value: before };
      const requested = insert.get({ ...request, ...NO_RELEASE, requestedAt: request.requestedAt.getTime() });
      return { keep: true, value: exportOrNull(requested) };
    });
}

function createReleases(
  session: Session,
): Pick<ExportRepository, 'release' | 'countWrongCode' | 'markDownloaded'> {
  const { write } = session;
  const release = compileUpdate(
    session,
    sql`${assignments(exports, ['releasedAt', 'releasedBy', 'codeHash', 'expiresAt'])},
      link_version = ${exports.linkVersion} + 1, wrong_codes = 0, downloaded_at = null, downloads = 0,
      declined_at = null, decline_reason = null
      where ${THE_EXPORT} and ${equals('clientId')} returning ${COLUMNS}`,
  );
  const countWrongCode = compileUpdate(
    session,
    sql`wrong_codes = ${exports.wrongCodes} + 1 where ${OPEN_RELEASE} returning ${COLUMNS}`,
  );
  const markDownloaded = compileUpdate(
    session,
    sql`downloaded_at = ${parameter('at')}, downloads = ${exports.downloads} + 1
      where ${OPEN_RELEASE} and ${IS_OPEN} and ${HAS_DOWNLOADS_LEFT}`,
  );

  return {
    release: ({ releasedAt, expiresAt, ...same }) =>
      write(() => {
        const row = release.get({ ...same, releasedAt: releasedAt.getTime(), expiresAt: expiresAt.getTime() });
        return { keep: row !== undefined, value: exportOrNull(row) };
      }),

    countWrongCode: (of) =>
      write(() => {
        const row = countWrongCode.get({ ...of });
        return { keep: row !== undefined, value: row?.wrongCodes ?? null };
      }),

    markDownloaded: (of, at) =>
      write<{ outcome: 'marked' | 'ended' }>(() => {
        const isMarked = markDownloaded.run({ ...of, at: at.getTime() }) > 0;
        return { keep: isMarked, value: { outcome: isMarked ? 'marked' : 'ended' } };
      }),
  };
}

function createEnds(session: Session): Pick<ExportRepository, 'decline' | 'end' | 'endAll'> {
  const { write } = session;
  const decline = compileUpdate(
    session,
    sql`declined_at = ${parameter('at')}, decline_reason = ${parameter('declineReason')}
      where ${THE_EXPORT} and ${equals('clientId')} and ${exports.declinedAt} is null
        and (${exports.expiresAt} is null or ${IS_OPEN}) and ${HAS_ATTEMPTS_LEFT} and ${HAS_DOWNLOADS_LEFT}
      returning ${COLUMNS}`,
  );
  const expire = (which: SQL) =>
    compileUpdate(session, sql`expires_at = ${parameter('at')} where ${which} and ${IS_OPEN}`);
  const end = expire(THE_RELEASE);
  const endAll = expire(sql`${exports.declinedAt} is null`);

  return {
    decline: ({ declinedAt, ...same }) =>
      write(() => {
        const row = decline.get({ ...same, at: declinedAt.getTime() });
        return { keep: row !== undefined, value: exportOrNull(row) };
      }),

    end: (of, at) =>
      write(() => {
        const changes = end.run({ ...of, at: at.getTime() });
        return { keep: changes > 0, value: undefined };
      }),

    endAll: (at) =>
      write(() => {
        const changes = endAll.run({ at: at.getTime() });
        return { keep: changes > 0, value: changes };
      }),
  };
}

function createForget({ connection, write }: Session): ExportRepository['forget'] {
  const forgetBefore = (end: typeof exports.expiresAt | typeof exports.declinedAt) =>
    compile(
      connection,
      sql`delete from ${exports} where ${exports.id} in (
        select id from ${exports} where ${end} is not null and ${end} < ${parameter('before')}
        order by ${end} limit ${sql.placeholder('limit')})`,
    );
  const ended = forgetBefore(exports.expiresAt);
  const declined = forgetBefore(exports.declinedAt);
  return ({ before, limit }) =>
    write(() => {
      const first = ended.run({ before: before.getTime(), limit });
      const changes = declined.run({ before: before.getTime(), limit: limit - first });
      return { keep: first + changes > 0, value: first + changes };
    });
}
