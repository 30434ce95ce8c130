import { fieldsToRedo, isWithin, stepOf, stepsOf } from '@countersign/domain/flows';
import type { FC } from 'hono/jsx';
import { type FormState, formState } from '../forms/form-state.ts';
import { Icon } from '../parts/icon.tsx';
import { Moment } from '../parts/page-parts.tsx';
import { reasonForSubject } from '../parts/reason-words.ts';
import type { MessageKey } from '../site/messages.ts';
import { answerRows } from '../staff/answer-rows.ts';
import { askedLabel, Message, Reasons } from '../staff/reasons.tsx';
import { ASK_FORM } from './ask-box.tsx';
import { AskFields, InternalNote, RejectFields, WarningChecks } from './decision-fields.tsx';
import { EventLine, endingOf } from './history.tsx';
import { Key } from './keys-page.tsx';
import { actionPath } from './paths.ts';
import { caseName, isHeldByOther, mayDo, type ReviewView } from './review-view.ts';
import { TemplateField } from './templates.tsx';
import { DECISIONS, type DecisionAction, FIELD, itemsOf, readTyped } from './typed.ts';
import { warningChecks } from './warnings.tsx';

interface Look {
  /** Single-key shortcut. */
  readonly key: string;
  /** Class of the button that opens the form, and of the one that sends it. */
  readonly button?: 'secondary' | 'danger' | 'quiet';
}

type FormAction = DecisionAction | 'note';

const LOOKS: Readonly<Record<FormAction, Look>> = {
  approve: { key: 'a' },
  ask: { key: 'c', button: 'secondary' },
  reject: { key: 'x', button: 'danger' },
  note: { key: 'n', button: 'quiet' },
};

const YES: Readonly<Record<DecisionAction, MessageKey>> = {
  approve: 'review:confirm.yesApprove',
  reject: 'review:confirm.yesReject',
  ask: 'review:confirm.yesAsk',
};

/**
 * The foot of a case: a form for each decision that this reviewer may take now, and one for a note. One form is open at a time. Without a script, each is an ordinary form.
 */
export const DecisionForms: FC<{ view: ReviewView }> = ({ view }) => {
  const { t } = view.page;
  const actions: readonly FormAction[] = [...DECISIONS, 'note' as const].filter((action) => mayDo(action, view));
  return (
    <section id="decision" class="decision not-printed" aria-labelledby="decision-title" tabindex={-1}>
      <h2 id="decision-title" class="visually-hidden">
        {t('review:case.decision')}
      </h2>
      {actions.some((action) => action !== 'note') ? null : <WhyNot view={view} />}
      <div class="acts">
        {actions.map((action) => (
          <ActionForm view={view} action={action} />
        ))}
      </div>
    </section>
  );
};

/** Says why there is nothing to decide: who decided and when, or who works on the case. */
const WhyNot: FC<{ view: ReviewView }> = ({ view }) => {
  const { reviewed, names, page } = view;
  const { verification } = reviewed;
  const ending = endingOf(reviewed.events);
  if (ending !== undefined) {
    return (
      <p>
        <EventLine event={ending} names={names} page={page} />, <Moment at={ending.at} page={page} />
      </p>
    );
  }
  return (
    <p class="quiet">
      {verification.status === 'submitted' && isHeldByOther(view)
        ? page.t('review:case.heldByOther', { name: names.of(verification.claim?.reviewerId ?? null) })
        : page.t('review:case.notDecidable')}
    </p>
  );
};

const ActionForm: FC<{ view: ReviewView; action: FormAction }> = ({ view, action }) => {
  const { page, reviewed, unsent, query } = view;
  const { t, href } = page;
  const { id, version } = reviewed.verification;
  const own = unsent?.action === action ? unsent : null;
  const { key, button } = LOOKS[action];
  const form = formState(t, own?.values, own?.problems);
  const toConfirm = own?.toConfirm ?? false;
  // An approval has nothing to fill in but what is checked: its only button confirms it.
  const isTwoSteps = action === 'reject' || action === 'ask';
  return (
    <details id={`act-${action}`} class={`act act-${action}`} name="decision" open={own !== null} data-key={key}>
      <summary class={button === undefined ? 'button' : `button ${button}`}>
        <span class="to-open">
          {t(`review:act.${action}`)} <Key name={key} />
        </span>
        <span class="to-close">
          <Icon page={page} name="chevron-left" /> {t('review:confirm.close')} <Key name="Esc" />
        </span>
      </summary>
      <h3>{titleOf(view, action)}</h3>
      <form
        method="post"
        action={href(actionPath(id, action)) + query}
        id={action === 'ask' ? ASK_FORM : undefined}
        novalidate={action !== 'approve'}
      >
        <input type="hidden" name={FIELD.version} value={String(version)} />
        <div data-fields hidden={toConfirm}>
          <Fields view={view} action={action} form={form} />
          {isTwoSteps ? (
            <button type="submit">
              {t('review:act.continue')} <Key name="Enter" />
            </button>
          ) : null}
          {action === 'note' ? <button type="submit">{t('review:act.saveNote')}</button> : null}
        </div>
        {action === 'approve' ? <Confirm action={action} view={view} /> : null}
        {isTwoSteps ? (
          <div data-confirm hidden={!toConfirm}>
            <Audience view={view} action={action} values={toConfirm ? (own?.values ?? null) : null} />
            <Confirm action={action} view={view} goesBack />
          </div>
        ) : null}
      </form>
    </details>
  );
};

