const HOUR_MS = 60 * 60 * 1000;

/** When a decision is due. Null before a submission, and for a client without a due time. */
export function dueAt(submittedAt: Date | null, dueHours: number | null): Date | null {
  if (submittedAt === null || dueHours === null) return null;
  return new Date(submittedAt.getTime() + dueHours * HOUR_MS);
}

/** Whether the due time of a decision that waits has passed. */
export function isOverdue(due: Date | null, now: Date): boolean {
  return due !== null && due < now;
}
