import type { ActionItem, ReasonCode, StepKey, Verification } from '@countersign/domain';
import type { FC } from 'hono/jsx';
import type { Page } from '../site/page.ts';

/** Why a step is asked for again, on the pages of that step. */
export const RequestedItems: FC<{ page: Page; verification: Verification; step: StepKey }> = (props) => {
  const { page, verification, step } = props;
  if (verification.status !== 'action_needed') return null;
  const items = verification.request.items.filter((item) => item.step === step);
  return items.length === 0 ? null : (
    <div class="notice">
      {items.map((item) => (
        <Reason page={page} item={item} />
      ))}
    </div>
  );
};

/** A reason in words, and what the reviewer wrote. */
export const Reason: FC<{ page: Page; item: ActionItem }> = ({ page, item }) => (
  <div class="reason">
    <p>{page.t(`verify:reasons.${told(item.reasonCode)}`)}</p>
    {item.note === null ? null : (
      <blockquote>
        <p class="user-text">{item.note}</p>
        <footer>{page.t('verify:noteBy')}</footer>
      </blockquote>
    )}
  </div>
);

/** A suspicion is never told, whatever is stored; and what the service gives by itself asks for nothing. */
function told(code: ReasonCode): Exclude<ReasonCode, 'suspected_fraud' | 'withdrawn'> {
  return code === 'suspected_fraud' || code === 'withdrawn' ? 'other' : code;
}
