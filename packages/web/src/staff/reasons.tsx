import {
  type ActionItem,
  type Decision,
  type ReasonCode,
  type SystemReason,
  systemReasonOf,
} from '@countersign/domain';
import type { FC, PropsWithChildren } from 'hono/jsx';
import { Badge, STATES } from '../parts/badge.tsx';
import type { Translate } from '../site/messages.ts';
import type { Page } from '../site/page.ts';
import { answerLabel } from './answer-rows.ts';

/** The last request for action. */
export const RequestInWords: FC<{
  request: { readonly items: readonly ActionItem[]; readonly message: string | null };
  page: Page;
}> = ({ request: { items, message }, page }) => (
  <section aria-labelledby="outcome-title">
    <h2 id="outcome-title">{page.t('wording:case.request')}</h2>
    <AskedItems items={items} page={page} />
    <Message label={page.t('wording:case.requestMessage')} text={message} />
  </section>
);

interface DecisionProps {
  readonly decision: Decision;
  /** Also says how the verification ended without a decision after its reasons are erased. */
  readonly endedBy?: SystemReason | null;
  readonly page: Page;
}

/** The decision and its reasons, or how the verification ended without one. */
export const DecisionInWords: FC<DecisionProps> = (props) => {
  const { decision, page } = props;
  const { tone, icon } = STATES[`verification.${decision.outcome}`];
  return (
    <OutcomeSection page={page}>
      {endOf(props) === undefined ? (
        <p>
          <Badge tone={tone} icon={icon} page={page}>
            {page.t(
              decision.outcome === 'approved' ? 'wording:case.outcomeApproved' : 'wording:case.outcomeRejected',
            )}
          </Badge>
        </p>
      ) : null}
      <BesidesOutcome {...props} />
    </OutcomeSection>
  );
};

/** Shows what a decision says besides its outcome, for a page that shows the status already. Call `saysMoreThanOutcome` first. */
export const DecisionReasons: FC<DecisionProps> = (props) => (
  <OutcomeSection page={props.page}>
    <BesidesOutcome {...props} />
  </OutcomeSection>
);

/** Whether a decision says more than its outcome. */
export function saysMoreThanOutcome(props: Omit<DecisionProps, 'page'>): boolean {
  const { reasonCodes, message } = props.decision;
  return endOf(props) !== undefined || reasonCodes.length > 0 || Boolean(message);
}

function endOf({ decision, endedBy }: Omit<DecisionProps, 'page'>): SystemReason | undefined {
  return endedBy ?? systemReasonOf(decision);
}

const BesidesOutcome: FC<DecisionProps> = (props) => {
  const { decision, page } = props;
  const { reasonCodes, message } = decision;
  const ended = endOf(props);
  return (
    <>
      {ended === undefined ? null : <p>{page.t(`wording:case.ended.${ended}`)}</p>}
      {reasonCodes.length === 0 || ended !== undefined ? null : <Reasons codes={reasonCodes} page={page} />}
      <Message label={page.t('wording:case.message')} text={message} />
    </>
  );
};

const OutcomeSection: FC<PropsWithChildren<{ page: Page }>> = ({ page, children }) => (
  <section aria-labelledby="outcome-title">
    <h2 id="outcome-title">{page.t('wording:case.outcome')}</h2>
    {children}
  </section>
);

/** Reasons of a decision, in words. */
export const Reasons: FC<{ codes: readonly ReasonCode[]; page: Page }> = ({ codes, page: { t } }) => (
  <ul>
    {codes.map((code) => (
      <li>{t(`wording:reason.${code}`)}</li>
    ))}
  </ul>
);

/** Names a step or a field to redo. */
export function askedLabel({ step, field }: Pick<ActionItem, 'step' | 'field'>, t: Translate): string {
  const label = t(`wording:step.${step}`);
  return field === undefined ? label : `${label}, ${answerLabel(field, t)}`;
}

/** The steps and fields to redo, each with its reason and note. */
export const AskedItems: FC<{ items: readonly ActionItem[]; page: Page }> = ({ items, page: { t } }) => (
  <ul>
    {items.map(({ reasonCode, note, ...asked }) => (
      <li>
        <strong>{askedLabel(asked, t)}</strong>: {t(`wording:reason.${reasonCode}`)}
        {note ? (
          <p class="as-typed">
            <bdi>{note}</bdi>
          </p>
        ) : null}
      </li>
    ))}
  </ul>
);

/** A text below its label; nothing for an empty text. */
export const Message: FC<{ label: string; text: string | null | undefined }> = ({ label, text }) =>
  text ? (
    <>
      <h3>{label}</h3>
      <p class="as-typed">
        <bdi>{text}</bdi>
      </p>
    </>
  ) : null;
