import { CountersignError } from '../errors.ts';
import type { EvidenceKeeper } from '../evidence/evidence-keeper.ts';
import type { EvidencePlace } from '../evidence/evidence-store.ts';
import { type IndexLabels, NO_RULES_VERSION } from '../matching/index-labels.ts';
import type { KeptLabels, VerificationLabels } from '../matching/index-repository.ts';
import type { BasePorts } from './base-ports.ts';
import { eventCountAfter } from './event-limit.ts';
import { type Actor, type EventType, eventOf, type VerificationEvent } from './events.ts';
import { fromRecord } from './from-record.ts';
import { unknownVerification } from './read-verifications.ts';
import { mailsAfter } from './subject-mails.ts';
import { allTermsOf } from './submitted-terms.ts';
import type { QuietTransition, Transition } from './transition.ts';
import { evidencePlacesOf, isRejectedForFraud, type Verification } from './verification.ts';
import { toRecord, type VerificationRecord } from './verification-record.ts';
import type { CaseWarnings } from './warnings/case-warnings.ts';

/** How often a change that lost a race is decided again on the current state. */
const ATTEMPTS = 5;

export interface Change {
  readonly find: () => Promise<VerificationRecord | null>;
  /** Throws if the actor may not change the verification, whatever version they saw. */
  readonly refuse?: (verification: Verification) => void | Promise<void>;
  /** Returns null if there is nothing to change. */
  readonly decide: (
    verification: Verification,
    now: Date,
  ) => Transition | readonly Transition[] | QuietTransition | null;
  readonly actor: Actor;
  /**
   * The version that the actor saw. If the verification has another version, the change is refused with
   * `VERSION_CONFLICT`. Without it, the change is decided again on the current state.
   */
  readonly expectedVersion?: number | undefined;
}

/**
 * Makes one move of one verification, or several in one step: read, decide, compare and set. Contents of files that the move removes are deleted
 * after the commit.
 * @throws CountersignError `VERIFICATION_NOT_FOUND`, `VERSION_CONFLICT`, `EVENT_LIMIT_REACHED`, and the errors of `refuse`
 * and `decide`; after the commit, the refusal of the transition
 */
export type ChangeVerification = (change: Change) => Promise<Verification>;

export function createChangeVerification(
  ports: Pick<BasePorts, 'clock' | 'flows' | 'ids' | 'verifications'> &
    LabelPorts & {
      evidence: Pick<EvidenceKeeper, 'discard'>;
      caseWarnings: Pick<CaseWarnings, 'ahead' | 'after'>;
    },
  settings: { sendsMail: boolean },
): ChangeVerification {
  const { verifications, flows, clock, ids, evidence, caseWarnings } = ports;

  return async ({ find, refuse, decide, actor, expectedVersion }) => {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      const record = await find();
      if (record === null) throw unknownVerification();
      const current = fromRecord(record, flows);
      await refuse?.(current);
      if (expectedVersion !== undefined && record.version !== expectedVersion) throw changedMeanwhile();

      const now = clock.now();
      const transition = decide(current, now);
      if (transition === null) return current;
      const { next, ...written } = withEvents(transition, current, () => ({ id: ids.next(), at: now, actor }));
      const labels = await labelsAfter(written.events, next, ports);
      const ahead = await caseWarnings.ahead(next, written.events, labels);
      const { outcome } = await verifications.commit({
        record: toRecord(next),
        expectedVersion: record.version,
        ...written,
        mails: written.events.flatMap((event) => mailsAfter(event, next, settings)),
        labels,
        kept: ahead?.kept,
      });
      if (outcome === 'conflict') continue;
      caseWarnings.after(next, written.events, ahead);
      await evidence.discard(removedFiles(current, next));
      if ('refusal' in transition && transition.refusal !== undefined) throw transition.refusal;
      return next;
    }
    throw changedMeanwhile();
  };
}

/** What labels a verification that is submitted, ends, or is rejected for fraud. */
export interface LabelPorts {
  readonly indexLabels: Pick<IndexLabels, 'label'>;
}

/** Events that end a redo without a submission. */
const ENDS_OF_REDO: readonly EventType[] = ['verification.withdrawn', 'verification.expired'];

/**
 * Labels a verification that the change submits or rejects for fraud, or that ends during a redo. Cases are compared by their current
 * answers until these are erased, so labels of the last submission would not find one that ended during a redo. Undefined for any other
 * change, also for the end of a verification that was never submitted.
 *
 * If labels cannot be made, a submission has none. Any other verification keeps its labels, because most of its answers stay. Both are
 * behind, so `countersign index rebuild` labels them.
 */
export async function labelsAfter(
  events: readonly VerificationEvent[],
  next: Verification,
  { indexLabels }: LabelPorts,
): Promise<VerificationLabels | KeptLabels | undefined> {
  const has = (...types: readonly EventType[]) => events.some(({ type }) => types.includes(type));
  const isSubmitted = has('verification.submitted');
  const isEnded = next.submittedAt !== null && has(...ENDS_OF_REDO);
  const isFraud = has('verification.rejected') && isRejectedForFraud(next);
  if (!isSubmitted && !isEnded && !isFraud) return undefined;
  const made = await indexLabels.label(next.clientId, allTermsOf(next));
  return !isSubmitted && made?.rulesVersion === NO_RULES_VERSION ? { ...made, labels: null } : made;
}

/** Returns the state after the transitions of one change, with its number of events, and the events to write. */
function withEvents(
  change: Transition | readonly Transition[] | QuietTransition,
  before: Pick<Verification, 'status' | 'eventCount'>,
  origin: () => Parameters<typeof eventOf>[2],
): { next: Verification; events: readonly VerificationEvent[]; supersededVersions?: readonly number[] } {
  if ('event' in change && change.event === null) return { next: change.next, events: [] };
  const transitions = 'event' in change ? [change] : change;
  const last = transitions.at(-1);
  if (last === undefined) throw new Error('A change has no transition');
  const eventCount = transitions.reduce(
    (count, transition) => eventCountAfter({ status: before.status, eventCount: count }, transition),
    before.eventCount,
  );
  return {
    next: { ...last.next, eventCount },
    events: transitions.map(({ next, event }) => eventOf(next, event, origin())),
    supersededVersions: transitions.flatMap(({ supersededVersion }) => supersededVersion ?? []),
  };
}

/** Lists the contents of files that the state after a change no longer has. */
export function removedFiles(before: Verification, { files }: Verification): EvidencePlace[] {
  const kept = new Set(files.map(({ id }) => id));
  return before.files.filter(({ id }) => !kept.has(id)).flatMap((file) => evidencePlacesOf(before, file));
}

function changedMeanwhile(): CountersignError {
  return new CountersignError('VERSION_CONFLICT');
}
