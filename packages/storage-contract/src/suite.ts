import type { Storage } from '@countersign/domain/storage';
import { readableError } from './readable.ts';

/** One thing that a port's implementation must do. */
export interface Case<Subject = Storage> {
  readonly name: string;
  /** Runs the case on a fresh and empty `subject` of its own. Rejects when the implementation breaks the contract. */
  run(subject: Subject): Promise<void>;
}

/** Cases about one idea. Suites are plain data, so that any test runner can run them. */
export interface Suite<Subject = Storage> {
  readonly name: string;
  readonly cases: readonly Case<Subject>[];
}

/** Builds a suite from a table: the name of each case, and the function that runs it. */
export function suiteOf<Subject = Storage>(
  name: string,
  cases: Readonly<Record<string, Case<Subject>['run']>>,
): Suite<Subject> {
  const readably = (run: Case<Subject>['run']) => (subject: Subject) =>
    run(subject).catch((error: unknown) => {
      throw readableError(error);
    });
  return { name, cases: Object.entries(cases).map(([name, run]) => ({ name, run: readably(run) })) };
}

/**
 * Builds a suite whose cases all begin with the same records.
 *
 * @param given stores the records before each case; each case receives what it returns
 */
export function suiteGiven<Given, Subject = Storage>(
  name: string,
  given: (subject: Subject) => Promise<Given>,
  cases: Readonly<Record<string, (subject: Subject, given: Given) => Promise<void>>>,
): Suite<Subject> {
  const run = (each: (typeof cases)[string]) => async (subject: Subject) => each(subject, await given(subject));
  return suiteOf(name, Object.fromEntries(Object.entries(cases).map(([key, each]) => [key, run(each)])));
}
