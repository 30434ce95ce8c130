import type { Mail } from '@countersign/domain/storage';
import type { SQL } from 'drizzle-orm';
import { insertFromJson, rowsFromJson } from '../connection/statement.ts';
import { sql } from '../drizzle.ts';
import { mails } from '../schema.ts';
import { mailRows } from '../tables/rows.ts';

/** Inserts the mails of the parameter `mail` for the row of `changed`, or none. */
export function queueMails(changed: SQL): SQL {
  return insertFromJson(mails, 'mail', sql`${changed}, ${rowsFromJson(mails, 'mail')}`);
}

/** The value of the parameter of `queueMails`. */
export function valuesOfMails(queued: readonly Mail[]): { readonly mail: string } {
  return { mail: JSON.stringify(queued.map((mail) => mailRows.toRow(mail))) };
}