function titleOf(view: ReviewView, action: FormAction): string {
  const { page, reviewed } = view;
  return action === 'note'
    ? page.t('review:act.note')
    : page.t(`review:confirm.${action}`, { name: caseName(reviewed, page) });
}

interface FieldsProps {
  readonly view: ReviewView;
  readonly action: FormAction;
  readonly form: FormState;
}

const Fields: FC<FieldsProps> = ({ view, action, form }) => {
  const { page } = view;
  const note = <InternalNote form={form} action={action} page={page} />;
  switch (action) {
    case 'approve':
      return (
        <>
          <WarningChecks form={form} checks={warningChecks(view)} page={page} />
          <Folded view={view} form={form} action={action} />
        </>
      );
    case 'reject':
      return (
        <>
          <RejectFields form={form} page={page}>
            <TemplateField use={action} source={view.reviewed} form={form} page={page} />
          </RejectFields>
          {note}
        </>
      );
    case 'ask':
      return (
        <>
          <AskFields form={form} page={page} steps={stepsToAsk(view)}>
            <TemplateField use={action} source={view.reviewed} form={form} page={page} />
          </AskFields>
          {note}
        </>
      );
    default:
      return note;
  }
};

/** The internal note of an approval, folded until it is wanted. */
const Folded: FC<FieldsProps> = ({ view: { page }, action, form }) => {
  const name = FIELD.internalNote(action);
  return (
    <details open={form.values.text(name) !== '' || form.errors.has(name)}>
      <summary>{page.t('review:act.addNote')}</summary>
      <InternalNote form={form} action={action} page={page} />
    </details>
  );
};

/** Lists the steps that may be asked for, each with the fields that no row shows. */
function stepsToAsk({ page, reviewed }: ReviewView) {
  const { verification, asks } = reviewed;
  const { flow, steps } = verification;
  return stepsOf(flow).map((step) => {
    const rows = answerRows(stepOf(flow, step)?.fields ?? {}, steps[step]?.answers ?? {}, page);
    const fields = fieldsToRedo(verification, step, asks).filter(
      ({ path }) => !rows.some((row) => isWithin(row.path, path)),
    );
    return { step, fields };
  });
}

/** The button that sends the decision, and one that goes back to the fields. */
const Confirm: FC<{ view: ReviewView; action: DecisionAction; goesBack?: boolean }> = (props) => {
  const { view, action, goesBack = false } = props;
  const { t } = view.page;
  return (
    <>
      <p class="hint">{t(`review:act.${action}Hint`)}</p>
      <div class="buttons">
        <button
          type="submit"
          name={FIELD.confirmed}
          value="yes"
          class={action === 'reject' ? 'danger' : undefined}
          data-yes
        >
          {t(YES[action])} <Key name="Enter" />
        </button>
        {goesBack ? (
          <button type="submit" name={FIELD.confirmed} value="no" class="secondary" data-no>
            {t('review:confirm.back')}
          </button>
        ) : null}
      </div>
    </>
  );
};

/** Shows what the subject and the client will read. Subjects never see a reason for a rejection. A script fills it in too. */
const Audience: FC<{
  view: ReviewView;
  action: 'reject' | 'ask';
  values: NonNullable<ReviewView['unsent']>['values'] | null;
}> = ({ view: { page, reviewed }, action, values }) => {
  const { t } = page;
  const typed = values === null ? null : readTyped(values, action);
  return (
    <>
      <h4>{t('review:confirm.subjectSees')}</h4>
      {action === 'reject' ? (
        <>
          <p>{t('review:confirm.subjectSeesRejected')}</p>
          <h4>{t('review:confirm.clientSees')}</h4>
        </>
      ) : null}
      <div class="preview" data-preview>
        {typed === null ? null : action === 'reject' ? (
          <Reasons codes={typed.reasonCodes} page={page} />
        ) : (
          <ul>
            {itemsOf(typed, reviewed.verification.flow).map(({ reasonCode, note, ...asked }) => (
              <li>
                {`${askedLabel(asked, t)}: ${reasonForSubject(reasonCode, t)}`}
                {note === null ? null : (
                  <p class="as-typed">
                    <bdi>{note}</bdi>
                  </p>
                )}
              </li>
            ))}
          </ul>
        )}
        {typed === null ? null : <Message label={t('wording:case.message')} text={typed.message} />}
      </div>
    </>
  );
};
