import type { Child, FC } from 'hono/jsx';
import { FieldFrame, FieldGroup, type FieldProps, fieldAria, HintAndError } from './field-parts.tsx';
import { fieldId } from './form-state.ts';

export interface Choice {
  readonly value: string;
  readonly label: string;
  readonly hint?: Child;
  /** Stands above the label. */
  readonly drawing?: Child;
}

/** Draws a choice of one in a drop-down list. */
export const SelectField: FC<FieldProps & { choices: readonly Choice[]; autocomplete?: string }> = (props) => {
  const { form, name, label, hint, optional, choices, autocomplete } = props;
  const chosen = form.values.text(name);
  return (
    <FieldFrame form={form} name={name} label={label} hint={hint} optional={optional}>
      <select id={fieldId(name)} name={name} autocomplete={autocomplete} {...fieldAria(props)}>
        <option value="">{form.t('site:select')}</option>
        {choices.map(({ value, label: text }) => (
          <option value={value} selected={value === chosen ? true : undefined}>
            {text}
          </option>
        ))}
      </select>
    </FieldFrame>
  );
};

/** Draws a choice of one as radio buttons, side by side if they have drawings. */
export const RadioField: FC<FieldProps & { choices: readonly Choice[] }> = ({ choices, ...props }) => {
  const { form, name } = props;
  const chosen = form.values.text(name);
  const lines = choices.map((choice, index) => (
    <ChoiceLine
      type="radio"
      id={index === 0 ? fieldId(name) : `${fieldId(name)}-${choice.value}`}
      name={name}
      choice={choice}
      checked={choice.value === chosen}
    />
  ));
  const isDrawn = choices.some(({ drawing }) => drawing !== undefined);
  return (
    <FieldGroup {...props} role="radiogroup">
      {isDrawn ? <div class="drawn-choices">{lines}</div> : lines}
    </FieldGroup>
  );
};

/** Draws a choice of several as checkboxes. */
export const CheckboxesField: FC<FieldProps & { choices: readonly Choice[] }> = ({ choices, ...props }) => {
  const { form, name } = props;
  const chosen = form.values.all(name);
  return (
    <FieldGroup {...props}>
      {choices.map((choice, index) => (
        <ChoiceLine
          type="checkbox"
          id={index === 0 ? fieldId(name) : `${fieldId(name)}-${index}`}
          name={name}
          choice={choice}
          checked={chosen.includes(choice.value)}
        />
      ))}
    </FieldGroup>
  );
};

/** Draws one checkbox, which sends `true`. With `sendsFalse` the form sends `false` while it is not ticked. */
export const CheckboxField: FC<FieldProps & { sendsFalse?: boolean }> = (props) => {
  const { form, name, label, hint, sendsFalse = false } = props;
  const wrong = form.errors.has(name);
  return (
    <div class={wrong ? 'field has-error' : 'field'}>
      <HintAndError form={form} name={name} hint={undefined} />
      {sendsFalse ? <input type="hidden" name={name} value="false" /> : null}
      <ChoiceLine
        type="checkbox"
        id={fieldId(name)}
        name={name}
        choice={{ value: 'true', label, hint }}
        checked={form.values.last(name) === 'true'}
        describedBy={wrong ? `${fieldId(name)}-error` : undefined}
      />
    </div>
  );
};

const ChoiceLine: FC<{
  type: 'radio' | 'checkbox';
  id: string;
  name: string;
  choice: Choice;
  checked: boolean;
  describedBy?: string | undefined;
}> = ({ type, id, name, choice, checked, describedBy: description }) => {
  const hintId = `${id}-choice-hint`;
  const ids = [description, choice.hint === undefined ? undefined : hintId].filter((part) => part !== undefined);
  return (
    <div class="choice">
      <input
        type={type}
        id={id}
        name={name}
        value={choice.value}
        checked={checked ? true : undefined}
        aria-describedby={ids.length === 0 ? undefined : ids.join(' ')}
        aria-invalid={description === undefined ? undefined : 'true'}
      />
      <label for={id}>
        {choice.drawing}
        {choice.label}
      </label>
      {choice.hint === undefined ? null : (
        <p class="hint" id={hintId}>
          {choice.hint}
        </p>
      )}
    </div>
  );
};
