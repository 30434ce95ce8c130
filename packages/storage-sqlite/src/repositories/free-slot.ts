import type { SQL } from 'drizzle-orm';
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core';
import { parameter } from '../connection/compiled.ts';
import { sql } from '../drizzle.ts';

/** A table whose rows of one client each hold one of a number of slots. */
type SlotTable = SQLiteTable & { readonly clientId: SQLiteColumn; readonly slot: SQLiteColumn };

/**
 * The lowest slot that no row of the client `:clientId` holds. If all are taken, it is the one after the last, which the
 * table refuses: the constraint enforces the limit, not this expression.
 */
export function freeSlot({ clientId, slot }: SlotTable, slots: number): SQL {
  return sql`(
  with recursive slots (slot) as (select 1 union all select slot + 1 from slots where slot <= ${sql.raw(String(slots))})
  select min(slots.slot) from slots
  where slots.slot not in (
    select ${slot} from ${slot.table} where ${clientId} = ${parameter('clientId')} and ${slot} is not null
  )
)`;
}
