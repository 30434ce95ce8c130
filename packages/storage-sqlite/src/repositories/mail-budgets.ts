import { type MailQueue, returnedTo, takenFrom, type UsedMailBudget } from '@countersign/domain/storage';
import { insertInto } from '@countersign/statements';
import { compile, compileRows, fieldsOf, parameter } from '../connection/compiled.ts';
import type { Session } from '../connection/session.ts';
import { sql } from '../drizzle.ts';
import { mailBudgets } from '../mail-tables.ts';
import { mailBudgetRows } from '../tables/rows.ts';

/** Creates the budgets of mails. */
export function createMailBudgets({
  connection,
  write,
}: Session): Pick<MailQueue, 'takeFromBudgets' | 'returnToBudgets' | 'deleteEndedBudgets'> {
  const { name, endsAt } = mailBudgets;
  const select = compileRows<typeof mailBudgets.$inferSelect>(
    connection,
    sql`select ${fieldsOf(mailBudgets)} from ${mailBudgets} where ${name} = ${parameter('name')}`,
  );
  const replace = compile(
    connection,
    sql`${insertInto(mailBudgets)} on conflict (name)
      do update set used = excluded.used, allowed = excluded.allowed, ends_at = excluded.ends_at`,
  );
  const removeEnded = compile(
    connection,
    sql`delete from ${mailBudgets} where ${name} in (
      select name from ${mailBudgets} where ${endsAt} <= ${parameter('now')} limit ${sql.placeholder('limit')})`,
  );

  function find(name: string): UsedMailBudget | undefined {
    const row = select.get({ name });
    return row && mailBudgetRows.fromRow(row);
  }

  function store(used: readonly UsedMailBudget[]): void {
    for (const one of used) replace.run(mailBudgetRows.toRow(one));
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
        const changes = removeEnded.run({ now: now.getTime(), limit });
        return { keep: changes > 0, value: changes };
      }),
  };
}
