import type { ServerProcess } from '../processes/server-process.ts';
import { rowsIn } from './rows-in.ts';

const QUEUED = 'SELECT kind, verification_id FROM mails';
/** On SQLite, mails of links that no server has leased yet wait in their verifications. */
const IN_VERIFICATIONS = `SELECT 'verification.link', id FROM verifications WHERE link_mail_id IS NOT NULL`;

/**
 * Counts mails that wait in a server's database.
 * @param condition in SQL, about the columns `kind` and `verification_id`
 */
export async function countWaitingMails(
  server: Pick<ServerProcess, 'databaseFile' | 'env'>,
  condition: string,
): Promise<number> {
  const waiting = server.env.DATABASE_URL === undefined ? `${QUEUED} UNION ALL ${IN_VERIFICATIONS}` : QUEUED;
  const rows = await rowsIn(server, `SELECT count(*) AS n FROM (${waiting}) AS waiting WHERE ${condition}`);
  return Number(rows[0]?.n);
}
