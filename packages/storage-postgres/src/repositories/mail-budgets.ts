import { type MailQueue, takenFrom } from '@countersign/domain/storage';
import { violatedConstraint } from '../connection/faults.ts';
import type { Session } from '../connection/session.ts';
import {
  columnNames,
  columnsFromJson,
  columnsOf,
  parameter,
  rowsFromJson,
  statementOf,
} from '../connection/statement.ts';
import { sql } from '../drizzle.ts';
import { momentText, parseInteger } from '../rows/parse-row.ts';
import { mailBudgets } from '../schema.ts';
import { mailBudgetRows } from '../tables/rows.ts';

const FIND = statementOf(sql`
  select ${columnsOf(mailBudgets)} from ${mailBudgets}
  where ${mailBudgets.name} in (select json_array_elements_text(${parameter('names')}::json))`);

const HAS_ENDED = sql`held.ends_at <= ${parameter('now')}::timestamptz`;

/**
 * Counts one in each budget. The constraint decides: if it refuses one of them, none is counted. Rows are locked in the order of their
 * names, so no two statements wait for each other.
 */
const TAKE = statementOf(sql`
  insert into ${mailBudgets} as held (${columnNames(mailBudgets)})
  select ${columnsFromJson(mailBudgets, 'budget')} from ${rowsFromJson(mailBudgets, 'budget')} order by budget.name
  on conflict (name) do update set
    used = case when ${HAS_ENDED} then excluded.used else held.used + excluded.used end,
    allowed = excluded.allowed,
    ends_at = case when ${HAS_ENDED} then excluded.ends_at else held.ends_at end`);

const WITHIN = 'mail_budgets_within';

/** Each budget comes with the first end that a window has which had begun at the time of taking, and that time. */
const RETURN = statementOf(sql`
  with locked as materialized (
    select ${mailBudgets.name} as name from ${mailBudgets}
    join ${rowsFromJson(mailBudgets, 'budget')} on budget.name = ${mailBudgets.name}
    where ${mailBudgets.endsAt} > ${parameter('takenAt')} and ${mailBudgets.endsAt} <= budget."endsAt"
    order by ${mailBudgets.name} for update of ${mailBudgets}
  )
  update ${mailBudgets} set used = used - 1 from locked
  where ${mailBudgets.name} = locked.name and ${mailBudgets.used} > 0`);

/** Skips budgets that a concurrent call has locked: that one begins a new window. */
const DELETE_ENDED = statementOf(sql`
  with ended as materialized (
    select ${mailBudgets.name} as name from ${mailBudgets} where ${mailBudgets.endsAt} <= ${parameter('now')}
    limit ${parameter('limit')} for update skip locked
  ), deleted as (
    delete from ${mailBudgets} using ended where ${mailBudgets.name} = ended.name returning 1
  )
  select count(*)::integer from deleted`);

/** Creates the budgets of mails. */
export function createMailBudgets({
  write,
  operation,
}: Session): Pick<MailQueue, 'takeFromBudgets' | 'returnToBudgets' | 'deleteEndedBudgets'> {
  return {
    takeFromBudgets: ({ budgets, now }) =>
      operation(async (runs) => {
        // Read first: a violated constraint is a line in the log of the database.
        const rows = await runs.read(FIND, { names: JSON.stringify(budgets.map(({ name }) => name)) });
        const stored = new Map(rows.map(mailBudgetRows.fromRow).map((one) => [one.name, one]));
        const seen = takenFrom(budgets, (name) => stored.get(name), now);
        if (seen.outcome === 'used_up') return seen;
        const taken = budgets.map(({ name, allowed, windowMs }) =>
          mailBudgetRows.toRow({ name, used: 1, allowed, endsAt: new Date(now.getTime() + windowMs) }),
        );
        try {
          await runs.write(TAKE, { budget: JSON.stringify(taken), now: momentText(now) });
          return { outcome: 'taken' };
        } catch (error) {
          if (violatedConstraint(error) !== WITHIN) throw error;
          return { outcome: 'used_up', until: now };
        }
      }),

    async returnToBudgets({ budgets, takenAt }) {
      const returned = budgets.map(({ name, allowed, windowMs }) =>
        mailBudgetRows.toRow({ name, used: 1, allowed, endsAt: new Date(takenAt.getTime() + windowMs) }),
      );
      await write(RETURN, { budget: JSON.stringify(returned), takenAt: momentText(takenAt) });
    },

    async deleteEndedBudgets({ now, limit }) {
      const [row] = await write(DELETE_ENDED, { now: momentText(now), limit });
      return parseInteger('deleted', row?.[0]);
    },
  };
}
