import { type ReviewWarning, SEVERITIES, STATUSES } from '@countersign/domain';
import { currentFlow } from '@countersign/domain/flows';
import type { FC } from 'hono/jsx';
import { Section } from '../parts/page-parts.tsx';
import { CaseBar } from '../review/case-bar.tsx';
import { ClaimBadge } from '../review/claim.tsx';
import { WarningsBadge } from '../review/queue-cells.tsx';
import type { CaseHead } from '../review/review-view.ts';
import { WarningMark } from '../review/warnings.tsx';
import type { Page } from '../site/page.ts';
import { HARD, ID, minutesBefore, NOW } from './values.ts';

const REVIEWER = 'reviewer';
const CODES = ['under_age', 'document_expired', 'name_mismatch', 'registration_number_does_not_fit'] as const;

/** The line above a case with everything it can say, and whose case it can be. */
export const CaseParts: FC<{ page: Page }> = ({ page }) => (
  <>
    <CaseBar view={viewOf(page, 'colleague')} />
    <div class="case-notices">
      <Section id="claims" title="Claims">
        <ul class="buttons">
          {[null, REVIEWER, 'colleague'].map((claimedBy) => (
            <li>
              <ClaimBadge view={viewOf(page, claimedBy)} />
            </li>
          ))}
        </ul>
      </Section>
      <Section id="warnings" title="Warnings">
        <ul class="buttons">
          {SEVERITIES.map((severity) => (
            <li>
              <WarningsBadge severity={severity} count={1_203} page={page} />
            </li>
          ))}
        </ul>
        <WarningMark view={viewOf(page, null)} warning={FRAUD} />
        <WarningMark view={viewOf(page, null)} warning={{ ...FRAUD, code: 'earlier_verification' }} />
      </Section>
    </div>
  </>
);

/** A warning that compares the case with one more than every status is listed of. */
const FRAUD: ReviewWarning = {
  code: 'rejected_for_fraud',
  step: 'person',
  path: '',
  others: [...STATUSES, ...STATUSES].map((status) => ({ verificationId: ID, status })),
};

/** A case of a client with the widest name, claimed by a colleague whose name is written from right to left. */
function viewOf(page: Page, claimedBy: string | null): CaseHead {
  return {
    page,
    query: '',
    progress: { done: 1_203, total: 11_409 },
    now: NOW,
    reviewer: { id: REVIEWER },
    names: { of: () => HARD.rightToLeft },
    reviewed: {
      clientName: HARD.clientName,
      endedBy: null,
      retention: { isHidden: false },
      warnings: CODES.map((code) => ({ code, step: 'person', path: '' })),
      verification: {
        id: ID,
        version: 1,
        type: 'kyc',
        flow: currentFlow('kyc'),
        steps: {},
        subjectReference: HARD.reference,
        status: 'submitted',
        submittedAt: minutesBefore(9_000),
        claim: claimedBy === null ? null : { reviewerId: claimedBy, claimedAt: minutesBefore(90) },
      },
    },
  };
}
