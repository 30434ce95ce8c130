import type { ActionItem, ReasonCode } from '@countersign/domain';
import type { FC } from 'hono/jsx';
import type { Page } from '../site/page.ts';
import type { CaseView } from './case-view.ts';

/** How the case ended, or what the subject was last asked for. */
export const Outcome: FC<{ view: CaseView }> = ({ view: { page, reviewCase } }) => {
  const { t } = page;
  const { verification } = reviewCase;
  if (verification.status === 'action_needed') {
    const { items, message } = verification.request;
    return (
      <section aria-labelledby="outcome-title">
        <h2 id="outcome-title">{t('review:case.request')}</h2>
        <AskedItems items={items} page={page} />
        <Message label={t('review:case.requestMessage')} text={message} />
      </section>
    );
  }
  if (verification.status !== 'approved' && verification.status !== 'rejected') return null;
  const { outcome, reasonCodes, message } = verification.decision;
  return (
    <section aria-labelledby="outcome-title">
      <h2 id="outcome-title">{t('review:case.outcome')}</h2>
      <p>
        <span class={`badge status-${outcome}`}>
          {t(outcome === 'approved' ? 'review:case.outcomeApproved' : 'review:case.outcomeRejected')}
        </span>
      </p>
      {reasonCodes.length === 0 ? null : <Reasons codes={reasonCodes} page={page} />}
      <Message label={t('review:case.message')} text={message} />
    </section>
  );
};

export const Reasons: FC<{ codes: readonly ReasonCode[]; page: Page }> = ({ codes, page: { t } }) => (
  <ul>
    {codes.map((code) => (
      <li>{t(`review:reason.${code}`)}</li>
    ))}
  </ul>
);

/** Steps that are asked for again, each with its reason and note. */
export const AskedItems: FC<{ items: readonly ActionItem[]; page: Page }> = ({ items, page: { t } }) => (
  <ul>
    {items.map(({ step, reasonCode, note }) => (
      <li>
        <strong>{t(`review:step.${step}`)}</strong>: {t(`review:reason.${reasonCode}`)}
        {note ? <p class="as-typed">{note}</p> : null}
      </li>
    ))}
  </ul>
);

export const Message: FC<{ label: string; text: string | null | undefined }> = ({ label, text }) =>
  text ? (
    <>
      <h3>{label}</h3>
      <p class="as-typed">{text}</p>
    </>
  ) : null;
