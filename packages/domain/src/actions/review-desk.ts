import type { ReadCases } from '../verification/read-cases.ts';
import { REASON_CODES } from '../verification/review.ts';
import type { ReviewContext, ReviewVerification } from '../verification/review-verification.ts';
import type { CallerContext } from './caller.ts';
import type { ReviewDesk } from './desks.ts';
import { createGuard, type GuardPorts, look, notAllowed } from './guard.ts';
import { toldId, toldWords } from './told.ts';

export interface ReviewPorts {
  readonly review: ReviewVerification & ReadCases;
  /** Whose verification it is; null where there is none. */
  readonly clientOf: (verificationId: string) => Promise<string | null>;
}

/** What is recorded of reviewers. The command line reviews nothing: a decision is somebody's. */
export function createReviewDesk(
  ports: ReviewPorts & GuardPorts,
  { session, ...standing }: CallerContext,
): ReviewDesk {
  const { review, clientOf } = ports;
  const { kind } = standing.actor;
  const isReviewer = session !== null && (kind === 'reviewer' || kind === 'operator');
  const guard = createGuard(ports, { session, ...standing }, () => isReviewer);

  const onCase = {
    tells: ([{ verificationId }]: OnCase) => ({ targetId: verificationId }),
    looksUpClient: ([{ verificationId }]: OnCase) => clientOf(verificationId),
  };

  /** Nobody decides in somebody else's name, whatever a page says. */
  function asOneself(context: ReviewContext): ReviewContext {
    if (session === null) throw notAllowed();
    return { ...context, reviewerId: session.user.id };
  }

  return {
    queue: guard(look('review.queue'), async (...[query]: Parameters<ReadCases['queue']>) => review.queue(query)),

    open: guard(
      { action: 'review.open', tells: ([targetId]) => ({ targetId }), looksUpClient: ([id]) => clientOf(id) },
      async (verificationId: string) => review.open(verificationId),
    ),
    readFile: guard(
      {
        action: 'review.read_file',
        tells: ([targetId, fileId]) => ({ targetId, detail: { fileId: toldId(fileId) } }),
        looksUpClient: ([id]) => clientOf(id),
      },
      async (verificationId: string, fileId: string) => review.readFile(verificationId, fileId),
    ),

    claim: guard({ action: 'review.claim', ...onCase }, async (context) => review.claim(asOneself(context))),
    release: guard({ action: 'review.release', ...onCase }, async (context) => review.release(asOneself(context))),
    note: guard({ action: 'review.note', ...onCase }, async (context: ReviewContext, text: string) =>
      review.note(asOneself(context), text),
    ),
    approve: guard({ action: 'review.approve', ...onCase }, async (context) => review.approve(asOneself(context))),
    reject: guard(
      {
        action: 'review.reject',
        ...onCase,
        tells: ([{ verificationId }, { reasonCodes }]) => ({
          targetId: verificationId,
          detail: { reasonCodes: toldWords(REASON_CODES, reasonCodes) },
        }),
      },
      async (...[context, rejection]: Parameters<ReviewVerification['reject']>) =>
        review.reject(asOneself(context), rejection),
    ),
    askForAction: guard(
      {
        action: 'review.ask_for_action',
        ...onCase,
        tells: ([{ verificationId }, { items }]) => ({
          targetId: verificationId,
          detail: {
            reasonCodes: toldWords(
              REASON_CODES,
              items.map(({ reasonCode }) => reasonCode),
            ),
          },
        }),
      },
      async (...[context, request]: Parameters<ReviewVerification['askForAction']>) =>
        review.askForAction(asOneself(context), request),
    ),
  };
}

/** Called with a context, and perhaps more. */
type OnCase = readonly [ReviewContext, ...unknown[]];
