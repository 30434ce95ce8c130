import { ACTIVE_STATUSES } from '@countersign/domain';
import {
  type CreateOutcome,
  DRIVEN_STATUSES,
  type KeptWarnings,
  parseEnum,
  parseRow,
  type VerificationRecord,
  type VerificationRepository,
} from '@countersign/domain/storage';
import { assignments, columnsOf, every, insertInto } from '@countersign/statements';
import type { SQL } from 'drizzle-orm';
import { type Columns, type Compiled, compile, parameter } from '../connection/compiled.ts';
import { violatedConstraint } from '../connection/connection.ts';
import type { Session } from '../connection/session.ts';
import { getTableColumns, oneOf, sql } from '../drizzle.ts';
import { fromVerificationRow, listedVerification } from '../rows/rows.ts';
import { clients, usage, verifications } from '../schema.ts';
import { verificationRows } from '../tables/rows.ts';
import { createFindEndings } from './endings.ts';
import { createLabels } from './labels.ts';
import { divideMails } from './link-mails.ts';
import type { RunLongRead } from './long-read-kinds.ts';
import { longReadsOn } from './long-reads.ts';
import { createAddMails } from './mail-queue.ts';
import { createFindByShortReference } from './short-references.ts';
import { createBrowse } from './verification-browse.ts';
import { createCounts } from './verification-counts.ts';
import { createVerificationEvents, type VerificationEvents } from './verification-events.ts';
import { createListVerifications } from './verification-lists.ts';
import { createQueue } from './verification-queue.ts';

/** @param runApart runs reads that would hold up the event loop; default: on the session's connection */
export function createVerificationRepository(
  session: Session,
  runApart: RunLongRead = longReadsOn(session.connection),
): VerificationRepository {
  const { read, readAtOnce, write } = session;
  const records = createVerificationRecords(session);
  const events = createVerificationEvents(session);
  const addMails = createAddMails(session);
  const indexed = createLabels(session);

  const replace = createReplace(session);
  const note = createNote(session);

  return {
    createCharged: chargedCreation(session, { records, events, addMails }),

    async commit({
      record,
      expectedVersion,
      events: appended,
      supersededVersions = [],
      mails = [],
      labels,
      kept,
    }) {
      const row = { ...verificationRows.toRow(record), ...(kept && columnsOfKept(kept)) };
      return write<{ outcome: 'committed' | 'conflict' }>(() => {
        if (!replace({ ...row, expectedVersion, isKept: kept !== undefined }))
          return { keep: false, value: { outcome: 'conflict' } };
        const isLabelled = labels === undefined || indexed.put(record.clientId, record.id, labels);
        if (!isLabelled) return { keep: false, value: { outcome: 'conflict' } };
        for (const version of supersededVersions) events.remove(record.id, version);
        for (const event of appended) events.append(event);
        addMails(mails);
        return { keep: true, value: { outcome: 'committed' } };
      });
    },

    noteWarnings: (noted) =>
      write<boolean>(() => {
        const isStored = note(noted);
        return { keep: isStored, value: isStored };
      }),

    find: (clientId, verificationId) => read(() => records.find(clientId, verificationId)),

    findForAnyClient: (verificationId) => read(() => records.findForAnyClient(verificationId)),

    clientOf: (verificationId) => read(() => records.clientOf(verificationId)),

    clientsWithReference: (subjectReference, clientIds) =>
      readAtOnce(() => records.clientsWithReference(subjectReference, clientIds)),

    findByIdempotencyKey: (clientId, key) => read(() => records.findByIdempotencyKey(clientId, key)),

    findWithHistory: (clientId, verificationId) =>
      readAtOnce(() => {
        const record = records.find(clientId, verificationId);
        return record === null ? null : { record, events: events.historyOf(verificationId) };
      }),

    findWithEventsForAnyClient: (verificationId, limit) =>
      readAtOnce(() => {
        const record = records.findForAnyClient(verificationId);
        return record === null ? null : { record, events: events.latestOf(verificationId, limit) };
      }),

    queue: createQueue(session, runApart),

    list: createListVerifications(session, runApart),

    browse: createBrowse(session, runApart),

    findByShortReference: createFindByShortReference(session),

    findEndings: createFindEndings(session),

    ...createCounts(session),

    reviewActivity: (query) => session.readApart(() => runApart('reviewActivity', query)),

    reviewLoad: (query) => session.readApart(() => runApart('reviewLoad', query)),

    dueInSandbox: createDueInSandbox(session),

    dueForExpiry: (request) => session.readApart(() => runApart('dueForExpiry', request)),
  };
}

