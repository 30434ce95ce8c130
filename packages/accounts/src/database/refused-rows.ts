import { codeOf } from './error-code.ts';

/** Whether a person has one of these already, of which there may be one. */
export function isTaken(error: unknown): boolean {
  return ['23505', 'SQLITE_CONSTRAINT_UNIQUE'].includes(codeOf(error));
}

/** Whether the person whose row this was to be has been removed in the meantime: every foreign key here is theirs. */
export function isOwnerGone(error: unknown): boolean {
  return ['23503', 'SQLITE_CONSTRAINT_FOREIGNKEY'].includes(codeOf(error));
}
