import type { Storage } from '@countersign/domain';

/** One thing that must hold. `run` gets a storage of its own, fresh and empty, and rejects when it does not hold. */
export interface Case {
  readonly name: string;
  run(storage: Storage): Promise<void>;
}

/** Cases about one idea. Suites are plain data, so that anything can run them. */
export interface Suite {
  readonly name: string;
  readonly cases: readonly Case[];
}

/** Writes a suite as a table of sentences, each with what proves it. */
export function suiteOf(name: string, cases: Readonly<Record<string, Case['run']>>): Suite {
  return { name, cases: Object.entries(cases).map(([name, run]) => ({ name, run })) };
}