type WarningsNote = Parameters<VerificationRepository['noteWarnings']>[0];

type Replacement = typeof verifications.$inferSelect & {
  readonly expectedVersion: number;
  /** Whether its warnings are stored, too. */
  readonly isKept: boolean;
};

/** Creates a function that replaces a row if it has the expected version, and returns whether it has. */
function createReplace({ connection }: Session): (row: Replacement) => boolean {
  // Only the repository of data keys changes the data key, nothing but an erasure changes `notify`, the warnings stay unless others are
  // kept, and the mail with the link stays.
  const {
    id,
    clientId,
    dataKey: _,
    dataKeyWrappedBy: __,
    notify: ___,
    warnings: ____,
    severity: _____,
    linkMailId: ______,
    linkMailAt: _______,
    ...replaced
  } = getTableColumns(verifications);
  const { answers, currentStep, eventCount, linkExpiresAt, linkVersion, metadata, reviewData, version, ...kept } =
    replaced;
  const stepped = { answers, currentStep, eventCount, linkExpiresAt, linkVersion, metadata, reviewData, version };
  const ofVersion = sql`${id} = ${parameter('id')} and ${clientId} = ${parameter('clientId')}
    and ${version} = ${parameter('expectedVersion')}`;
  const areKept = Object.entries(kept).map(([key, column]) => sql`${column} is ${parameter(key)}`);
  const replacing = (fields: readonly string[]) =>
    compile(connection, sql`update ${verifications} set ${assignments(verifications, fields)} where ${ofVersion}`);
  const whole = replacing(Object.keys(replaced));
  const withWarnings = replacing([...Object.keys(replaced), ...WARNINGS]);
  const steppedOnly = compile(
    connection,
    sql`update ${verifications} set ${assignments(verifications, Object.keys(stepped))} where ${every([ofVersion, ...areKept])}`,
  );

  return ({ isKept, ...row }) => {
    if (isKept) return withWarnings.run(row) > 0;
    // SQLite writes each index that has a column of SET, changed or not. A step changes the column of two indexes.
    if (row.status === 'pending' && steppedOnly.run(row) > 0) return true;
    return whole.run(row) > 0;
  };
}

const WARNINGS = ['warnings', 'severity'];

function columnsOfKept({ warnings, severity }: KeptWarnings) {
  return { warnings: JSON.stringify(warnings), severity };
}

/** Creates a function that replaces the kept warnings of a verification, and returns whether it has the expected version. */
function createNote({ connection }: Session): (noted: WarningsNote) => boolean {
  const update = compile(
    connection,
    sql`update ${verifications} set ${assignments(verifications, WARNINGS)}
      where ${verifications.id} = ${parameter('verificationId')} and ${verifications.clientId} = ${parameter('clientId')}
        and ${verifications.version} = ${parameter('expectedVersion')} and ${verifications.erasedAt} is null`,
  );
  return (noted) => update.run({ ...noted, ...columnsOfKept(noted) }) > 0;
}

/** Prepared look-ups of verifications. Each returns null if there is none. */
interface VerificationRecords {
  find(clientId: string, id: string): VerificationRecord | null;
  findForAnyClient(id: string): VerificationRecord | null;
  clientOf(id: string): string | null;
  clientsWithReference(subjectReference: string, clientIds: readonly string[]): readonly string[];
  findByIdempotencyKey(clientId: string, idempotencyKey: string): VerificationRecord | null;
}

function createVerificationRecords({ connection }: Session): VerificationRecords {
  const lookUp = (condition: SQL): Compiled =>
    compile(connection, sql`select ${columnsOf(verifications)} from ${verifications} where ${condition}`);
  const withId = sql`${verifications.id} = ${parameter('id')}`;
  const ofClient = sql`${verifications.clientId} = ${parameter('clientId')}`;

  const byId = lookUp(sql`${withId} and ${ofClient}`);
  const byIdAlone = lookUp(withId);
  const byIdempotencyKey = lookUp(
    sql`${ofClient} and ${verifications.idempotencyKey} = ${parameter('idempotencyKey')}`,
  );
  const clientById = compile(
    connection,
    sql`select ${verifications.clientId} from ${verifications} where ${withId}`,
  );
  const withReference = compile(
    connection,
    sql`select value from json_each(${parameter('clientIds')}) where exists (
        select 1 from ${verifications}
        where ${verifications.clientId} = value and ${verifications.subjectReference} = ${parameter('subjectReference')}
      )`,
  );

  return {
    find: (clientId, id) => recordOf(byId.get({ clientId, id })),
    findForAnyClient: (id) => recordOf(byIdAlone.get({ id })),
    clientOf: (id) => {
      const row = clientById.get({ id });
      return row === undefined ? null : String(row[0]);
    },
    clientsWithReference: (subjectReference, clientIds) =>
      withReference
        .all({ subjectReference, clientIds: JSON.stringify(clientIds) })
        .map(([clientId]) => String(clientId)),
    findByIdempotencyKey: (clientId, idempotencyKey) =>
      recordOf(byIdempotencyKey.get({ clientId, idempotencyKey })),
  };
}

