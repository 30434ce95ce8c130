import { type FilePart, type FilePartName, unknownFile } from '../evidence/evidence-keeper.ts';
import type { FlowAsks } from '../fields/conditions.ts';
import type { Fields } from '../fields/field.ts';
import { typedSchemaOf } from '../fields/schema.ts';
import { parseInput } from '../input/parse.ts';
import type { StoredReading } from '../reading/stored-reading.ts';
import type { WithPause } from '../retention/data-state.ts';
import { type BoundedCount, boundedCount, COUNTED_MATCHES } from '../subscription/bounded-count.ts';
import type { Client, ListedClient } from '../subscription/client-repository.ts';
import type { ReadFlowRules } from '../subscription/flow-rules.ts';
import { NO_TEMPLATES, type ReasonTemplates } from '../subscription/reason-templates.ts';
import { liveClientOf, nameForStaff } from '../subscription/test-twin.ts';
import type { BasePorts } from './base-ports.ts';
import type { SystemReason } from './decision.ts';
import { dueAt } from './due-time.ts';
import { decidingTypeIn, endedBy, readEndings } from './endings.ts';
import { MAX_EVENTS } from './event-limit.ts';
import type { VerificationEvent } from './events.ts';
import { type Flow, SUBJECT_TYPES, type SubjectType } from './flow.ts';
import { claimOf, fromRecord } from './from-record.ts';
import { POSITION_MAX, parsePosition, positionText } from './page-position.ts';
import { LIST_LIMIT_DEFAULT, LIST_LIMIT_MAX, unknownVerification } from './read-verifications.ts';
import type { DocumentReadings } from './readings/document-readings.ts';
import { keptDataOf, type RulesOf } from './retained.ts';
import { type RetentionView, retentionViewOf } from './retention-view.ts';
import { STATUSES, type Status } from './status.ts';
import type { Claim, Verification } from './verification.ts';
import type { VerificationRecord } from './verification-record.ts';
import type { QueuePosition, VerificationWithEvents } from './verification-repository.ts';
import { visiblePart } from './visible-part.ts';
import type { CaseWarnings } from './warnings/case-warnings.ts';
import type { ReviewWarning } from './warnings/review-warning.ts';

/** Filters and page of the queue. A filter that is left out matches everything. */
export interface ReviewQueueInput {
  /** Default `submitted`. */
  readonly status?: Status | undefined;
  readonly type?: SubjectType | undefined;
  readonly clientId?: string | undefined;
  /** Claimed by this reviewer. */
  readonly claimedBy?: string | undefined;
  /** Claimed by no one; `claimedBy` is ignored then. */
  readonly unclaimed?: boolean | undefined;
  /** With a warning that has to be checked (`hasToBeChecked`). */
  readonly warned?: boolean | undefined;
  /** Submitted again after a reviewer asked for it. */
  readonly resubmitted?: boolean | undefined;
  /** Whether test cases are shown. Default false, except with the `clientId` of a test twin. */
  readonly withTests?: boolean | undefined;
  /** The `next` of the page before. */
  readonly after?: string | undefined;
  /** 1–100; default 20. */
  readonly limit?: number | undefined;
}

/** Fields of `ReviewQueueInput`. */
export const reviewQueueFields: Fields<ReviewQueueInput> = {
  status: { kind: 'choice', of: STATUSES, optional: true },
  type: { kind: 'choice', of: SUBJECT_TYPES, optional: true },
  clientId: { kind: 'id', optional: true },
  claimedBy: { kind: 'id', optional: true },
  unclaimed: { kind: 'flag', optional: true },
  warned: { kind: 'flag', optional: true },
  resubmitted: { kind: 'flag', optional: true },
  withTests: { kind: 'flag', optional: true },
  after: { kind: 'text', max: POSITION_MAX, by: 'page', optional: true },
  limit: { kind: 'number', integer: true, min: 1, max: LIST_LIMIT_MAX, by: 'page', optional: true },
};

const schema = typedSchemaOf<ReviewQueueInput>(reviewQueueFields);

/** Events that a reviewer sees at first. */
const LATEST_EVENTS = 50;
/** More events than a verification has: its decision and what removes its data may exceed `MAX_EVENTS`. */
const ALL_EVENTS = 2 * MAX_EVENTS;

/** A verification in the queue, without personal data. */
export interface ReviewQueueItem {
  readonly id: string;
  readonly clientId: string;
  readonly clientName: string;
  readonly type: SubjectType;
  readonly subjectReference: string;
  readonly status: Status;
  readonly requestedAt: Date;
  readonly submittedAt: Date | null;
  /** When its decision is due; null unless it waits for one and its client has a due time. Test cases have none. */
  readonly dueAt: Date | null;
  readonly claim: Claim | null;
  /** The most severe of its kept warnings; null without one, and unless it waits for a decision. */
  readonly severity: VerificationRecord['severity'];
  /** How it ended without a review, also after its data is erased; null otherwise. */
  readonly endedBy: SystemReason | null;
}

