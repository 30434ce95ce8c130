import {
  type DataState,
  type DueRule,
  dataStateOf,
  erasureDue,
  notErasedBefore,
  type Retained,
  type RetentionRules,
} from '../retention/data-state.ts';
import type { Decision, ReasonCode } from '../verification/decision.ts';
import type { Links } from '../verification/link.ts';
import type { Notify } from '../verification/notify.ts';
import { type FoundVerification, retainedFrom } from '../verification/retained.ts';
import type { Drafts, EarlierAnswers } from '../verification/verification.ts';
import { documentOf, type VerificationDetails, wholeDetailsOf } from '../verification/views.ts';
import { type ExportedFile, exportedFiles } from './exported-file.ts';
import { type ExportedReading, exportedReadings } from './exported-reading.ts';
import { type PastRequest, requestsForAction } from './requests-for-action.ts';
import { withoutHold } from './without-hold.ts';

/**
 * The data that a verification has about a person, for that person (GDPR Art. 15 and 20). Without notes of reviewers, warnings, holds and
 * suspicions, which the person must not learn (Regulation (EU) 2024/1624 Art. 73), and without the link, which grants access.
 */
export interface PersonalData {
  readonly exportedAt: Date;
  /** The client for whom the person was verified. */
  readonly clientName: string;
  readonly verification: Omit<VerificationDetails, 'verificationUrl' | 'documents' | 'data'>;
  readonly submittedAt: Date | null;
  readonly relationshipEndedAt: Date | null;
  readonly erasureRequestedAt: Date | null;
  readonly idempotencyKey: string | null;
  /** Where the person received mails about the verification; null without. */
  readonly notify: Notify | null;
  /** Every request for action, oldest first. `verification.actionNeeded` has message and notes of the one that is open. */
  readonly requestsForAction: readonly PastRequest[];
  /** Answers that were replaced after a request for action. */
  readonly earlierAnswers: readonly EarlierAnswers[];
  /** Answers to steps that were not completed. */
  readonly drafts: Drafts;
  /** Also the files of steps that were not completed, which the client does not see. */
  readonly files: readonly ExportedFile[];
  /** What was read from pictures of the document. */
  readonly readings: readonly ExportedReading[];
  /**
   * How long the data is kept: until when, and by which rule; both null while the verification is open. `until` is also null once the
   * period has ended: the data is erased next. A past time would reveal a hold. Null in a service that erases nothing.
   */
  readonly retention: (DataState & { readonly rule: DueRule | null }) | null;
}

/** Builds the data of an export from the whole verification. */
export function personalDataOf(
  found: FoundVerification,
  given: {
    readonly clientName: string;
    /** Whether the service erases data at the end of its period. */
    readonly erasesData: boolean;
    readonly rules: RetentionRules;
    /** Until when nothing is erased, because the clock may have jumped. */
    readonly pausedUntil: Date | null;
    readonly links: Links;
    readonly now: Date;
  },
): PersonalData {
  const { clientName, rules, links, now } = given;
  const verification = withoutHold(found.verification, rules, now);
  const shown = { ...found, verification };
  const { verificationUrl: _, documents: __, data: ___, decision, ...details } = wholeDetailsOf(shown, links);
  return {
    exportedAt: now,
    clientName,
    verification: { ...details, decision: decision && decisionForSubject(decision) },
    submittedAt: verification.submittedAt,
    relationshipEndedAt: verification.relationshipEndedAt,
    erasureRequestedAt: verification.erasureRequestedAt,
    idempotencyKey: verification.idempotency?.key ?? null,
    notify: verification.notify,
    requestsForAction: requestsForAction(found.events),
    earlierAnswers: verification.earlierAnswers,
    drafts: verification.drafts,
    files: exportedFiles(verification.files.map(documentOf)),
    readings: exportedReadings(found.readings ?? [], verification.files),
    retention: given.erasesData ? retentionOf(retainedFrom(verification, found.events), given) : null,
  };
}

function retentionOf(
  retained: Retained,
  { rules, pausedUntil, now }: { rules: RetentionRules; pausedUntil: Date | null; now: Date },
): PersonalData['retention'] {
  const { state, until } = notErasedBefore(dataStateOf(retained, rules, now), pausedUntil);
  const rule = erasureDue(retained, rules)?.rule ?? null;
  return { state, until: until !== null && until <= now ? null : until, rule };
}

/** The pages of the subject show a suspicion of fraud as `other` too. */
function decisionForSubject({ reasonCodes, ...decision }: Decision): Decision {
  const shown = reasonCodes.map((code): ReasonCode => (code === 'suspected_fraud' ? 'other' : code));
  return { ...decision, reasonCodes: [...new Set(shown)] };
}