function recordOf(columns: Columns | undefined): VerificationRecord | null {
  return columns === undefined ? null : fromVerificationRow(columns);
}

/** The cross join keeps SQLite from beginning with the clients: what is due is read in the order of its own index. */
function createDueInSandbox({ connection, readPage }: Session): VerificationRepository['dueInSandbox'] {
  const due = compile(
    connection,
    sql`select ${columnsOf(verifications)} from ${verifications} cross join ${clients}
      where ${verifications.sandboxOutcome} is not null and ${oneOf(verifications.status, DRIVEN_STATUSES)}
        and ${verifications.claimedBy} is null
        and ${clients.id} = ${verifications.clientId} and ${clients.testOf} is not null
      order by ${verifications.requestedAt}, ${verifications.id} limit ${sql.placeholder('limit')}`,
  );

  return (limit) => readPage(() => due.all({ limit }).map(listedVerification));
}

/**
 * Inserts, charges and appends, and lets the constraints decide. The conflicting record is looked up only after one
 * of them is violated, inside the same transaction.
 */
function chargedCreation(
  { write, connection }: Session,
  {
    records,
    events,
    addMails,
  }: {
    records: VerificationRecords;
    events: VerificationEvents;
    addMails: ReturnType<typeof createAddMails>;
  },
): VerificationRepository['createCharged'] {
  const insert = compile(connection, insertInto(verifications));
  const charge = compile(
    connection,
    sql`${insertInto(usage, { used: sql`1` })} on conflict (client_id, month)
      do update set used = ${usage.used} + 1, allowance = excluded.allowance`,
  );
  const activeOfSubject = compile(
    connection,
    sql`select ${verifications.id}, ${verifications.status} from ${verifications}
      where ${verifications.clientId} = ${parameter('clientId')}
        and ${verifications.subjectReference} = ${parameter('subjectReference')}
        and ${verifications.resolvedAt} is null`,
  );

  /** Null where nothing is: then the error is a fault. */
  function conflictOf(error: unknown, record: VerificationRecord): CreateOutcome | null {
    const violated = violatedConstraint(error);
    if (violated === 'allowance') return { outcome: 'limit_reached' };
    if (violated !== 'idempotencyKey' && violated !== 'oneActiveVerification') return null;
    return usedKey(record) ?? duplicate(record);
  }

  function usedKey({ clientId, idempotencyKey }: VerificationRecord): CreateOutcome | null {
    if (idempotencyKey === null) return null;
    const earlier = records.findByIdempotencyKey(clientId, idempotencyKey);
    return earlier === null ? null : { outcome: 'key_used', record: earlier };
  }

  function duplicate({ clientId, subjectReference }: VerificationRecord): CreateOutcome | null {
    const row = activeOfSubject.get({ clientId, subjectReference });
    if (row === undefined) return null;
    const [id, stored] = row.map(String) as [string, string];
    const status = parseRow('verification', id, () => parseEnum('status', ACTIVE_STATUSES, stored));
    return { outcome: 'duplicate', verificationId: id, status };
  }

  return async ({ record, event, month, allowance, mails = [] }) => {
    const { columns, others } = divideMails(record, mails);
    const row = { ...verificationRows.toRow(record), ...columns };
    return write<CreateOutcome>(() => {
      try {
        insert.run(row);
        charge.run({ clientId: record.clientId, month, allowance });
      } catch (error) {
        const value = conflictOf(error, record);
        if (value === null) throw error;
        return { keep: false, value };
      }
      events.append(event);
      addMails(others);
      return { keep: true, value: { outcome: 'created' } };
    });
  };
}
