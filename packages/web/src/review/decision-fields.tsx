import { ACTION_REASONS, REJECTION_REASONS } from '@countersign/domain';
import type { PlacedField, StepKey } from '@countersign/domain/flows';
import type { FC } from 'hono/jsx';
import { CheckboxesField, SelectField } from '../forms/choice-fields.tsx';
import { FieldGroup } from '../forms/field-parts.tsx';
import { type FormState, fieldId } from '../forms/form-state.ts';
import { TextArea } from '../forms/text-fields.tsx';
import type { Page } from '../site/page.ts';
import { answerLabel } from '../staff/answer-rows.ts';
import { FIELD, type ReviewAction } from './typed.ts';

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

export const RejectFields: FC<FieldsProps> = ({ form, page: { t } }) => (
  <>
    <CheckboxesField
      form={form}
      name={FIELD.reasons}
      label={t('review:act.reasons')}
      choices={REJECTION_REASONS.map((value) => ({ value, label: t(`wording:reason.${value}`) }))}
    />
    <TextArea
      form={form}
      name={FIELD.message('reject')}
      label={t('review:act.rejectMessage')}
      hint={t('review:act.messageHint')}
      optional
      rows={3}
    />
  </>
);

/** A step that may be asked for, and the fields that may be asked for alone. */
interface StepChoice {
  readonly step: StepKey;
  readonly fields: readonly PlacedField[];
}

export const AskFields: FC<FieldsProps & { steps: readonly StepChoice[] }> = ({ form, page, steps }) => {
  const { t } = page;
  return (
    <>
      <FieldGroup form={form} name={FIELD.steps} label={t('review:act.steps')}>
        {steps.map((choice, index) => (
          <StepToAsk form={form} page={page} {...choice} isFirst={index === 0} />
        ))}
      </FieldGroup>
      <TextArea
        form={form}
        name={FIELD.message('ask')}
        label={t('review:act.message')}
        hint={t('review:act.askMessageHint')}
        optional
        rows={3}
      />
    </>
  );
};

const StepToAsk: FC<FieldsProps & StepChoice & { isFirst: boolean }> = ({
  form,
  page: { t },
  step,
  fields,
  isFirst,
}) => {
  const reasons = ACTION_REASONS.map((code) => ({ value: code, label: t(`wording:reason.${code}`) }));
  const name = t(`wording:step.${step}`);
  return (
    <fieldset class="step-to-ask">
      <legend class="visually-hidden">{name}</legend>
      <Box
        form={form}
        name={FIELD.steps}
        value={step}
        isFirst={isFirst}
        label={t('review:act.again', { step: name })}
      />
      {fields.length === 0 ? null : (
        <CheckboxesField
          form={form}
          name={FIELD.fieldsOf(step)}
          label={t('review:act.onlyFields')}
          hint={t('review:act.onlyFieldsHint')}
          optional
          choices={fields.map(({ path }) => ({ value: path, label: answerLabel(path, t) }))}
        />
      )}
      <SelectField
        form={form}
        name={FIELD.reasonOf(step)}
        label={t('review:act.reason')}
        choices={reasons}
        optional
      />
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

/** Draws one of several checkboxes. The first has the id to which the error summary links. */
const Box: FC<{
  form: FormState;
  name: string;
  value: string;
  label: string;
  isFirst: boolean;
}> = ({ form, name, value, label, isFirst }) => {
  const id = isFirst ? fieldId(name) : `${fieldId(name)}-${value}`;
  return (
    <div class="choice">
      <input
        type="checkbox"
        id={id}
        name={name}
        value={value}
        checked={form.values.all(name).includes(value) ? true : undefined}
      />
      <label for={id}>{label}</label>
    </div>
  );
};
