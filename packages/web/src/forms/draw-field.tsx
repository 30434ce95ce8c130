import type { Issue, JsonValue } from '@countersign/domain';
import type { Field as FieldData, PlacedField } from '@countersign/domain/flows';
import type { Child, FC, PropsWithChildren } from 'hono/jsx';
import { Icon } from '../parts/icon.tsx';
import { listInWords } from '../site/formats.ts';
import { isolated, type Translate } from '../site/messages.ts';
import type { Page } from '../site/page.ts';
import { answerInWords, type ValueTexts } from './answer-in-words.ts';
import { arrangedFields, decidesAddress, partsOf } from './arranged-fields.ts';
import { CheckboxesField, CheckboxField, type Choice, RadioField, SelectField } from './choice-fields.tsx';
import { CountryField } from './country-field.tsx';
import { type FieldProps as ControlProps, FieldGroup, HintAndError } from './field-parts.tsx';
import { absentName, FORM_BUTTON, mayBeEmpty, sameOrOther } from './form-answers.ts';
import { type FormState, fieldId, type ReadValue } from './form-state.ts';
import { DateField, TextArea, TextField } from './text-fields.tsx';

/**
 * The texts of a form's fields, in the reader's language. Paths are those of the form: `directors.0.firstName`. A field
 * without a text is shown by its key.
 */
export interface FieldTexts extends Pick<ValueTexts, 'choice'> {
  label(path: string): string;
  hint(path: string): string | undefined;
  /** Returns the explanation of one choice. */
  choiceHint?(path: string, value: string | number): string | undefined;
  /** Returns the drawing of one choice. */
  choiceDrawing?(path: string, value: string | number): Child | undefined;
  /** Returns the label for choosing nothing, if an optional choice offers that. */
  noChoice?(path: string): string | undefined;
  /** Returns the label of the checkbox that confirms that a field is left out. */
  absent?(path: string): string | undefined;
  /** Returns the caption of one row: `Director 2`. */
  row(path: string, index: number): string;
  addRow(path: string): string;
  removeRow(path: string, index: number): string;
  /** Returns the label of the choice whether a group is the same as an earlier one. */
  sameOrOther(value: 'same' | 'other'): string;
  /** Returns the message for an issue. The path is null for a field that the form does not have. */
  issue(path: string | null, issue: Issue): string;
}

export interface FieldProps {
  readonly page: Page;
  readonly form: FormState;
  readonly texts: FieldTexts;
  readonly field: FieldData;
  /** Name of the form field, which is the path of the answer: `placeOfBirth.city`, `directors.0.firstName`. */
  readonly name: string;
  /** Whether the field is about someone other than the reader. Browsers then fill in nothing. */
  readonly isAboutOther?: boolean | undefined;
  readonly isInRow?: boolean | undefined;
  /** Whether the form says that an optional group of rows has none. */
  readonly hasNone?: boolean | undefined;
  readonly autofocus?: boolean | undefined;
}

interface GroupProps<K extends FieldData['kind']> extends FieldProps {
  readonly field: Extract<FieldData, { kind: K }>;
}

/** Draws fields in the form's order. Folds those that few people answer, unless they have an answer or a message. */
export const FieldSet: FC<Omit<FieldProps, 'field' | 'name'> & { fields: readonly PlacedField[] }> = (props) => {
  const { fields, ...shared } = props;
  const { page, form, texts } = shared;
  const { shown, folded } = arrangedFields(fields, form.values);
  const isFilled = ({ path }: PlacedField) => form.values.text(path) !== '' || form.errors.has(path);
  const labels = folded.map(({ path }) => texts.label(path));
  return (
    <>
      {shown.map(({ path, field }) => (
        <>
          <Field {...shared} field={field} name={path} />
          {decidesAddress(field) ? (
            <div class="field">
              <FormButton value="update" label={page.t('site:updateFields')} />
            </div>
          ) : null}
        </>
      ))}
      {folded.length === 0 ? null : (
        <details class="folded" open={folded.some(isFilled) ? true : undefined}>
          <summary>{page.t('site:folded', { labels: listInWords(labels, page.language) })}</summary>
          {folded.map(({ path, field }) => (
            <Field {...shared} field={field} name={path} />
          ))}
        </details>
      )}
    </>
  );
};

/** Draws the control of a field, and the checkbox that confirms that it is left out. Shows a sure value that was read as text first. */
export const Field: FC<FieldProps> = (props) => {
  const { page, form, texts, field, name } = props;
  const read = form.read?.get(name);
  const parts = (
    <>
      <Control {...props} />
      {field.absence === undefined ? null : (
        <CheckboxField
          form={form}
          name={absentName(name)}
          label={absenceLabel(page.t, texts, name)}
          hint={texts.hint(absentName(name))}
        />
      )}
    </>
  );
  if (read === undefined || !read.isSure || !read.isSame || form.errors.has(name)) return parts;
  return (
    <ReadField {...props} value={read.value}>
      {parts}
    </ReadField>
  );
};

