import { SUBJECT_TYPES } from '@countersign/domain';
import {
  DRIVEN_STATUSES,
  EXPIRING_STATUSES,
  type KeptWarnings,
  LATER_STATUS_EVENT_TYPES,
  parseRow,
  type VerificationRecord,
  type VerificationRepository,
  type VerificationWithEvents,
} from '@countersign/domain/storage';
import { createShapes } from '@countersign/statements';
import * as tables from '@countersign/tables';
import { lookUpTogether, rowsOfIds } from '../connection/look-up-together.ts';
import type { Rows } from '../connection/rows.ts';
import type { Session } from '../connection/session.ts';
import { assignments, columnsOf, parameter, type Statement, statementOf } from '../connection/statement.ts';
import { getTableColumns, oneOf, sql } from '../drizzle.ts';
import { areIds, isStorable, momentText, parseJsonArray, parseText, type Row } from '../rows/parse-row.ts';
import { fromVerificationRow, listedVerification } from '../rows/rows.ts';
import { clients, verificationEvents, verifications } from '../schema.ts';
import { eventRows, verificationRows } from '../tables/rows.ts';
import { type ChargedCreation, createChargedCreation } from './creation/charged-creation.ts';
import { BY_IDEMPOTENCY_KEY } from './creation/creation-conflicts.ts';
import { createFindEndings } from './endings.ts';
import { lacksIndexKey, replaceLabels, valuesOfLabels } from './labels.ts';
import { queueMails, valuesOfMails } from './queue-mails.ts';
import { createReviewActivity } from './review-activity.ts';
import { createReviewLoad } from './review-load.ts';
import { createFindByShortReference } from './short-references.ts';
import { createBrowse } from './verification-browse.ts';
import { createCounts } from './verification-counts.ts';
import { appendEvents, EVENTS, valuesOfEvents, withEvents } from './verification-events.ts';
import { createListVerifications } from './verification-lists.ts';
import { createQueue } from './verification-queue.ts';

export function createVerificationRepository(
  session: Session,
  { createCharged }: Pick<ChargedCreation, 'createCharged'> = createChargedCreation(session),
): VerificationRepository {
  const { read, lookUp } = session;
  const findById = lookUpTogether(session, BY_IDS, (row) => row[ID]);
  return {
    createCharged,

    commit: createCommit(session),

    noteWarnings: createNoteWarnings(session),

    async find(clientId, id) {
      return areIds(clientId, id) ? recordOf(await lookUp(BY_ID, { clientId, id })) : null;
    },

    async findForAnyClient(id) {
      return areIds(id) ? recordOf(await findById(id)) : null;
    },

    async clientOf(id) {
      const [row] = areIds(id) ? await lookUp(CLIENT_OF, { id }) : [];
      return row === undefined ? null : parseRow('verification', id, () => parseText('client_id', row[0]));
    },

    async clientsWithReference(subjectReference, clientIds) {
      const ids = clientIds.filter((clientId) => areIds(clientId));
      if (ids.length === 0 || !isStorable(subjectReference)) return [];
      const rows = await lookUp(CLIENTS_WITH_REFERENCE, { subjectReference, clientIds: JSON.stringify(ids) });
      return rows.map(([clientId]) => parseText('client_id', clientId));
    },

    async findByIdempotencyKey(clientId, idempotencyKey) {
      if (!areIds(clientId) || !isStorable(idempotencyKey)) return null;
      return recordOf(await lookUp(BY_IDEMPOTENCY_KEY, { clientId, idempotencyKey }));
    },

    async findWithHistory(clientId, id) {
      return areIds(clientId, id) ? wholeOf(await read(WITH_HISTORY, { clientId, id })) : null;
    },

    async findWithEventsForAnyClient(id, limit) {
      return areIds(id) ? wholeOf(await read(WITH_LATEST_EVENTS, { id, limit })) : null;
    },

    queue: createQueue(session),

    list: createListVerifications(session),

    browse: createBrowse(session),

    findByShortReference: createFindByShortReference(session),

    findEndings: createFindEndings(session),

    ...createCounts(session),

    reviewActivity: createReviewActivity(session),

    reviewLoad: createReviewLoad(session),

    async dueInSandbox(limit) {
      return (await read(DUE_IN_SANDBOX, { limit })).map(listedVerification);
    },

    async dueForExpiry({ linkEndedBy, requestedBy, limit }) {
      const times = { linkEndedBy: momentText(linkEndedBy), requestedBy: momentText(requestedBy) };
      return (await read(DUE_FOR_EXPIRY, { ...times, limit })).map(([clientId, verificationId]) => ({
        clientId: parseText('client_id', clientId),
        verificationId: parseText('id', verificationId),
      }));
    },
  };
}

