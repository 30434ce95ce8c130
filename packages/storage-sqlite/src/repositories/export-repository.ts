import {
  EXPORT_CODE_ATTEMPTS,
  EXPORT_DOWNLOADS,
  type ExportRequest,
  exportStateOf,
  NO_RELEASE,
} from '@countersign/domain/exports';
import type { ExportRepository } from '@countersign/domain/storage';
import { parameter, prepared } from '../connection/compiled.ts';
import type { Session } from '../connection/session.ts';
import { and, desc, eq, gt, isNotNull, isNull, lt, or, sql } from '../drizzle.ts';
import { exportRequests as exports } from '../export-tables.ts';
import { fromExportRow } from '../rows/export-rows.ts';
import { createHoldsData } from './holds-data.ts';

const THE_EXPORT = eq(exports.id, parameter('id'));

const THE_RELEASE = and(
  THE_EXPORT,
  eq(exports.linkVersion, parameter('linkVersion')),
  isNotNull(exports.expiresAt),
  isNull(exports.declinedAt),
);

/** A release whose attempts are not used up. */
const OPEN_RELEASE = and(THE_RELEASE, lt(exports.wrongCodes, EXPORT_CODE_ATTEMPTS));

const HAS_DOWNLOADS_LEFT = lt(exports.downloads, EXPORT_DOWNLOADS);

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
    ...createEnds(session),
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
              waiting ? and(isNull(exports.releasedAt), isNull(exports.declinedAt)) : undefined,
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

function createRequest(session: Session): ExportRepository['request'] {
  const { db, write } = session;
  const stored = prepared(db.select().from(exports).where(OF_VERIFICATION));
  const mayBeExported = createHoldsData(session);

  return (request) =>
    write<ExportRequest | null>(() => {
      if (!mayBeExported(request)) return { keep: false, value: null };
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
        downloads: 0,
        declinedAt: null,
        declineReason: null,
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
      .set({ downloadedAt: parameter('at'), downloads: sql`${exports.downloads} + 1` })
      .where(and(OPEN_RELEASE, gt(exports.expiresAt, parameter('at')), HAS_DOWNLOADS_LEFT))
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

function createEnds({ db, write }: Session): Pick<ExportRepository, 'decline' | 'end' | 'endAll'> {
  const decline = prepared(
    db
      .update(exports)
      .set({ declinedAt: parameter('at'), declineReason: parameter('declineReason') })
      .where(
        and(
          THE_EXPORT,
          eq(exports.clientId, parameter('clientId')),
          isNull(exports.declinedAt),
          or(isNull(exports.expiresAt), gt(exports.expiresAt, parameter('at'))),
          lt(exports.wrongCodes, EXPORT_CODE_ATTEMPTS),
          HAS_DOWNLOADS_LEFT,
        ),
      )
      .returning(),
  );
  const expire = () => db.update(exports).set({ expiresAt: parameter('at') });
  const end = prepared(expire().where(and(THE_RELEASE, gt(exports.expiresAt, parameter('at')))));
  const endAll = prepared(expire().where(and(isNull(exports.declinedAt), gt(exports.expiresAt, parameter('at')))));

  return {
    decline: ({ declinedAt, ...same }) =>
      write(() => {
        const row = decline.get({ ...same, at: declinedAt.getTime() });
        return { keep: row !== undefined, value: row === undefined ? null : fromExportRow(row) };
      }),

    end: (of, at) =>
      write(() => {
        const { changes } = end.run({ ...of, at: at.getTime() });
        return { keep: changes > 0, value: undefined };
      }),

    endAll: (at) =>
      write(() => {
        const { changes } = endAll.run({ at: at.getTime() });
        return { keep: changes > 0, value: changes };
      }),
  };
}

function createForget({ db, write }: Session): ExportRepository['forget'] {
  const forgetBefore = (end: typeof exports.expiresAt | typeof exports.declinedAt) =>
    prepared(
      db.delete(exports).where(
        sql`${exports.id} in (
        select id from ${exports} where ${end} is not null and ${end} < ${parameter('before')}
        order by ${end} limit ${sql.placeholder('limit')}
      )`,
      ),
    );
  const ended = forgetBefore(exports.expiresAt);
  const declined = forgetBefore(exports.declinedAt);
  return ({ before, limit }) =>
    write(() => {
      const first = ended.run({ before: before.getTime(), limit }).changes;
      const { changes } = declined.run({ before: before.getTime(), limit: limit - first });
      return { keep: first + changes > 0, value: first + changes };
    });
}
