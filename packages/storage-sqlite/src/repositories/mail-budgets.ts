import { type MailQueue, returnedTo, takenFrom, type UsedMailBudget } from '@countersign/domain/storage';
import { columnParameters, compile, parameter, prepared } from '../connection/compiled.ts';
import type { Session } from '../connection/session.ts';
import { eq, inArray, lte, sql } from '../drizzle.ts';
import { mailBudgets } from '../mail-tables.ts';
import { fromMailBudgetRow, toMailBudgetRow } from '../rows/mail-rows.ts';

/** Creates the budgets of mails. */
export function createMailBudgets({
  db,
  connection,
  write,
}: Session): Pick<MailQueue, 'takeFromBudgets' | 'returnToBudgets' | 'deleteEndedBudgets'> {
  const select = prepared(
    db
      .select()
      .from(mailBudgets)
      .where(eq(mailBudgets.name, parameter('name'))),
  );
  const replace = compile(
    connection,
    db
      .insert(mailBudgets)
      .values(columnParameters(mailBudgets))
      .onConflictDoUpdate({
        target: mailBudgets.name,
        set: { used: sql`excluded.used`, allowed: sql`excluded.allowed`, endsAt: sql`excluded.ends_at` },
      }),
  );
  const ended = db
    .select({ name: mailBudgets.name })
    .from(mailBudgets)
    .where(lte(mailBudgets.endsAt, parameter('now')))
    .limit(sql.placeholder('limit'));
  const removeEnded = prepared(db.delete(mailBudgets).where(inArray(mailBudgets.name, ended)));

  function find(name: string): UsedMailBudget | undefined {
    const row = select.get({ name });
    return row && fromMailBudgetRow(row);
  }

  function store(used: readonly UsedMailBudget[]): void {
    for (const one of used) replace.run(toMailBudgetRow(one));
  }

  return {
    takeFromBudgets: ({ budgets, now }) =>
      write<Awaited<ReturnType<MailQueue['takeFromBudgets']>>>(() => {
        const taken = takenFrom(budgets, find, now);
        if (taken.outcome === 'used_up') return { keep: false, value: taken };
        store(taken.after);
        return { keep: true, value: { outcome: 'taken' } };
      }),

    returnToBudgets: ({ budgets, takenAt }) =>
      write(() => {
        const after = returnedTo(budgets, find, takenAt);
        store(after);
        return { keep: after.length > 0, value: undefined };
      }),

    deleteEndedBudgets: ({ now, limit }) =>
      write(() => {
        const { changes } = removeEnded.run({ now: now.getTime(), limit });
        return { keep: changes > 0, value: changes };
      }),
  };
}
