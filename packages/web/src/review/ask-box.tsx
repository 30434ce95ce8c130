import { fieldsToRedo, isWithin, type StepKey } from '@countersign/domain/flows';
import type { FC } from 'hono/jsx';
import { askedLabel } from '../staff/reasons.tsx';
import { mayDo, type ReviewView } from './review-view.ts';
import { FIELD } from './typed.ts';

/** The form that asks for action: boxes beside the rows of answers belong to it. */
export const ASK_FORM = 'ask-form';

/**
 * Draws the box that asks for a field alone, in the first row of the field. Nothing where it cannot be asked for. It is shown while the
 * form that asks for action is open.
 * @param props.paths the rows of the table
 */
export const AskBox: FC<{ view: ReviewView; step: StepKey; path: string; paths: readonly string[] }> = (props) => {
  const { view, step, path, paths } = props;
  const { page, reviewed, unsent } = view;
  const field = fieldsToRedo(reviewed.verification, step, reviewed.asks).find((each) => isWithin(path, each.path));
  if (field === undefined || !mayDo('ask', view)) return null;
  if (paths.find((each) => isWithin(each, field.path)) !== path) return null;
  const name = FIELD.fieldsOf(step);
  const about = askedLabel({ step, field: field.path }, page.t);
  return (
    <input
      type="checkbox"
      class="ask-box"
      form={ASK_FORM}
      name={name}
      value={field.path}
      checked={unsent?.action === 'ask' && unsent.values.all(name).includes(field.path) ? true : undefined}
      aria-label={page.t('review:act.againField', { field: about })}
      data-step={step}
      data-about={about}
    />
  );
};
