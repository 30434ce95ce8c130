import type { Storage } from '@countersign/domain';

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
  return { name, cases: Object.entries(cases).map(([name, run]) => ({ name, run })) };
}