/** A verification on the page that confirms a decision, without submitted data. */
export interface ReviewSummary extends ReviewQueueItem {
  readonly flow: Flow;
  readonly version: number;
  readonly retention: RetentionView;
}

/** A page of the reviewers' queue, the longest wait first. */
export interface ReviewQueuePage {
  readonly items: readonly ReviewQueueItem[];
  readonly total: BoundedCount;
  /** The `after` of the next page; null at the end. Opaque. */
  readonly next: string | null;
}

/** A verification with everything that a reviewer sees. */
export interface ReviewedVerification {
  readonly verification: Verification;
  readonly clientName: string;
  /** When its decision is due; null unless it waits for one and its client has a due time. Test cases have none. */
  readonly dueAt: Date | null;
  /** What the client asks its subjects for now. */
  readonly asks: FlowAsks;
  /** Messages that the reviewer may insert. */
  readonly templates: ReasonTemplates;
  /** The latest, or all, in the order of their versions. `verification.eventCount` is the number of all. */
  readonly events: readonly VerificationEvent[];
  readonly warnings: readonly ReviewWarning[];
  /** What was read from its pictures of documents. */
  readonly readings: readonly StoredReading[];
  readonly retention: RetentionView;
  /** How it ended without a review, also after its data is erased; null otherwise. */
  readonly endedBy: SystemReason | null;
}

/** Reads verifications of all clients, for reviewers. */
export interface ReviewQueue {
  /**
   * Reads a page of the queue, the longest wait first. It reads no sealed data, so a damaged verification does not fail it.
   * @throws CountersignError `INVALID_PARAMETERS`
   */
  queue(input?: ReviewQueueInput): Promise<ReviewQueuePage>;
  /**
   * Reads a verification, and has pictures of its document read that are not, in the background while it waits for a decision.
   * @param options `allEvents` reads every event; by default the latest
   * @throws `VERIFICATION_NOT_FOUND`
   */
  open(
    verificationId: string,
    options?: { readonly allEvents?: boolean | undefined },
  ): Promise<ReviewedVerification>;
  /** @throws `VERIFICATION_NOT_FOUND` */
  summarize(verificationId: string): Promise<ReviewSummary>;
  /**
   * Reads a file, or one of its drawn pages.
   * @throws `VERIFICATION_NOT_FOUND`, `FILE_NOT_FOUND`
   */
  readFile(verificationId: string, fileId: string, part?: FilePartName): Promise<FilePart>;
}