/** Shows a value that was read as text. The control is folded, and its value is still sent. */
const ReadField: FC<PropsWithChildren<FieldProps & { value: JsonValue }>> = (props) => {
  const { page, texts, field, name, value, children } = props;
  const words = answerInWords(page, field, value, texts).join(', ');
  return (
    <details class="read-value">
      <summary>
        <span class="read-label">{texts.label(name)}</span>
        <span>
          <Icon page={page} name="check" />
          <bdi>{words}</bdi>
          <span class="visually-hidden">, {page.t('site:read.from')}.</span>
        </span>
        <span class="link">
          {page.t('site:change')}
          <span class="visually-hidden">: {texts.label(name)}</span>
        </span>
      </summary>
      {children}
    </details>
  );
};

/** Returns the hint of a field for which something was read. */
function readHint({ page, form, texts, field, name }: FieldProps): string | undefined {
  const read = form.read?.get(name);
  if (read?.isSure === true) return otherwiseRead(page, field, read, texts);
  return read?.isSame === true ? page.t('site:read.open') : undefined;
}

/** Says what the document reads, beside an answer that differs from it. */
export function otherwiseRead(page: Page, field: FieldData, { value }: ReadValue, texts: FieldTexts): string {
  return page.t('site:read.edited', { value: isolated(answerInWords(page, field, value, texts).join(', ')) });
}

/** Returns the label of the checkbox that confirms that a field is left out. */
export function absenceLabel(t: Translate, texts: FieldTexts, path: string): string {
  return texts.absent?.(path) ?? `${texts.label(path)}: ${t('site:none')}`;
}

/** Draws the control of a field, by its kind. */
const Control: FC<FieldProps> = (props) => {
  const { page, form, texts, field, name, isAboutOther = false, isInRow = false, autofocus } = props;
  const { t, language } = page;
  if (field.by !== undefined && field.by !== 'subject') return null;
  // A field that may be left empty can have a hint that says so.
  const usualHint = (field.optional === true ? texts.hint(`${name}_optional`) : undefined) ?? texts.hint(name);
  const hint = readHint(props) ?? (form.proposed?.has(name) ? t('site:proposed') : usualHint);
  const shared = {
    form,
    name,
    label: texts.label(name),
    optional: mayBeEmpty(field) ? true : undefined,
    ...(hint !== undefined && { hint }),
  };
  const autocomplete = isAboutOther ? 'off' : (field.purpose ?? 'off');
  switch (field.kind) {
    case 'date':
      return (
        <DateField
          {...shared}
          birthday={!isAboutOther && field.purpose === 'birth-date'}
          hint={hint ?? t('site:date.hint')}
        />
      );
    case 'country':
      return <CountryField {...shared} language={language} autocomplete={autocomplete} />;
    case 'choice': {
      const none = field.optional ? texts.noChoice?.(name) : undefined;
      const choices = [...(none === undefined ? [] : [{ value: '', label: none }]), ...choicesOf(props, field.of)];
      return isInRow ? (
        <SelectField {...shared} choices={choices} />
      ) : (
        <RadioField {...shared} choices={choices} />
      );
    }
    case 'statement':
      return <CheckboxField {...shared} />;
    case 'flag':
      return <CheckboxField {...shared} sendsFalse />;
    case 'list':
      if (field.each.kind === 'country') return <CountriesField {...shared} page={page} texts={texts} />;
      if (field.each.kind !== 'choice') return <TextArea {...shared} rows={3} />;
      return <CheckboxesField {...shared} choices={choicesOf(props, field.each.of)} />;
    case 'rows':
      return <RowsField {...props} field={field} />;
    case 'group':
      return field.sameAs === undefined ? (
        <Parts {...props} field={field} isAboutOther={isAboutOther || field.about === 'other'} />
      ) : (
        <OtherGroupField {...props} field={field} />
      );
    case 'file':
      // A file has its own page.
      return null;
    case 'text':
      if (field.shape === 'paragraph') return <TextArea {...shared} rows={4} />;
      return <TextField {...shared} autocomplete={autocomplete} autofocus={autofocus} size={sizeOf(field)} />;
    case 'email':
    case 'phone':
    case 'website':
    case 'number':
    case 'language':
    case 'id':
    case 'timestamp':
      return (
        <TextField
          {...shared}
          {...INPUTS[field.kind]}
          {...(field.kind === 'number' && field.integer && { inputmode: 'numeric' })}
          autocomplete={autocomplete}
          autofocus={autofocus}
          size={sizeOf(field)}
        />
      );
    default:
      return field satisfies never;
  }
};

function choicesOf({ texts, name, isInRow }: FieldProps, values: readonly (string | number)[]): Choice[] {
  return values.map((value) => {
    const hint = texts.choiceHint?.(name, value);
    const drawing = isInRow ? undefined : texts.choiceDrawing?.(name, value);
    return {
      value: String(value),
      label: texts.choice(name, value),
      ...(hint !== undefined && { hint }),
      ...(drawing !== undefined && { drawing }),
    };
  });
}

