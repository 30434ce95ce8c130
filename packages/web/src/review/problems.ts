import {
  type Issue,
  isCountersignError,
  parseActionNeeded,
  parseInternalNote,
  parseRejection,
} from '@countersign/domain';
import { type Flow, stepsOf } from '@countersign/domain/flows';
import type { Translate } from '../site/messages.ts';
import { type DecisionAction, FIELD, type ReviewAction, rejectionOf, requestOf, type Typed } from './typed.ts';

/** Messages for an invalid form, by field name. */
export type Problems = ReadonlyMap<string, string>;

type Problem = readonly [field: string, message: string];

/** A submitted form: its action, its typed values and the flow of the verification. */
interface SubmittedForm {
  readonly action: ReviewAction;
  readonly typed: Typed;
  readonly flow: Flow;
}

/** Whether the values of a decision are valid by the rules of the domain. */
export function isValid(action: DecisionAction, typed: Typed, flow: Flow): boolean {
  try {
    if (typed.internalNote !== '') parseInternalNote(typed.internalNote);
    if (action === 'reject') parseRejection(rejectionOf(typed));
    if (action === 'ask') parseActionNeeded(flow, requestOf(typed));
    return true;
  } catch (error) {
    if (isCountersignError(error, 'INVALID_PARAMETERS')) return false;
    throw error;
  }
}

/**
 * Returns a message in the reviewer's language for each issue that the domain reported, by field name, in the order of the
 * form.
 */
export function problemsOf(issues: readonly Issue[], form: SubmittedForm, t: Translate): Problems {
  const { action, flow } = form;
  const ofSteps = stepsOf(flow).flatMap((step) => [
    FIELD.fieldsOf(step),
    FIELD.reasonOf(step),
    FIELD.noteOf(step),
  ]);
  const order = [
    FIELD.checked,
    FIELD.reasons,
    FIELD.steps,
    ...ofSteps,
    FIELD.message(action),
    FIELD.internalNote(action),
  ];
  const problems = issues.map((issue) => problemOf(issue, form, t));
  return new Map(problems.sort(([one], [other]) => order.indexOf(one) - order.indexOf(other)));
}

/** @param issue with a path such as `reasonCodes.0`, `items.0.note` or `message` */
function problemOf({ path, code }: Issue, { action, typed, flow }: SubmittedForm, t: Translate): Problem {
  const [field, index = '', part] = path.split('.');
  switch (field) {
    case 'text':
    case 'internalNote': {
      const message = typed.internalNote === '' ? 'internalNoteNeeded' : 'internalNoteBad';
      return [FIELD.internalNote(action), t(`review:problem.${message}`)];
    }
    case 'message': {
      const message = code === 'note_needed' ? 'messageNeeded' : 'messageBad';
      return [FIELD.message(action), t(`review:problem.${message}`)];
    }
    case 'checkedWarnings':
      return [FIELD.checked, t('review:problem.warnings')];
    case 'reasonCodes':
      return [FIELD.reasons, t('review:problem.reasons')];
    default: {
      const item = typed.items[Number(index || -1)];
      const step = stepsOf(flow).find((key) => key === item?.step);
      if (step === undefined) return [FIELD.steps, t('review:problem.steps')];
      const name = { step: t(`wording:step.${step}`) };
      if (item?.chosen === false) return [FIELD.reasonOf(step), t('review:problem.stepNotChosen', name)];
      if (part === 'field') return [FIELD.fieldsOf(step), t('review:problem.stepFields', name)];
      if (part === 'reasonCode') return [FIELD.reasonOf(step), t('review:problem.stepReason', name)];
      const message = code === 'note_needed' ? 'stepNoteNeeded' : 'stepNoteBad';
      return [FIELD.noteOf(step), t(`review:problem.${message}`, name)];
    }
  }
}
