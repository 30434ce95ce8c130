import type { Storage } from '@countersign/domain';
import type { Suite } from '../suite.ts';

/** An adapter that is broken on purpose, with the suite that has to notice. */
export interface Mutant {
  readonly name: string;
  readonly suite: Suite;
  /** Breaks a storage that is sound. */
  breakIn(storage: Storage): Storage;
}

/** Writes mutants as a table of what is wrong with each. */
export function mutantsOf(suite: Suite, broken: Readonly<Record<string, Mutant['breakIn']>>): Mutant[] {
  return Object.entries(broken).map(([name, breakIn]) => ({ name, suite, breakIn }));
}

type Patch = {
  readonly [P in 'verifications' | 'apiKeys' | 'clients' | 'outbox' | 'dataKeys' | 'audit']?: Partial<Storage[P]>;
} & Partial<Pick<Storage, 'ping' | 'close'>>;

/** The storage with some of its operations replaced. */
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

/** Gives way to everything else that is under way, as a database's round trip does. */
export async function roundTrip(): Promise<void> {
  for (let turn = 0; turn < 200; turn += 1) await Promise.resolve();
}
