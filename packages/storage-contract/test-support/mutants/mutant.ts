import type { Storage } from '@countersign/domain/storage';
import type { Suite } from '../../src/suite.ts';

/** A deliberately broken implementation, and the suite that must fail on it. */
export interface Mutant<Subject = Storage> {
  readonly name: string;
  readonly suite: Suite<Subject>;
  /** Breaks a sound implementation. */
  breakIn(sound: Subject): Subject;
}

/** Builds the mutants of a suite from a table: what is wrong with each, and the function that breaks it. */
export function mutantsOf<Subject = Storage>(
  suite: Suite<Subject>,
  broken: Readonly<Record<string, Mutant<Subject>['breakIn']>>,
): Mutant<Subject>[] {
  return Object.entries(broken).map(([name, breakIn]) => ({ name, suite, breakIn }));
}
