import {
  type ActionItem,
  type Decision,
  type ReasonCode,
  type SystemReason,
  systemReasonOf,
} from '@countersign/domain';
import type { FC } from 'hono/jsx';
import { Badge, STATES } from '../parts/badge.tsx';
import type { Page } from '../site/page.ts';

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

/** The decision and its reasons, or how the verification ended without one. `endedBy` says that also once its reasons are erased. */
export const DecisionInWords: FC<{ decision: Decision; endedBy?: SystemReason | null; page: Page }> = (props) => {
  const { decision, endedBy, page } = props;
  const { t } = page;
  const { outcome, reasonCodes, message } = decision;
  const ended = endedBy ?? systemReasonOf(decision);
  return (
    <section aria-labelledby="outcome-title">
      <h2 id="outcome-title">{t('wording:case.outcome')}</h2>
      <p>
        {ended === undefined ? (
          <Badge
            tone={STATES[`verification.${outcome}`].tone}
            icon={STATES[`verification.${outcome}`].icon}
            page={page}
          >
            {t(outcome === 'approved' ? 'wording:case.outcomeApproved' : 'wording:case.outcomeRejected')}
          </Badge>
        ) : (
          t(`wording:case.ended.${ended}`)
        )}
      </p>
      {reasonCodes.length === 0 || ended !== undefined ? null : <Reasons codes={reasonCodes} page={page} />}
      <Message label={t('wording:case.message')} text={message} />
    </section>
  );
};

/** Reasons of a decision, in words. */
export const Reasons: FC<{ codes: readonly ReasonCode[]; page: Page }> = ({ codes, page: { t } }) => (
  <ul>
    {codes.map((code) => (
      <li>{t(`wording:reason.${code}`)}</li>
    ))}
  </ul>
);

/** The steps to redo, each with its reason and note. */
export const AskedItems: FC<{ items: readonly ActionItem[]; page: Page }> = ({ items, page: { t } }) => (
  <ul>
    {items.map(({ step, reasonCode, note }) => (
      <li>
        <strong>{t(`wording:step.${step}`)}</strong>: {t(`wording:reason.${reasonCode}`)}
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
