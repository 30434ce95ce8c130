import type { FC } from 'hono/jsx';
import { DecisionInWords, RequestInWords } from '../staff/reasons.tsx';
import type { CaseView } from './case-view.ts';

/** How the case ended, or what the subject was last asked for. */
export const Outcome: FC<{ view: CaseView }> = ({ view: { page, reviewCase } }) => {
  const { verification } = reviewCase;
  switch (verification.status) {
    case 'action_needed':
      return <RequestInWords request={verification.request} page={page} />;
    case 'approved':
    case 'rejected':
      return <DecisionInWords decision={verification.decision} page={page} />;
    default:
      return null;
  }
};
