import { isCountersignError } from '@countersign/domain';
import type { MessageKey } from '../../site/messages.ts';
import { FormRefused } from './form-refused.ts';

/** Why a file was not taken, as the page says it. */
export interface Refusal {
  readonly status: 409 | 413 | 422;
  readonly message: MessageKey;
}

/** Nothing of the file was kept in any of these cases. */
const STATUSES = {
  FILE_MISSING: 422,
  SEVERAL_FILES: 422,
  UPLOAD_BROKEN: 422,
  FILE_EMPTY: 422,
  FILE_TOO_LARGE: 413,
  FILE_TYPE_REFUSED: 422,
  FILE_DAMAGED: 422,
  PICTURE_TOO_LARGE: 422,
  FILE_LIMIT_REACHED: 409,
  STEP_OUT_OF_TURN: 409,
} as const;

/** What the page says of an error, or null where it is none of the file. `pdf`: whether a PDF would have been taken. */
export function refusalOf(error: unknown, pdf: boolean): Refusal | null {
  const code = error instanceof FormRefused || isCountersignError(error) ? error.code : '';
  if (!isRefused(code)) return null;
  const message =
    code === 'FILE_TYPE_REFUSED' ? (pdf ? (`${code}_PDF` as const) : (`${code}_PICTURE` as const)) : code;
  return { status: STATUSES[code], message: `capture:refused.${message}` };
}

function isRefused(code: string): code is keyof typeof STATUSES {
  return Object.hasOwn(STATUSES, code);
}
