import { stepsOf } from '@countersign/domain';
import type { FC } from 'hono/jsx';
import { formState } from '../forms/form-state.ts';
import { AskFields, InternalNote, RejectFields } from './decision-fields.tsx';
import { actPath } from './paths.ts';
import { isHeldByOther, mayDo, type ReviewView } from './review-view.ts';
import { DECISIONS, FIELD } from './typed.ts';

/** Keys that lead to the forms. */
const KEYS = { approve: 'a', reject: 'x', ask: 'c', note: 'n' } as const;
type FormAct = keyof typeof KEYS;

/** The forms of all that this reviewer may do to the verification as it is now. */
export const DecisionForms: FC<{ view: ReviewView }> = ({ view }) => {
  const { t } = view.page;
  const decisions = DECISIONS.filter((act) => mayDo(act, view));
  return (
    <section id="decision" class="decision" aria-labelledby="decision-title" tabindex={-1}>
      <h2 id="decision-title">{t('review:case.decision')}</h2>
      {decisions.length === 0 ? <p class="quiet">{whyNot(view)}</p> : null}
      {decisions.map((act) => (
        <ActForm view={view} act={act} />
      ))}
      {mayDo('note', view) ? <ActForm view={view} act="note" /> : null}
    </section>
  );
};

function whyNot(view: ReviewView): string {
  const { reviewed, names, page } = view;
  const { verification } = reviewed;
  if (verification.status !== 'submitted' || !isHeldByOther(view)) return page.t('review:case.notDecidable');
  return page.t('review:case.heldByOther', { name: names.of(verification.claim?.reviewerId ?? null) });
}

const ActForm: FC<{ view: ReviewView; act: FormAct }> = ({ view, act }) => {
  const { page, reviewed, unsent } = view;
  const { t, href } = page;
  const { id, flow, version } = reviewed.verification;
  const own = unsent?.act === act ? unsent : null;
  const form = formState(t, own?.values, own?.problems);
  return (
    <details id={`act-${act}`} class={`act act-${act}`} open={own !== null} data-key={KEYS[act]}>
      <summary>{t(`review:act.${act}`)}</summary>
      <p class="quiet">{t(`review:act.${act}Hint`)}</p>
      <form method="post" action={href(actPath(id, act))} novalidate>
        <input type="hidden" name={FIELD.version} value={String(version)} />
        {act === 'reject' ? <RejectFields form={form} page={page} /> : null}
        {act === 'ask' ? <AskFields form={form} page={page} steps={stepsOf(flow)} /> : null}
        <InternalNote form={form} act={act} page={page} />
        <button type="submit" class={act === 'note' ? 'secondary' : undefined}>
          {t(act === 'note' ? 'review:act.saveNote' : 'review:act.continue')}
        </button>
      </form>
    </details>
  );
};
