import type { Storage } from '@countersign/domain';
import type { Suite } from '../suite.ts';

/** An implementation that is broken on purpose, with the suite that has to notice. */
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

type Patch = {
  readonly [P in 'verifications' | 'apiKeys' | 'clients' | 'outbox' | 'dataKeys' | 'audit']?: Partial<Storage[P]>;
} & Partial<Pick<Storage, 'ping' | 'close'>>;

/** Returns the storage with some of its operations replaced. */
export function patched(
  storage: Storage,
  { verifications, apiKeys, clients, outbox, dataKeys, audit, ...own }: Patch,
): Storage {
  return {
    ...storage,
    ...own,
    verifications: { ...storage.verifications, ...verifications },
    apiKeys: { ...storage.apiKeys, ...apiKeys },
    clients: { ...storage.clients, ...clients },
    outbox: { ...storage.outbox, ...outbox },
    dataKeys: { ...storage.dataKeys, ...dataKeys },
    audit: { ...storage.audit, ...audit },
  };
}

/** Lets everything else that is pending run first, as the round trip to a database does. */
export async function roundTrip(): Promise<void> {
  for (let turn = 0; turn < 200; turn += 1) await Promise.resolve();
}
