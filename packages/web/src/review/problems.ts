import { type Flow, type Issue, isCountersignError, parseInternalNote, parseRejection } from '@countersign/domain';
import type { Translate } from '../site/messages.ts';
import {
  chosenItems,
  FIELD,
  parseRequest,
  type ReviewAction,
  rejectionOf,
  type Typed,
  unlessEmpty,
} from './typed.ts';

/** Messages for an invalid form, by field name. */
export type Problems = ReadonlyMap<string, string>;

export const NO_PROBLEMS: Problems = new Map();

type Problem = readonly [field: string, message: string];

/** Validates a form with the rules of the domain. Returns messages in the reviewer's language, by field name. */
export function problemsOf(action: ReviewAction, flow: Flow, typed: Typed, t: Translate): Problems {
  return new Map(problemsIn(action, flow, typed, t));
}

function problemsIn(action: ReviewAction, flow: Flow, typed: Typed, t: Translate): readonly Problem[] {
  const note = unlessEmpty(typed.internalNote);
  const notes = note === undefined ? [] : issuesOf(() => parseInternalNote(note));
  const badNote: Problem[] = notes.map(() => [FIELD.internalNote(action), t('review:problem.internalNoteBad')]);
  switch (action) {
    case 'claim':
    case 'release':
      return [];
    case 'note':
      return note === undefined ? [[FIELD.internalNote(action), t('review:problem.internalNoteNeeded')]] : badNote;
    case 'approve':
      return badNote;
    case 'reject': {
      const issues = issuesOf(() => parseRejection(rejectionOf(typed)));
      return [...issues.map((issue) => ofRejection(issue, t)), ...badNote];
    }
    case 'ask': {
      const issues = issuesOf(() => parseRequest(flow, typed));
      return [...forgotten(typed, t), ...issues.map((issue) => ofRequest(issue, typed, t)), ...badNote];
    }
    default:
      return action satisfies never;
  }
}

function issuesOf(parse: () => unknown): readonly Issue[] {
  try {
    parse();
    return [];
  } catch (error) {
    if (isCountersignError(error, 'INVALID_PARAMETERS')) return error.data?.issues ?? [];
    throw error;
  }
}

function ofRejection(issue: Issue, t: Translate): Problem {
  return issue.path === 'message' ? ofMessage('reject', issue, t) : [FIELD.reasons, t('review:problem.reasons')];
}

function ofMessage(action: ReviewAction, { code }: Issue, t: Translate): Problem {
  return [
    FIELD.message(action),
    t(code === 'note_needed' ? 'review:problem.messageNeeded' : 'review:problem.messageBad'),
  ];
}

/** @param issue with a path such as `items`, `items.0.note` or `message` */
function ofRequest(issue: Issue, typed: Typed, t: Translate): Problem {
  if (issue.path === 'message') return ofMessage('ask', issue, t);
  const [, index = '', field] = issue.path.split('.');
  const item = chosenItems(typed)[Number(index || -1)];
  if (item === undefined) return [FIELD.steps, t('review:problem.steps')];
  const { step } = item;
  const name = { step: t(`wording:step.${step}`) };
  if (field !== 'note') return [FIELD.reasonOf(step), t('review:problem.stepReason', name)];
  const message = issue.code === 'note_needed' ? 'review:problem.stepNoteNeeded' : 'review:problem.stepNoteBad';
  return [FIELD.noteOf(step), t(message, name)];
}

/** Reports a reason or a note for a step that is not chosen: it would be lost. */
function forgotten({ items }: Typed, t: Translate): Problem[] {
  return items
    .filter(({ chosen }) => !chosen)
    .map(({ step }) => [
      FIELD.reasonOf(step),
      t('review:problem.stepNotChosen', { step: t(`wording:step.${step}`) }),
    ]);
}
