import { type OpenAdministration, openAdministration } from '../composition/administration.ts';
import { readAdministrationSettings } from '../config/environment.ts';
import type { Environment } from '../config/parse-environment.ts';

/** Where a command reads and writes. */
export interface CommandIo {
  readonly environment: Environment;
  /** Standard output. */
  out(text: string): void;
  /** Waits until standard output takes more. Resolves to false once its reader has left. Undefined where it always takes more. */
  readonly canPrint?: (() => Promise<boolean>) | undefined;
  /** Standard error. */
  err(text: string): void;
  /** Asks at the terminal and returns the line that was typed. Undefined without a terminal. */
  readonly ask?: ((question: string) => Promise<string>) | undefined;
  /** Gives this process a nice value until it ends. Undefined where the process does other work too, as a test runner does. */
  readonly setPriority?: ((niceness: number) => void) | undefined;
}

/** What the command line gives to each of its commands. */
export interface CommandContext extends CommandIo {
  /** What the process ends with, where nothing is thrown. */
  exitCode: number;
  /** Whether `--json` was given. */
  isJson(): boolean;
  /** Prints `value` as one line of JSON where `--json` was given, else `text`, which is for people. */
  answer(value: unknown, text: string): void;
}

/** Opens what a command needs, runs it, and closes it in any case. Default: the database, without secrets and users. */
export async function administer<A extends OpenAdministration>(
  { environment }: CommandIo,
  open: ((environment: Environment) => Promise<A>) | undefined,
  work: (administration: A) => Promise<void>,
): Promise<void> {
  // Without `open`, `A` is OpenAdministration.
  const administration = open === undefined ? ((await openDatabase(environment)) as A) : await open(environment);
  try {
    await work(administration);
  } finally {
    await administration.close();
  }
}

function openDatabase(environment: Environment): Promise<OpenAdministration> {
  return openAdministration(readAdministrationSettings(environment));
}
