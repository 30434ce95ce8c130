import { isCountersignError } from '../errors.ts';
import { isHidden } from '../retention/data-state.ts';
import { answersOf } from './answers.ts';
import type { BasePorts } from './base-ports.ts';
import { fromRecord } from './from-record.ts';
import type { IdentityDocument } from './steps/shared-fields.ts';
import { subjectNameOf } from './subject-name.ts';
import { UnreadableVerificationError } from './unreadable.ts';
import type { Verification } from './verification.ts';
import type { VerificationRecord } from './verification-record.ts';
import { keptWarnings } from './warnings/kept-warnings.ts';

/** Whom a verification is about, for a row of the queue. Null or false for what the subject has not answered. */
export interface QueueSubject {
  /** The name of the person or the business. */
  readonly name: string | null;
  /** The type of the person's document; null for a business. */
  readonly document: IdentityDocument['type'] | null;
  /** The country of the document, or of the incorporation. */
  readonly country: string | null;
  /** Whether the subject answered again what a reviewer had asked for. */
  readonly isResubmitted: boolean;
  /** How many warnings are kept of it; null if none of its last submission are kept by the current rules. */
  readonly warnings: number | null;
}

/**
 * What a row of the queue shows of its subject: the data; `hidden` once its erasure was requested; `unreadable` if what is stored is
 * damaged; `unavailable` if it cannot be read at the moment.
 */
export type QueueSubjectView =
  | ({ readonly state: 'read' } & QueueSubject)
  | { readonly state: 'hidden' | 'unreadable' | 'unavailable' };

/** Reads whom the verifications of a page of the queue are about. */
export interface QueueSubjects {
  /**
   * Unseals each verification on its own, so a damaged one changes no other. Damaged ones go to `onFault`. Unknown ids are left out.
   * @param verificationIds at most a page
   */
  subjects(verificationIds: readonly string[]): Promise<ReadonlyMap<string, QueueSubjectView>>;
}

/**
 * Reads whom one verification is about. A damaged one goes to `onFault`. Null if there is none.
 * @param find reads its record
 */
export type ReadSubject = (
  verificationId: string,
  find: () => Promise<VerificationRecord | null>,
) => Promise<QueueSubjectView | null>;

export function createReadSubject({ flows, onFault }: Pick<BasePorts, 'flows' | 'onFault'>): ReadSubject {
  return async (id, find) => {
    try {
      const record = await find();
      if (record === null) return null;
      const verification = fromRecord(record, flows);
      if (isHidden(verification)) return { state: 'hidden' };
      return { state: 'read', ...subjectOf(verification), warnings: keptWarnings(record)?.length ?? null };
    } catch (cause) {
      const isUnavailable = isCountersignError(cause, 'SERVICE_UNAVAILABLE');
      onFault(isUnavailable ? cause : new UnreadableVerificationError(id, cause));
      return { state: isUnavailable ? 'unavailable' : 'unreadable' };
    }
  };
}

export function createQueueSubjects(ports: Pick<BasePorts, 'verifications' | 'flows' | 'onFault'>): QueueSubjects {
  const readSubject = createReadSubject(ports);
  return {
    async subjects(verificationIds) {
      const views = await readInParts(verificationIds, (id) =>
        readSubject(id, () => ports.verifications.findForAnyClient(id)),
      );
      return new Map(
        verificationIds.flatMap((id, index) => {
          const view = views[index] ?? null;
          return view === null ? [] : [[id, view]];
        }),
      );
    },
  };
}

/** Verifications that are read at the same time: those of a page of the usual size. */
const READ_AT_ONCE = 20;

/** Reads something of each item, a page of the usual size at a time. */
export async function readInParts<T, R>(items: readonly T[], read: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (let start = 0; start < items.length; start += READ_AT_ONCE)
    results.push(...(await Promise.all(items.slice(start, start + READ_AT_ONCE).map(read))));
  return results;
}

function subjectOf(verification: Verification): Omit<QueueSubject, 'warnings'> {
  const isResubmitted = verification.earlierAnswers.length > 0;
  const name = subjectNameOf(verification);
  if (verification.type === 'kyb') {
    const { countryOfIncorporation = null } = answersOf(verification, 'business') ?? {};
    return { name, document: null, country: countryOfIncorporation, isResubmitted };
  }
  const { type = null, issuingCountry = null } = answersOf(verification, 'document') ?? {};
  return { name, document: type, country: issuingCountry, isResubmitted };
}
