import { type OpenAdministration, openAdministration } from '../composition/administration.ts';
import { readStorageSettings } from '../config/environment.ts';
import type { Environment } from '../config/parse-environment.ts';

/** Where a command reads and writes. */
export interface CommandIo {
  readonly environment: Environment;
  /** Standard output. */
  out(text: string): void;
  /** Standard error. */
  err(text: string): void;
}

/** What the command line gives to each of its commands. */
export interface CommandContext extends CommandIo {
  /** What the process ends with, where nothing is thrown. */
  exitCode: number;
  /** Prints `value` as one line of JSON where `--json` was given, else `text`, which is for people. */
  answer(value: unknown, text: string): void;
}

/** Opens the database for one piece of work, and closes it whatever comes of it. */
export async function administer<T>(
  io: CommandIo,
  work: (administration: OpenAdministration) => Promise<T>,
): Promise<T> {
  const administration = await openAdministration(readStorageSettings(io.environment));
  try {
    return await work(administration);
  } finally {
    await administration.close();
  }
}
