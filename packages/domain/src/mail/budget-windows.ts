import type { MailBudget, UsedMailBudget } from './mail-queue.ts';

/** The budgets to store after mails were taken from them, or until when one of them is used up. */
export type BudgetsTaken =
  | { readonly outcome: 'taken'; readonly after: readonly UsedMailBudget[] }
  | { readonly outcome: 'used_up'; readonly until: Date };

/**
 * Decides `MailQueue.takeFromBudgets` for a storage that reads and writes in one atomic step.
 * @param find returns what is stored of a budget
 */
export function takenFrom(
  budgets: readonly MailBudget[],
  find: (name: string) => UsedMailBudget | undefined,
  now: Date,
): BudgetsTaken {
  const before = budgets.map(({ name, allowed, windowMs }): UsedMailBudget => {
    const stored = find(name);
    const isRunning = stored !== undefined && stored.endsAt > now;
    const endsAt = isRunning ? stored.endsAt : new Date(now.getTime() + windowMs);
    return { name, used: isRunning ? stored.used : 0, allowed, endsAt };
  });
  const usedUp = before.filter(({ used, allowed }) => used >= allowed);
  if (usedUp.length === 0)
    return { outcome: 'taken', after: before.map((one) => ({ ...one, used: one.used + 1 })) };
  return { outcome: 'used_up', until: new Date(Math.max(...usedUp.map(({ endsAt }) => endsAt.getTime()))) };
}

/** Decides `MailQueue.returnToBudgets`, and returns what to store. */
export function returnedTo(
  budgets: readonly MailBudget[],
  find: (name: string) => UsedMailBudget | undefined,
  takenAt: Date,
): readonly UsedMailBudget[] {
  return budgets.flatMap(({ name, windowMs }) => {
    const stored = find(name);
    if (stored === undefined || stored.used === 0) return [];
    const { used, endsAt } = stored;
    const isSameWindow = takenAt < endsAt && endsAt.getTime() - windowMs <= takenAt.getTime();
    return isSameWindow ? [{ ...stored, used: used - 1 }] : [];
  });
}