type Inputs = Readonly<
  Partial<Record<FieldData['kind'], Pick<Parameters<typeof TextField>[0], 'type' | 'inputmode'>>>
>;

const INPUTS: Inputs = {
  email: { type: 'email', inputmode: 'email' },
  phone: { type: 'tel', inputmode: 'tel' },
  // Not type `url`, which would insist on `https://`.
  website: { inputmode: 'url' },
  number: { inputmode: 'decimal' },
  // The label says that the time is in UTC.
  timestamp: { type: 'datetime-local' },
};

/** Returns the width of the control if the length of the answer is known. */
function sizeOf(field: FieldData): 'small' | 'medium' | undefined {
  if (field.kind === 'number' || field.purpose === 'postal-code') return 'small';
  return field.kind === 'phone' || (field.kind === 'text' && field.shape === 'code') ? 'medium' : undefined;
}

/** Draws the fields of a group. */
const Parts: FC<GroupProps<'group'>> = ({ field, name, ...props }) => (
  <FieldSet {...props} fields={partsOf(name, field.fields)} />
);

/** Asks whether a group, such as an address, is the same as an earlier one, and for its fields if not. */
const OtherGroupField: FC<GroupProps<'group'>> = (props) => {
  const { form, texts, field, name } = props;
  const choices = (['same', 'other'] as const).map((value) => ({ value, label: texts.sameOrOther(value) }));
  return (
    <div class="other-address">
      <RadioField form={form} name={sameOrOther(name)} label={texts.label(name)} choices={choices} />
      <div class="other-address-fields">
        <Parts {...props} isAboutOther={field.about === 'other'} />
      </div>
    </div>
  );
};

/** Draws a list of countries: one control for the first, the others folded with a button that adds one more. */
const CountriesField: FC<ControlProps & { page: Page; texts: FieldTexts }> = ({ page, texts, ...props }) => {
  const { form, name } = props;
  const rows = Math.max(2, form.values.rows(name));
  const isFilled = Array.from({ length: rows - 1 }, (_, index) => `${name}.${index + 1}`).some(
    (row) => form.values.has(row) || form.values.has(`${row}.`),
  );
  const country = (index: number) => (
    <CountryField
      form={form}
      name={`${name}.${index}`}
      label={texts.row(name, index)}
      hidesLabel={index === 0 && !isFilled}
      language={page.language}
      autocomplete="off"
    />
  );
  return (
    <FieldGroup {...props}>
      {country(0)}
      <details class="folded" open={isFilled ? true : undefined}>
        <summary>{texts.addRow(name)}</summary>
        {Array.from({ length: rows - 1 }, (_, index) => country(index + 1))}
        <FormButton value={`add:${name}`} label={texts.addRow(name)} />
      </details>
    </FieldGroup>
  );
};

/** Draws rows such as people. Buttons that add and remove rows post the form to itself. */
const RowsField: FC<GroupProps<'rows'>> = (props) => {
  const { page, form, texts, field, name, hasNone = false } = props;
  const rows = Math.max(field.optional && hasNone ? 0 : 1, form.values.rows(name));
  const wasAdded = form.values.has(`${name}.${rows - 1}.`);
  return (
    <div class="rows" id={fieldId(name)} tabindex={-1}>
      <HintAndError form={form} name={name} hint={undefined} />
      {Array.from({ length: rows }, (_, index) => (
        <fieldset class="row">
          <legend>{texts.row(name, index)}</legend>
          {Object.entries(field.fields).map(([key, part], at) => (
            <Field
              page={page}
              form={form}
              texts={texts}
              field={part}
              name={`${name}.${index}.${key}`}
              isAboutOther
              isInRow
              autofocus={wasAdded && index === rows - 1 && at === 0}
            />
          ))}
          {rows > 1 || field.optional ? (
            <FormButton value={`remove:${name}.${index}`} label={texts.removeRow(name, index)} />
          ) : null}
        </fieldset>
      ))}
      <FormButton value={`add:${name}`} label={texts.addRow(name)} />
    </div>
  );
};

/**
 * The first button of a form with `FormButton`s: the Enter key in a field presses it, and it does what the form's main button does. It is
 * hidden from sight alone, because a browser may skip a button that is not drawn.
 */
export const EnterButton: FC<{ label: string }> = ({ label }) => (
  <button type="submit" class="visually-hidden" tabindex={-1}>
    {label}
  </button>
);

/** A button that shows the form again, changed. With htmx, replaces only the form. Without JavaScript, reloads the page. */
export const FormButton: FC<{ value: string; label: string }> = ({ value, label }) => (
  <button
    type="submit"
    name={FORM_BUTTON}
    value={value}
    class="secondary"
    hx-post=""
    hx-target="#page-form"
    hx-select="#page-form"
    hx-swap="outerHTML"
  >
    {label}
  </button>
);