export function createReviewQueue(
  ports: Pick<BasePorts, 'clients' | 'clock' | 'evidence' | 'flows' | 'verifications'> & {
    caseWarnings: Pick<CaseWarnings, 'of'>;
    rulesOf: RulesOf;
    withPause: WithPause;
    readFlowRules: ReadFlowRules;
    documents: Pick<DocumentReadings, 'of' | 'readAgain'>;
  },
): ReviewQueue {
  const { verifications, flows, clients, evidence, clock, caseWarnings, rulesOf, withPause } = ports;
  const { readFlowRules, documents } = ports;
  const itemsOf = createQueueItems(ports);

  async function clientOf(clientId: string): Promise<Client | null> {
    return (await clients.find(clientId))?.client ?? null;
  }

  /** Reads the templates of a client; for a test twin, those of its client. */
  async function templatesOf(client: Client | null): Promise<ReasonTemplates> {
    const live = client && (await liveClientOf(clients, client));
    return live?.reasonTemplates ?? NO_TEMPLATES;
  }

  /** Reads the latest events. Reads all if the one that decided the verification is older. */
  async function findWithDecision(verificationId: string, limit: number): Promise<VerificationWithEvents | null> {
    const found = await verifications.findWithEventsForAnyClient(verificationId, limit);
    if (found === null || found.record.resolvedAt === null || decidingTypeIn(found.events) !== null) return found;
    return verifications.findWithEventsForAnyClient(verificationId, ALL_EVENTS);
  }

  async function clientAndRetention(
    found: VerificationWithEvents,
    verification: Verification,
  ): Promise<
    Pick<ReviewedVerification, 'clientName' | 'dueAt' | 'retention'> & { readonly client: Client | null }
  > {
    const { clientId } = verification;
    const [client, rules] = await Promise.all([clientOf(clientId), rulesOf(clientId)]);
    const kept = await keptDataOf(verification, found.events, { rules, withPause, now: clock.now() });
    const clientName = client === null ? clientId : nameForStaff(client);
    const due = client === null ? null : dueTimeOf(found.record, { ...client, ...client.flowSettings });
    return { client, clientName, dueAt: due, retention: retentionViewOf(verification, kept) };
  }

  return {
    async queue(input = {}) {
      const { unclaimed, withTests, after, limit = LIST_LIMIT_DEFAULT, ...filters } = parseInput(schema(), input);
      const { status = 'submitted', type, clientId } = filters;
      const claimedBy = unclaimed === true ? null : filters.claimedBy;
      const { records, totalCount } = await verifications.queue({
        status,
        type,
        clientId,
        claimedBy,
        isWarned: filters.warned,
        isResubmitted: filters.resubmitted,
        // A filter by a test twin includes its cases.
        liveOnly: withTests !== true && clientId === undefined,
        after: after === undefined ? undefined : positionOf(after),
        // One more than a page tells whether there is a next page.
        limit: limit + 1,
        countUpTo: COUNTED_MATCHES,
      });
      const shown = records.slice(0, limit);
      const last = records.length > limit ? shown.at(-1) : undefined;
      return {
        items: await itemsOf(shown),
        total: boundedCount(totalCount),
        next: last === undefined ? null : positionText({ at: last.submittedAt, id: last.id }),
      };
    },

    async open(verificationId, { allEvents = false } = {}) {
      const limit = allEvents ? ALL_EVENTS : LATEST_EVENTS;
      const found = await findWithDecision(verificationId, limit);
      if (found === null) throw unknownVerification();
      const whole = fromRecord(found.record, flows);
      const verification = visiblePart(whole);
      // From the whole: who set a hold is not hidden.
      const { client, clientName, dueAt, retention } = await clientAndRetention(found, whole);
      const rules = await readFlowRules(client ?? whole.clientId);
      const readings = await documents.of(verification);
      // In the background: the next look shows what it finds.
      if (verification.status === 'submitted') void documents.readAgain(verification);
      return {
        verification,
        clientName,
        dueAt,
        asks: rules.asks,
        templates: await templatesOf(client),
        retention,
        endedBy: endedBy(found.events),
        events: found.events.slice(-limit),
        warnings: await caseWarnings.of(found.record, verification, { rules, readings }),
        readings,
      };
    },

    async summarize(verificationId) {
      const found = await findWithDecision(verificationId, LATEST_EVENTS);
      if (found === null) throw unknownVerification();
      const verification = fromRecord(found.record, flows);
      const { flow, version } = verification;
      const { clientName, dueAt, retention } = await clientAndRetention(found, verification);
      return {
        ...queueItem(found.record, { clientName, dueAt, endedBy: endedBy(found.events) }),
        flow,
        version,
        retention: { ...retention, holdReason: null },
      };
    },

    async readFile(verificationId, fileId, part) {
      const record = await verifications.findForAnyClient(verificationId);
      if (record === null) throw unknownVerification();
      const file = visiblePart(fromRecord(record, flows)).files.find(({ id }) => id === fileId);
      if (file === undefined) throw unknownFile();
      return evidence.read({ clientId: record.clientId, verificationId }, file, part);
    },
  };
}

/** Makes the items of records, in their order. Reads nothing that is sealed. */
export type QueueItems = (records: readonly VerificationRecord[]) => Promise<readonly ReviewQueueItem[]>;

export function createQueueItems({
  clients,
  verifications,
}: Pick<BasePorts, 'clients' | 'verifications'>): QueueItems {
  return async (records) => {
    const [names, endingOf] = await Promise.all([
      clients.names([...new Set(records.map(({ clientId }) => clientId))]),
      readEndings(verifications, records),
    ]);
    return records.map((record) => {
      const client = names.get(record.clientId);
      return queueItem(record, {
        clientName: client === undefined ? record.clientId : nameForStaff(client),
        dueAt: client === undefined ? null : dueTimeOf(record, client),
        endedBy: endingOf(record),
      });
    });
  };
}

/** Where the next page begins. */
function positionOf(text: string): QueuePosition {
  const { at, id } = parsePosition(text);
  return { submittedAt: at, id };
}

function queueItem(
  record: VerificationRecord,
  found: Pick<ReviewQueueItem, 'clientName' | 'dueAt' | 'endedBy'>,
): ReviewQueueItem {
  const { id, clientId, type, subjectReference, status, requestedAt, submittedAt } = record;
  const claim = claimOf(record);
  const severity = status === 'submitted' ? record.severity : null;
  return { id, clientId, type, subjectReference, status, requestedAt, submittedAt, claim, severity, ...found };
}

/** When the decision of a verification is due: while it waits for one. The settings of a test twin have no effect. */
function dueTimeOf(
  { status, submittedAt }: VerificationRecord,
  { testOf, dueHours }: Pick<ListedClient, 'testOf' | 'dueHours'>,
): Date | null {
  return status === 'submitted' && testOf === null ? dueAt(submittedAt, dueHours) : null;
}
