import { ACTION_REASONS, REJECTION_REASONS } from '@countersign/domain';
import type { PlacedField, StepKey } from '@countersign/domain/flows';
import type { FC, PropsWithChildren } from 'hono/jsx';
import { CheckboxesField } from '../forms/choice-fields.tsx';
import { FieldFrame, FieldGroup, type FieldProps, fieldAria, HintAndError } from '../forms/field-parts.tsx';
import { type FormState, fieldId } from '../forms/form-state.ts';
import { TextArea } from '../forms/text-fields.tsx';
import { reasonForSubject } from '../parts/reason-words.ts';
import type { Page } from '../site/page.ts';
import { answerLabel } from '../staff/answer-rows.ts';
import { FIELD, type ReviewAction } from './typed.ts';
import type { WarningCheck } from './warnings.tsx';

interface FieldsProps {
  readonly form: FormState;
  readonly page: Page;
}

/** Draws the note for reviewers only. It looks different from texts that subjects and clients read. */
export const InternalNote: FC<FieldsProps & { action: ReviewAction }> = ({ form, action, page: { t } }) => (
  <div class="internal">
    <TextArea
      form={form}
      name={FIELD.internalNote(action)}
      label={t('review:act.internalNote')}
      hint={t('review:act.internalNoteHint')}
      optional={action !== 'note'}
      rows={2}
    />
  </div>
);

/** @param props.children the choice of a template for the message */
export const RejectFields: FC<PropsWithChildren<FieldsProps>> = ({ form, page: { t }, children }) => (
  <>
    <CheckboxesField
      form={form}
      name={FIELD.reasons}
      label={t('review:act.reasons')}
      choices={REJECTION_REASONS.map((value, index) => ({
        value,
        label: `${index + 1} · ${t(`wording:reason.${value}`)}`,
      }))}
    />
    {children}
    <TextArea
      form={form}
      name={FIELD.message('reject')}
      label={t('review:act.rejectMessage')}
      hint={t('review:act.messageHint')}
      optional
      rows={2}
    />
  </>
);

/** A step that may be asked for, and the fields that may be asked for alone but have no row of their own. */
interface StepChoice {
  readonly step: StepKey;
  readonly fields: readonly PlacedField[];
}

/** @param props.children the choice of a template for the message */
export const AskFields: FC<PropsWithChildren<FieldsProps & { steps: readonly StepChoice[] }>> = (props) => {
  const { form, page, steps, children } = props;
  const { t } = page;
  return (
    <>
      <FieldGroup form={form} name={FIELD.steps} label={t('review:act.steps')} hint={t('review:act.stepsHint')}>
        <div class="steps-to-ask">
          {steps.map((choice, index) => (
            <StepToAsk form={form} page={page} {...choice} isFirst={index === 0} />
          ))}
        </div>
      </FieldGroup>
      {children}
      <TextArea
        form={form}
        name={FIELD.message('ask')}
        label={t('review:act.message')}
        hint={t('review:act.askMessageHint')}
        optional
        rows={2}
      />
    </>
  );
};

/** Draws a step with its box, its reason and its note. A script shows these once the step, or a box beside its rows, is ticked. */
const StepToAsk: FC<FieldsProps & StepChoice & { isFirst: boolean }> = ({
  form,
  page: { t },
  step,
  fields,
  isFirst,
}) => {
  const name = t(`wording:step.${step}`);
  const isAsked = [FIELD.steps, FIELD.fieldsOf(step)].some((each) => form.values.all(each).length > 0);
  return (
    <fieldset class={isAsked ? 'step-to-ask is-asked' : 'step-to-ask'} data-step={step}>
      <legend class="visually-hidden">{name}</legend>
      <div class="choice">
        <input
          type="checkbox"
          id={isFirst ? fieldId(FIELD.steps) : `${fieldId(FIELD.steps)}-${step}`}
          name={FIELD.steps}
          value={step}
          checked={form.values.all(FIELD.steps).includes(step) ? true : undefined}
          data-step={step}
          data-about={name}
        />
        <label for={isFirst ? fieldId(FIELD.steps) : `${fieldId(FIELD.steps)}-${step}`}>
          {t('review:act.again', { step: name })}
        </label>
      </div>
      {fields.length === 0 ? null : (
        <CheckboxesField
          form={form}
          name={FIELD.fieldsOf(step)}
          label={t('review:act.onlyFields')}
          optional
          choices={fields.map(({ path }) => ({ value: path, label: answerLabel(path, t) }))}
        />
      )}
      <ReasonToAsk form={form} name={FIELD.reasonOf(step)} label={t('review:act.reason')} />
      <TextArea
        form={form}
        name={FIELD.noteOf(step)}
        label={t('review:act.stepNote')}
        hint={t('review:act.stepNoteHint')}
        optional
        rows={2}
      />
    </fieldset>
  );
};

/** Draws the reasons with their numbers, which are keys, and what the subject reads of each. */
const ReasonToAsk: FC<Pick<FieldProps, 'form' | 'name' | 'label'>> = (props) => {
  const { form, name } = props;
  const { t } = form;
  return (
    <FieldFrame {...props}>
      <select id={fieldId(name)} name={name} {...fieldAria({ ...props, optional: true })}>
        <option value="">{t('site:select')}</option>
        {ACTION_REASONS.map((code, index) => (
          <option
            value={code}
            selected={form.values.text(name) === code ? true : undefined}
            data-reads={reasonForSubject(code, t)}
          >
            {`${index + 1} · ${t(`wording:reason.${code}`)}`}
          </option>
        ))}
      </select>
    </FieldFrame>
  );
};

/** Draws what must be checked before an approval: one box for each warning. */
export const WarningChecks: FC<FieldsProps & { checks: readonly WarningCheck[] }> = ({ form, page, checks }) =>
  checks.length === 0 ? (
    <p class="quiet no-warnings">{page.t('review:warning.none')}</p>
  ) : (
    <fieldset class={form.errors.has(FIELD.checked) ? 'field has-error' : 'field'}>
      <legend>{page.t('review:check.title', { count: checks.length })}</legend>
      <HintAndError form={form} name={FIELD.checked} hint={undefined} />
      {checks.map(({ key, words }, index) => (
        <div class="choice">
          <input
            type="checkbox"
            id={index === 0 ? fieldId(FIELD.checked) : `${fieldId(FIELD.checked)}-${index}`}
            name={FIELD.checked}
            value={key}
            required
            checked={form.values.all(FIELD.checked).includes(key) ? true : undefined}
          />
          <label for={index === 0 ? fieldId(FIELD.checked) : `${fieldId(FIELD.checked)}-${index}`}>
            <bdi>{words}</bdi>
          </label>
        </div>
      ))}
    </fieldset>
  );
