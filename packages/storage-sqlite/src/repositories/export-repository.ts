import {
  EXPORT_CODE_ATTEMPTS,
  type ExportRepository,
  type ExportRequest,
  exportStateOf,
  NO_RELEASE,
} from '@countersign/domain';
import { parameter, prepared } from '../connection/compiled.ts';
import type { Session } from '../connection/session.ts';
import { and, desc, eq, gt, isNotNull, isNull, lt, sql } from '../drizzle.ts';
import { exportRequests as exports } from '../export-tables.ts';
import { fromExportRow } from '../rows/export-rows.ts';
import { verifications } from '../schema.ts';

const THE_EXPORT = eq(exports.id, parameter('id'));

/** A release whose attempts are not used up. */
const OPEN_RELEASE = and(
  THE_EXPORT,
  eq(exports.linkVersion, parameter('linkVersion')),
  isNotNull(exports.expiresAt),
  lt(exports.wrongCodes, EXPORT_CODE_ATTEMPTS),
);

const OF_VERIFICATION = and(
  eq(exports.verificationId, parameter('verificationId')),
  eq(exports.clientId, parameter('clientId')),
);

export function createExportRepository(session: Session): ExportRepository {
  const { db, read, readPage } = session;
  const byId = prepared(db.select().from(exports).where(THE_EXPORT));
  const ofVerification = prepared(db.select().from(exports).where(OF_VERIFICATION));
  const exportOrNull = (row: typeof exports.$inferSelect | undefined): ExportRequest | null =>
    row === undefined ? null : fromExportRow(row);

  return {
    request: createRequest(session),
    ...createReleases(session),
    find: (id) => read(() => exportOrNull(byId.get({ id }))),
    ofVerification: ({ clientId, verificationId }) =>
      read(() => exportOrNull(ofVerification.get({ clientId, verificationId }))),

    list: ({ clientId, waiting, after, limit }) =>
      readPage(() =>
        db
          .select()
          .from(exports)
          .where(
            and(
              clientId === undefined ? undefined : eq(exports.clientId, clientId),
              waiting ? isNull(exports.releasedAt) : undefined,
              after === null ? undefined : lt(exports.id, after),
            ),
          )
          .orderBy(desc(exports.id))
          .limit(limit)
          .all()
          .map(fromExportRow),
      ),

    forget: createForget(session),
  };
}

function createRequest({ db, write }: Session): ExportRepository['request'] {
  const stored = prepared(db.select().from(exports).where(OF_VERIFICATION));
  const mayBeExported = prepared(
    db
      .select({ id: verifications.id })
      .from(verifications)
      .where(
        and(
          eq(verifications.id, parameter('verificationId')),
          eq(verifications.clientId, parameter('clientId')),
          isNull(verifications.erasedAt),
        ),
      ),
  );

  return (request) =>
    write<ExportRequest | null>(() => {
      if (mayBeExported.get({ ...request }) === undefined) return { keep: false, value: null };
      const row = stored.get({ ...request });
      const before = row === undefined ? null : fromExportRow(row);
      if (before !== null && exportStateOf(before, request.requestedAt) !== 'ended')
        return { keep: false, value: before };
      const { id, clientId, verificationId, requestedAt, requestedBy } = request;
      const columns = { id, requestedAt: requestedAt.getTime(), requestedBy, ...NO_RELEASE };
      const [requested] = db
        .insert(exports)
        .values({ clientId, verificationId, ...columns })
        .onConflictDoUpdate({ target: exports.verificationId, set: columns })
        .returning()
        .all();
      return { keep: true, value: requested === undefined ? null : fromExportRow(requested) };
    });
}

function createReleases({
  db,
  write,
}: Session): Pick<ExportRepository, 'release' | 'countWrongCode' | 'markDownloaded'> {
  const release = prepared(
    db
      .update(exports)
      .set({
        releasedAt: parameter('releasedAt'),
        releasedBy: parameter('releasedBy'),
        codeHash: parameter('codeHash'),
        expiresAt: parameter('expiresAt'),
        linkVersion: sql`${exports.linkVersion} + 1`,
        wrongCodes: 0,
        downloadedAt: null,
      })
      .where(and(THE_EXPORT, eq(exports.clientId, parameter('clientId'))))
      .returning(),
  );
  const countWrongCode = prepared(
    db
      .update(exports)
      .set({ wrongCodes: sql`${exports.wrongCodes} + 1` })
      .where(OPEN_RELEASE)
      .returning({ wrongCodes: exports.wrongCodes }),
  );
  const markDownloaded = prepared(
    db
      .update(exports)
      .set({ downloadedAt: parameter('at') })
      .where(and(OPEN_RELEASE, gt(exports.expiresAt, parameter('at'))))
      .returning({ id: exports.id }),
  );

  return {
    release: ({ releasedAt, expiresAt, ...same }) =>
      write(() => {
        const row = release.get({ ...same, releasedAt: releasedAt.getTime(), expiresAt: expiresAt.getTime() });
        return { keep: row !== undefined, value: row === undefined ? null : fromExportRow(row) };
      }),

    countWrongCode: (of) =>
      write(() => {
        const row = countWrongCode.get({ ...of });
        return { keep: row !== undefined, value: row?.wrongCodes ?? null };
      }),

    markDownloaded: (of, at) =>
      write<{ outcome: 'marked' | 'ended' }>(() => {
        const isMarked = markDownloaded.get({ ...of, at: at.getTime() }) !== undefined;
        return { keep: isMarked, value: { outcome: isMarked ? 'marked' : 'ended' } };
      }),
  };
}

function createForget({ db, write }: Session): ExportRepository['forget'] {
  const forget = prepared(
    db.delete(exports).where(
      sql`${exports.id} in (
        select id from ${exports} where ${exports.expiresAt} is not null and ${exports.expiresAt} < ${parameter('before')}
        order by ${exports.expiresAt} limit ${sql.placeholder('limit')}
      )`,
    ),
  );
  return ({ before, limit }) =>
    write(() => {
      const { changes } = forget.run({ before: before.getTime(), limit });
      return { keep: changes > 0, value: changes };
    });
}
