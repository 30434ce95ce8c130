import type { ActionItem, ReviewSummary } from '@countersign/domain';
import type { Context } from 'hono';
import type { FC } from 'hono/jsx';
import type { FormValues } from '../forms/form-values.ts';
import { Notice } from '../parts/blocks.tsx';
import type { Page } from '../site/page.ts';
import { answerStaffPage, type StaffEnv } from '../staff/area.tsx';
import { AskedItems, Message, Reasons } from '../staff/reasons.tsx';
import { actionPath } from './paths.ts';
import { type DecisionAction, FIELD, itemsOf, readTyped, type Typed } from './typed.ts';

const YES = {
  approve: 'review:confirm.yesApprove',
  reject: 'review:confirm.yesReject',
  ask: 'review:confirm.yesAsk',
} as const;

/** Asks the reviewer to confirm a decision: shows its content and its readers, without submitted data. */
export function answerConfirmPage(
  context: Context<StaffEnv>,
  summary: ReviewSummary,
  { action, values }: { readonly action: DecisionAction; readonly values: FormValues },
): Response | Promise<Response> {
  const page = context.get('page');
  const { t, href } = page;
  const { id, type, subjectReference, clientName, flow, version } = summary;
  const typed = readTyped(values, action);
  const title = t(`review:confirm.${action}`);
  return answerStaffPage(
    context,
    { title },
    <div class="narrow-form">
      <h1>{title}</h1>
      <p>
        <strong class="as-typed">
          <bdi>{subjectReference}</bdi>
        </strong>
        , <bdi>{clientName}</bdi>, {t(`wording:type.${type}`)}
      </p>
      {action === 'ask' ? null : <Notice tone="warn">{t('review:confirm.final')}</Notice>}
      <Audience page={page} action={action} typed={typed} items={itemsOf(typed, flow)} />
      <form method="post" action={href(actionPath(id, action))} class="buttons">
        <input type="hidden" name={FIELD.version} value={String(version)} />
        {values.names
          .filter((name) => name.startsWith(`${action}.`))
          .flatMap((name) => values.all(name).map((value) => <input type="hidden" name={name} value={value} />))}
        <button
          type="submit"
          name={FIELD.confirmed}
          value="yes"
          class={action === 'reject' ? 'danger' : undefined}
        >
          {t(YES[action])}
        </button>
        <button type="submit" name={FIELD.confirmed} value="no" class="secondary">
          {t('review:confirm.back')}
        </button>
      </form>
    </div>,
  );
}

/** Shows what the subject, the client and reviewers will see. Subjects never see a reason for a rejection. */
const Audience: FC<{
  page: Page;
  action: DecisionAction;
  typed: Typed;
  items: readonly ActionItem[];
}> = ({ page, action, typed, items }) => {
  const { t } = page;
  const message = <Message label={t('wording:case.message')} text={typed.message} />;
  return (
    <>
      <h2>{t('review:confirm.subjectSees')}</h2>
      {action === 'approve' ? <p>{t('review:confirm.subjectSeesApproved')}</p> : null}
      {action === 'reject' ? (
        <>
          <p>{t('review:confirm.subjectSeesRejected')}</p>
          <h2>{t('review:confirm.clientSees')}</h2>
          <Reasons codes={typed.reasonCodes} page={page} />
          {message}
        </>
      ) : null}
      {action === 'ask' ? (
        <>
          <AskedItems items={items} page={page} />
          {message}
        </>
      ) : null}
      <h2>{t('review:confirm.hidden')}</h2>
      {typed.internalNote === '' ? (
        <p class="quiet">{t('review:confirm.noInternalNote')}</p>
      ) : (
        <Message label={t('review:act.internalNote')} text={typed.internalNote} />
      )}
    </>
  );
};
