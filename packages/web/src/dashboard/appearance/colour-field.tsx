import { acceptedDetails } from '@countersign/domain/clients';
import type { FC } from 'hono/jsx';
import type { FieldProps } from '../../forms/draw-field.tsx';
import { FieldFrame, fieldAria } from '../../forms/field-parts.tsx';
import { fieldId } from '../../forms/form-state.ts';
import type { FormValues } from '../../forms/form-values.ts';

/** Names of the controls of a colour: the text, the picker beside it, and the text as the page was drawn with it. */
const TEXT = 'colour';
const PICKED = 'colourPicked';
const DRAWN = 'colourDrawn';

/** The names of all controls of the colour. */
export const COLOUR_CONTROLS: readonly string[] = [TEXT, PICKED, DRAWN];

/**
 * Returns the colour of a form as text. The text says what the colour is; empty, there is none. The picker counts if its
 * value was changed and the text was not.
 *
 * @param standard what the picker shows without a colour
 */
export function colourIn(values: FormValues, standard: string): string {
  const text = values.text(TEXT);
  const picked = values.text(PICKED);
  const isPicked = values.has(DRAWN) && text === values.text(DRAWN) && picked !== pickerOf(text, standard);
  return isPicked && picked !== '' ? picked : text;
}

/** The value of the picker beside a text: it always has a colour. */
function pickerOf(text: string, standard: string): string {
  return acceptedDetails({ colour: text }).colour ?? standard;
}

/** Draws a colour as text, with a picker beside it. */
export const ColourField: FC<FieldProps & { standard: string }> = ({ page, form, texts, name, standard }) => {
  const field = { form, name, label: texts.label(name), hint: texts.hint(name), optional: true };
  const text = colourIn(form.values, standard);
  return (
    <FieldFrame {...field}>
      <input type="hidden" name={DRAWN} value={text} />
      <div class="colour-field">
        <input
          id={fieldId(name)}
          name={TEXT}
          value={text}
          class="small"
          autocomplete="off"
          {...fieldAria(field)}
        />
        <input
          type="color"
          name={PICKED}
          value={pickerOf(text, standard)}
          aria-label={page.t('dashboard:appearance.pickColour')}
        />
      </div>
    </FieldFrame>
  );
};
