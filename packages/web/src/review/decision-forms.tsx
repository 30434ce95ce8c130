import { fieldsToRedo, stepsOf } from '@countersign/domain/flows';
import type { FC } from 'hono/jsx';
import { formState } from '../forms/form-state.ts';
import { Icon, type IconName } from '../parts/icon.tsx';
import { ClaimButton, ClaimInWords } from './claim.tsx';
import { AskFields, InternalNote, RejectFields } from './decision-fields.tsx';
import { actionPath } from './paths.ts';
import { isHeldByOther, mayDo, type ReviewView } from './review-view.ts';
import { DECISIONS, type DecisionAction, FIELD } from './typed.ts';

interface Look {
  /** Single-key shortcut. */
  readonly key: string;
  readonly icon: IconName;
  /** Class of the button that opens the form, and of the one that sends it. */
  readonly button?: 'secondary' | 'danger';
}

type FormAction = DecisionAction | 'note';

const LOOKS: Readonly<Record<FormAction, Look>> = {
  approve: { key: 'a', icon: 'check' },
  reject: { key: 'x', icon: 'x', button: 'danger' },
  ask: { key: 'c', icon: 'undo-2', button: 'secondary' },
  note: { key: 'n', icon: 'file-text', button: 'secondary' },
};

/** Draws the claim, a form for each decision that this reviewer may take now, and one for a note. */
export const DecisionForms: FC<{ view: ReviewView }> = ({ view }) => {
  const { t } = view.page;
  const isSubmitted = view.reviewed.verification.status === 'submitted';
  const decisions = DECISIONS.filter((action) => mayDo(action, view));
  return (
    <section id="decision" class="card decision not-printed" aria-labelledby="decision-title" tabindex={-1}>
      <div class="card-head">
        <h2 id="decision-title">{t('review:case.decision')}</h2>
        {isSubmitted ? <ClaimButton view={view} /> : null}
      </div>
      {isSubmitted ? <ClaimInWords view={view} /> : null}
      {decisions.length === 0 ? <p class="quiet">{whyNot(view)}</p> : null}
      <div class="acts">
        {decisions.map((action) => (
          <ActionForm view={view} action={action} />
        ))}
        {mayDo('note', view) ? <ActionForm view={view} action="note" /> : null}
      </div>
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
  const { verification } = reviewed;
  const { id, flow, version } = verification;
  const steps = stepsOf(flow).map((step) => ({ step, fields: fieldsToRedo(verification, step, reviewed.asks) }));
  const own = unsent?.action === action ? unsent : null;
  const { key, icon, button } = LOOKS[action];
  const form = formState(t, own?.values, own?.problems);
  return (
    <details id={`act-${action}`} class={`act act-${action}`} open={own !== null} data-key={key}>
      <summary class={button === undefined ? 'button' : `button ${button}`}>
        <Icon page={page} name={icon} />
        {t(`review:act.${action}`)}
      </summary>
      <p class="quiet">{t(`review:act.${action}Hint`)}</p>
      <form method="post" action={href(actionPath(id, action))} novalidate>
        <input type="hidden" name={FIELD.version} value={String(version)} />
        {action === 'reject' ? <RejectFields form={form} page={page} /> : null}
        {action === 'ask' ? <AskFields form={form} page={page} steps={steps} /> : null}
        <InternalNote form={form} action={action} page={page} />
        <button type="submit" class={action === 'ask' ? undefined : button}>
          {t(action === 'note' ? 'review:act.saveNote' : 'review:act.continue')}
        </button>
      </form>
    </details>
  );
};
