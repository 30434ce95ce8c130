import { isCountersignError } from '../../errors.ts';
import { canonicalJson } from '../../input/json.ts';
import type { KeptLabels, VerificationLabels } from '../../matching/index-repository.ts';
import type { StoredReading } from '../../reading/stored-reading.ts';
import type { BasePorts } from '../base-ports.ts';
import type { VerificationEvent } from '../events.ts';
import { fromRecord } from '../from-record.ts';
import type { DocumentReadings } from '../readings/document-readings.ts';
import { isRejectedForFraud, type Verification } from '../verification.ts';
import type { VerificationRecord } from '../verification-record.ts';
import type { KeptWarnings } from '../verification-repository.ts';
import type { FindOthers, FindSharing, SharesNothing } from './find-others.ts';
import { keptWarnings, toKept } from './kept-warnings.ts';
import { matchWarnings } from './match-warnings.ts';
import type { ReadBefore, ReadWarnings } from './read-warnings.ts';
import { hasToBeChecked, kindOfWarning, type ReviewWarning, warningKey } from './review-warning.ts';

/** A case, by its ids. */
export interface CasePlace {
  readonly clientId: string;
  readonly verificationId: string;
}

/** The warnings of a case that shares nothing with another, computed before its submission. */
export interface WarningsAhead {
  /** To be kept by the submission. */
  readonly kept: KeptWarnings;
  /** The labels by which no other case was found. */
  readonly labels: VerificationLabels;
  /** The readings that they are about. */
  readonly readings: readonly StoredReading[];
}

/**
 * The warnings of cases: computed when a case is opened, and kept for the queue when its data change. Work in the background reports its
 * faults to `onFault`.
 */
export interface CaseWarnings {
  /** Computes the warnings of a case. If it waits for a decision and other warnings are kept, they are computed and kept again in the background. */
  of(
    record: VerificationRecord,
    verification: Verification,
    before: ReadBefore,
  ): Promise<readonly ReviewWarning[]>;
  /** Computes and keeps the warnings of a case in the background, if it waits for a decision: once for all calls until its turn comes. */
  keepLater(place: CasePlace): void;
  /**
   * Computes the warnings of a case that is about to be submitted with these labels, to keep them in the step that submits it. Undefined for
   * any other change, if the case shares something with another, and if they cannot be computed: then `after` keeps them. Never rejects.
   */
  ahead(
    verification: Verification,
    events: Events,
    labels: VerificationLabels | KeptLabels | undefined,
  ): Promise<WarningsAhead | undefined>;
  /**
   * Computes and keeps warnings in the background. After a submission: those of the case, unless the same were kept with it, and of waiting
   * cases that have to be checked because of it. After a rejection for fraud: those of all waiting cases with the same document, number,
   * person, file or reference.
   * @param ahead what `ahead` returned and the submission kept
   */
  after(verification: Verification, events: Events, ahead?: WarningsAhead): void;
  /**
   * Computes and keeps the warnings of a case now.
   * @param options `unlessCurrent`: not if its warnings are kept of its last submission, by the current rules
   * @returns `changed`: other warnings were kept, or none; `not_waiting`: it does not wait for a decision, or changed at each attempt
   * @throws what reading the case throws
   */
  keep(
    place: CasePlace,
    options?: { readonly unlessCurrent: boolean },
  ): Promise<'changed' | 'unchanged' | 'not_waiting'>;
  /** Resolves when the work in the background has ended. */
  settled(): Promise<void>;
  /** Drops background work that has not begun, and all that is asked for later: `settled` then waits for at most one case. */
  dropWaiting(): void;
}

type Events = readonly Pick<VerificationEvent, 'type'>[];

/** How often warnings that lost a race with a change are computed again. */
const ATTEMPTS = 3;

const DEFAULTS = { unlessCurrent: false };

