import { type MailQueue, returnedTo, takenFrom, type UsedMailBudget } from '@countersign/domain/storage';
import type { Tables } from './tables.ts';

/** Creates the budgets of mails of the storage in memory. Each operation runs without interruption. */
export function createMailBudgets({
  mailBudgets,
}: Tables): Pick<MailQueue, 'takeFromBudgets' | 'returnToBudgets' | 'deleteEndedBudgets'> {
  const find = (name: string): UsedMailBudget | undefined => mailBudgets.get(name);
  const store = (used: readonly UsedMailBudget[]): void => {
    for (const one of used) mailBudgets.set(one.name, one);
  };

  return {
    async takeFromBudgets({ budgets, now }) {
      const taken = takenFrom(budgets, find, now);
      if (taken.outcome === 'used_up') return structuredClone(taken);
      store(taken.after);
      return { outcome: 'taken' };
    },

    async returnToBudgets({ budgets, takenAt }) {
      store(returnedTo(budgets, find, takenAt));
    },

    async deleteEndedBudgets({ now, limit }) {
      const ended = [...mailBudgets.values()].filter(({ endsAt }) => endsAt <= now).slice(0, limit);
      for (const { name } of ended) mailBudgets.delete(name);
      return ended.length;
    },
  };
}