function recordOf([row]: readonly Row[]): VerificationRecord | null {
  return row === undefined ? null : fromVerificationRow(row);
}

function wholeOf([row]: Rows): VerificationWithEvents | null {
  if (row === undefined) return null;
  const events = parseJsonArray('events', row.at(-1)) as readonly Row[];
  return { record: fromVerificationRow(row), events: events.map(eventRows.fromRow) };
}

const COLUMNS = columnsOf(verifications);
const { id: ID } = tables.positionsOf(tables.verifications);
const OF_CLIENT = sql`${verifications.clientId} = ${parameter('clientId')}`;
const WITH_ID = sql`${verifications.id} = ${parameter('id')}`;

/** Statements that look up one verification. */
const BY_ID: Statement = statementOf(
  sql`select ${COLUMNS} from ${verifications} where ${OF_CLIENT} and ${WITH_ID}`,
);
const BY_IDS: Statement = statementOf(sql`select ${COLUMNS} from ${rowsOfIds(verifications, verifications.id)}`);
const CLIENT_OF: Statement = statementOf(
  sql`select ${verifications.clientId} from ${verifications} where ${WITH_ID}`,
);

/** The limit keeps it a look-up for each client. */
const CLIENTS_WITH_REFERENCE: Statement = statementOf(sql`
  select asked.id from json_array_elements_text(${parameter('clientIds')}::json) as given (text)
  cross join lateral (select given.text::uuid as id) as asked
  cross join lateral (
    select 1 from ${verifications}
    where ${verifications.clientId} = asked.id and ${verifications.subjectReference} = ${parameter('subjectReference')}
    limit 1
  ) as found`);

const DUE_IN_SANDBOX: Statement = statementOf(sql`
  select ${COLUMNS} from ${verifications}
  join ${clients} on ${clients.id} = ${verifications.clientId} and ${clients.testOf} is not null
  where ${verifications.sandboxOutcome} is not null and ${oneOf(verifications.status, DRIVEN_STATUSES)}
    and ${verifications.claimedBy} is null
  order by ${verifications.requestedAt}, ${verifications.id} limit ${parameter('limit')}`);

/** The groups of a client in which verifications expire. */
const EXPIRING_GROUPS = sql.raw(
  EXPIRING_STATUSES.flatMap((status) => SUBJECT_TYPES.map((type) => `('${status}', '${type}')`)).join(', '),
);

/** Reads each group from its range of the index, up to the limit, so that no more than a client's groups are sorted. */
const DUE_FOR_EXPIRY: Statement = statementOf(sql`
  select client.id, due.id
  from ${clients} as client
  cross join lateral (
    select of_group.*
    from (values ${EXPIRING_GROUPS}) as expiring (status, type)
    cross join lateral (
      select status, type, requested_at, id from ${verifications} as verification
      where verification.client_id = client.id
        and verification.status = expiring.status and verification.type = expiring.type
        and verification.requested_at <= ${parameter('requestedBy')}
        and verification.link_expires_at <= ${parameter('linkEndedBy')}
      order by requested_at, id limit ${parameter('limit')}
    ) as of_group
    order by of_group.status, of_group.type, of_group.requested_at, of_group.id limit ${parameter('limit')}
  ) as due
  order by client.id, due.status, due.type, due.requested_at, due.id limit ${parameter('limit')}`);

/** The union reads two indexes; one condition would read every event of the verification. */
const WITH_HISTORY: Statement = statementOf(sql`
  ${withEvents(
    COLUMNS,
    sql`
    ${EVENTS} and ${verificationEvents.version} = 1
    union all
    ${EVENTS} and ${oneOf(verificationEvents.type, LATER_STATUS_EVENT_TYPES)}`,
  )}
  where ${OF_CLIENT} and ${WITH_ID}`);