export function createCaseWarnings(
  ports: Pick<BasePorts, 'clock' | 'flows' | 'onFault' | 'verifications'> & {
    readonly documents: Pick<DocumentReadings, 'of'>;
    readonly readWarnings: ReadWarnings;
    readonly findOthers: FindOthers;
    readonly findSharing: FindSharing;
    readonly sharesNothing: SharesNothing;
  },
): CaseWarnings {
  const { clock, flows, onFault, verifications, documents, readWarnings, findOthers, findSharing, sharesNothing } =
    ports;

  /** One after the other, so that requests always find most of the database's connections free. */
  let last: Promise<unknown> = Promise.resolve();
  let isEnded = false;

  /**
   * Work that waits holds no answers, except those of a case that was just changed. An outage is not reported: what is not kept now is kept
   * when the case is opened, or by `countersign warnings recompute`; with `--all` for cases that have earlier warnings.
   */
  function later(work: () => Promise<unknown>): void {
    last = last
      .then(() => (isEnded ? undefined : work()))
      .catch((fault: unknown) => {
        if (!isCountersignError(fault, 'SERVICE_UNAVAILABLE')) onFault(fault);
      });
  }

  /** Returns false if the case changed meanwhile. */
  function store(
    submission: Pick<VerificationRecord, 'clientId' | 'id' | 'version' | 'submittedAt'>,
    warnings: readonly ReviewWarning[],
  ): Promise<boolean> {
    const kept = toKept(warnings, submission);
    return verifications.noteWarnings({ ...placeOf(submission), expectedVersion: submission.version, ...kept });
  }

  const keep: CaseWarnings['keep'] = async ({ clientId, verificationId }, { unlessCurrent } = DEFAULTS) => {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      const record = await verifications.find(clientId, verificationId);
      if (record?.status !== 'submitted') return 'not_waiting';
      if (unlessCurrent && keptWarnings(record) !== null) return 'unchanged';
      const warnings = await readWarnings(fromRecord(record, flows));
      if (isKept(record, warnings)) return 'unchanged';
      if (await store(record, warnings)) return 'changed';
    }
    return 'not_waiting';
  };

  /**
   * Keeps the warnings of a submitted case, unless the same were kept with it. Another case may have been submitted after those were computed.
   */
  async function keepSubmitted(
    verification: Verification,
    others: readonly Verification[],
    kept: KeptWarnings | undefined,
  ): Promise<void> {
    const warnings = await readWarnings(verification, { others });
    if (kept !== undefined && isSame(kept, toKept(warnings, verification))) return;
    if (!(await store(verification, warnings))) await keep(placeOf(verification));
  }

  /** Whether warnings that were computed ahead are current: no other case was submitted, and no reading stored meanwhile. */
  async function areCurrent(verification: Verification, { labels, readings }: WarningsAhead): Promise<boolean> {
    const stored = await documents.of(verification);
    const isSameReading = stored.map(nameOfReading).join() === readings.map(nameOfReading).join();
    return isSameReading && (await sharesNothing(verification, labels));
  }

  /** Cases of `keepLater` whose turn has not come, by id. */
  const waiting = new Set<string>();

  function keepLater(place: CasePlace): void {
    const { verificationId } = place;
    if (waiting.has(verificationId)) return;
    waiting.add(verificationId);
    later(() => {
      waiting.delete(verificationId);
      return keep(place);
    });
  }

  /** Keeps the warnings of a case later, unless those with these keys are kept already. */
  function keepIfMissing(place: CasePlace, keys: readonly string[]): void {
    later(async () => {
      const record = await verifications.find(place.clientId, place.verificationId);
      const kept = (record === null ? null : keptWarnings(record))?.map(warningKey) ?? [];
      if (!keys.every((key) => kept.includes(key))) await keep(place);
    });
  }

  /** Returns the keys of warnings of a waiting case that have to be checked because of another. */
  function keysToCheck(waitingCase: Verification, other: Verification): readonly string[] {
    if (waitingCase.status !== 'submitted') return [];
    return matchWarnings(waitingCase, { now: clock.now(), others: [other] })
      .filter(({ code }) => hasToBeChecked(kindOfWarning(code).severity))
      .map(warningKey);
  }

  return {
    keep,
    keepLater,

    async settled() {
      for (let seen: unknown; seen !== last; await last) seen = last;
    },

    dropWaiting() {
      isEnded = true;
    },

    async of(record, verification, before) {
      const warnings = await readWarnings(verification, before);
      if (verification.status === 'submitted' && !isKept(record, warnings)) keepLater(placeOf(record));
      return warnings;
    },

    async ahead(verification, events, labels) {
      if (!isSubmission(events) || labels === undefined || labels.labels === null) return undefined;
      try {
        const readings = await documents.of(verification);
        const [isAlone, warnings] = await Promise.all([
          sharesNothing(verification, labels),
          readWarnings(verification, { readings, others: [] }),
        ]);
        return isAlone ? { kept: toKept(warnings, verification), labels, readings } : undefined;
      } catch {
        // Computed again after the submission, which then reports what fails.
        return undefined;
      }
    },

    after(verification, events, ahead) {
      const isRejection = events.some(({ type }) => type === 'verification.rejected');
      if (isRejection && isRejectedForFraud(verification))
        later(async () => {
          const { clientId } = verification;
          for (const verificationId of await findSharing(verification)) keepLater({ clientId, verificationId });
        });
      if (!isSubmission(events)) return;
      later(async () => {
        if (ahead !== undefined && (await areCurrent(verification, ahead))) return;
        const others = await findOthers(verification);
        // Compared now: they are not held until their turns come.
        for (const other of others) {
          const keys = keysToCheck(other, verification);
          if (keys.length > 0) keepIfMissing(placeOf(other), keys);
        }
        await keepSubmitted(verification, others, ahead?.kept);
      });
    },
  };
}

function placeOf({ clientId, id }: Pick<VerificationRecord, 'clientId' | 'id'>): CasePlace {
  return { clientId, verificationId: id };
}

/** Names a reading of a file: a later one has another time. */
function nameOfReading({ fileId, readAt }: StoredReading): string {
  return `${fileId} ${readAt.getTime()}`;
}

function isSubmission(events: Events): boolean {
  return events.some(({ type }) => type === 'verification.submitted');
}

function isKept(record: VerificationRecord, warnings: readonly ReviewWarning[]): boolean {
  const { warnings: kept } = record;
  return kept !== null && isSame({ warnings: kept }, toKept(warnings, record));
}

function isSame(one: Pick<KeptWarnings, 'warnings'>, other: Pick<KeptWarnings, 'warnings'>): boolean {
  return canonicalJson(one.warnings) === canonicalJson(other.warnings);
}
