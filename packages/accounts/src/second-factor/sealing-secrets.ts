import { migratorOf } from '../database/migrate.ts';
import { versionedSecrets, versionOf } from '../sessions/secrets.ts';
import type { ResealOptions } from './reseal.ts';

/** A secret that sealed second factors. */
export interface SealingSecret {
  /** Version that sealed values name, in decimal digits. Not secret. */
  readonly name: string;
  /** Whether the ring has it. */
  readonly isKnown: boolean;
}

/** Longer than the version at the start of any sealed value. */
const START = 20;

const STARTS = `select substr(secret, 1, ${START}) as sealed from staff_two_factors
  union select substr(backup_codes, 1, ${START}) from staff_two_factors`;

/**
 * Lists the secrets that sealed second factors, each once. Reads no sealed value whole, and loads no libraries: servers call it when they
 * start. Changes nothing.
 * @returns none without tables of accounts
 * @throws AccountsOpenError
 */
export async function secretsOfSecondFactors({ database, secretKeys }: ResealOptions): Promise<SealingSecret[]> {
  const known = new Set(versionedSecrets(secretKeys).map(({ version }) => version));
  const versions = new Set((await (await migratorOf(database)).select(STARTS)).map(versionOf));
  // A value that is not sealed names no secret.
  return [...versions]
    .filter((version) => !Number.isNaN(version))
    .map((version) => ({ name: String(version), isKnown: known.has(version) }));
}