const WITH_LATEST_EVENTS: Statement = statementOf(sql`
  ${withEvents(
    COLUMNS,
    sql`
    ${EVENTS} order by ${verificationEvents.version} desc, ${verificationEvents.id} desc
    limit ${parameter('limit')}`,
  )}
  where ${WITH_ID}`);

// Only the repository of data keys changes the data key, nothing but an erasure changes `notify`, and the warnings stay unless others are kept.
const {
  clientId,
  id,
  dataKey: _,
  dataKeyWrappedBy: __,
  notify: ___,
  warnings: ____,
  severity: _____,
  ...replaced
} = getTableColumns(verifications);

const WARNINGS = ['warnings', 'severity'];

/** What a commit has beside the record and its events. */
interface CommitParts {
  readonly hasMails: boolean;
  readonly hasLabels: boolean;
  readonly hasKept: boolean;
}

/**
 * Compares the version. Events are deleted and inserted from the updated row, so both happen only with it.
 *
 * `version + 0` is no condition of an index, so the deletion reads all events of the verification. Meanwhile, PostgreSQL marks
 * the index entries of events that were superseded before, and uses their space again. Otherwise each repeated answer would
 * leave one until the next vacuum: 750 KB for 10,000 answers.
 */
const commitStatement = ({ hasMails, hasLabels, hasKept }: CommitParts): Statement =>
  statementOf(sql`
  with replaced as (
    update ${verifications} set ${assignments(verifications, [...Object.keys(replaced), ...(hasKept ? WARNINGS : [])])}
    where ${clientId} = ${parameter('clientId')} and ${id} = ${parameter('id')}
      and ${verifications.version} = ${parameter('expectedVersion')}
    returning ${clientId}, ${id}
  ), superseded as (
    delete from ${verificationEvents} using replaced
    where cardinality(${parameter('supersededVersions')}::integer[]) > 0
      and ${verificationEvents.clientId} = replaced.client_id
      and ${verificationEvents.verificationId} = replaced.id
      and ${verificationEvents.version} + 0 = any(${parameter('supersededVersions')}::integer[])
  ), appended as (${appendEvents(sql`replaced`)})${hasMails ? MAILS : sql``}${hasLabels ? LABELS : sql``}
  select count(*)::integer from replaced`);

const MAILS = sql`, queued as (${queueMails(sql`replaced`)})`;
const LABELS = sql`, ${replaceLabels(sql`replaced`)}`;

/** The statements of commits with these parts alone: most commits have none, and each part of a statement takes time. */
const COMMITS = createShapes<Statement>();

const NOTE_WARNINGS = statementOf(sql`
  update ${verifications} set ${assignments(verifications, WARNINGS)}
  where ${clientId} = ${parameter('clientId')} and ${id} = ${parameter('verificationId')}
    and ${verifications.version} = ${parameter('expectedVersion')} and ${verifications.erasedAt} is null
  returning 1`);

function columnsOfKept({ warnings, severity }: KeptWarnings) {
  return { warnings: JSON.stringify(warnings), severity };
}

function createNoteWarnings({ write }: Session): VerificationRepository['noteWarnings'] {
  return async (noted) => {
    if (!areIds(noted.clientId, noted.verificationId)) return false;
    return (await write(NOTE_WARNINGS, { ...noted, ...columnsOfKept(noted) })).length > 0;
  };
}

function createCommit({ write }: Session): VerificationRepository['commit'] {
  return async ({ record, expectedVersion, events, supersededVersions = [], mails = [], labels, kept }) => {
    if (!areIds(record.clientId, record.id)) return { outcome: 'conflict' };
    const values = {
      ...verificationRows.toRow(record),
      expectedVersion,
      supersededVersions: `{${supersededVersions.join()}}`,
      ...valuesOfEvents(events),
      ...valuesOfMails(mails),
      ...(labels !== undefined && valuesOfLabels(labels)),
      ...(kept !== undefined && columnsOfKept(kept)),
    };
    const parts = { hasMails: mails.length > 0, hasLabels: labels !== undefined, hasKept: kept !== undefined };
    const statement = COMMITS(JSON.stringify(parts), () => commitStatement(parts));
    try {
      const [row] = await write(statement, values);
      return { outcome: row?.[0] === 1 ? 'committed' : 'conflict' };
    } catch (error) {
      if (lacksIndexKey(error)) return { outcome: 'conflict' };
      throw error;
    }
  };
}
