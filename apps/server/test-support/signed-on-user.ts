import { expect } from 'vitest';
import type { Operator } from './operator.ts';

const USER = `SELECT id FROM staff_users WHERE email = 'ada@example.com'`;
const MADE_AT = '2026-11-23T10:00:00.000Z';

/** Statements for SQLite and PostgreSQL that give the user of `givenSignedOnUser` an identity at a provider and a passkey. */
const ROWS: readonly string[] = [
  `INSERT INTO staff_identities (id, user_id, issuer, subject, created_at)
   VALUES ('identity-1', (${USER}), 'https://login.example', 'ada', '${MADE_AT}')`,
  `INSERT INTO staff_passkeys (id, user_id, credential_id, public_key, counter, name, created_at)
   VALUES ('passkey-1', (${USER}), 'credential-1', 'key', 7, 'Laptop', '${MADE_AT}')`,
];

/** Creates an operator who has an identity at a provider and a passkey. @param run runs a statement on the database */
export async function givenSignedOnUser(
  operator: Operator,
  run: (statement: string) => Promise<unknown>,
): Promise<void> {
  const { exitCode } = await operator.run('user', 'create', '--email', 'ada@example.com', '--role', 'operator');
  expect(exitCode).toBe(0);
  for (const statement of ROWS) await run(statement);
}
