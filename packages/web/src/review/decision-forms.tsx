import { stepsOf } from '@countersign/domain/flows';
import type { FC } from 'hono/jsx';
import { formState } from '../forms/form-state.ts';
import { AskFields, InternalNote, RejectFields } from './decision-fields.tsx';
import { actionPath } from './paths.ts';
import { isHeldByOther, mayDo, type ReviewView } from './review-view.ts';
import { DECISIONS, FIELD } from './typed.ts';

/** Single-key shortcuts of the forms. */
const KEYS = { approve: 'a', reject: 'x', ask: 'c', note: 'n' } as const;
type FormAction = keyof typeof KEYS;

/** Draws a form for each decision that this reviewer may take now, and one for a note. */
export const DecisionForms: FC<{ view: ReviewView }> = ({ view }) => {
  const { t } = view.page;
  const decisions = DECISIONS.filter((action) => mayDo(action, view));
  return (
    <section id="decision" class="decision" aria-labelledby="decision-title" tabindex={-1}>
      <h2 id="decision-title">{t('review:case.decision')}</h2>
      {decisions.length === 0 ? <p class="quiet">{whyNot(view)}</p> : null}
      {decisions.map((action) => (
        <ActionForm view={view} action={action} />
      ))}
      {mayDo('note', view) ? <ActionForm view={view} action="note" /> : null}
    </section>
  );
};

function whyNot(view: ReviewView): string {
  const { reviewed, names, page } = view;
  const { verification } = reviewed;
  if (verification.status !== 'submitted' || !isHeldByOther(view)) return page.t('review:case.notDecidable');
  return page.t('review:case.heldByOther', { name: names.of(verification.claim?.reviewerId ?? null) });
}

const ActionForm: FC<{ view: ReviewView; action: FormAction }> = ({ view, action }) => {
  const { page, reviewed, unsent } = view;
  const { t, href } = page;
  const { id, flow, version } = reviewed.verification;
  const own = unsent?.action === action ? unsent : null;
  const form = formState(t, own?.values, own?.problems);
  return (
    <details id={`act-${action}`} class={`act act-${action}`} open={own !== null} data-key={KEYS[action]}>
      <summary>{t(`review:act.${action}`)}</summary>
      <p class="quiet">{t(`review:act.${action}Hint`)}</p>
      <form method="post" action={href(actionPath(id, action))} novalidate>
        <input type="hidden" name={FIELD.version} value={String(version)} />
        {action === 'reject' ? <RejectFields form={form} page={page} /> : null}
        {action === 'ask' ? <AskFields form={form} page={page} steps={stepsOf(flow)} /> : null}
        <InternalNote form={form} action={action} page={page} />
        <button type="submit" class={action === 'note' ? 'secondary' : undefined}>
          {t(action === 'note' ? 'review:act.saveNote' : 'review:act.continue')}
        </button>
      </form>
    </details>
  );
};
