import type { As, AuditAction } from '@countersign/domain';

/** Errors of a form, by field. */
export type Problems = ReadonlyMap<string, string>;

export const NO_PROBLEMS: Problems = new Map();

/** What a form was about. */
export interface FormAct {
  readonly action: AuditAction;
  readonly clientId?: string | undefined;
  readonly targetId?: string | undefined;
}

/** Records a form that says nothing the desk could be asked, or that is not sent on: which fields, not what was typed. */
export function noteBadInput(as: As, act: FormAct, problems: ReadonlyMap<string, unknown>): Promise<void> {
  const detail = { code: 'INVALID_PARAMETERS', fields: [...problems.keys()].join(',') };
  return as.recordRefusal({ ...act, detail });
}
