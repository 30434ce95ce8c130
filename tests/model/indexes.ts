import type { Countersign, Severity } from '@countersign/domain';
import { BUILT_IN_FLOWS } from '@countersign/domain/flows';
import {
  INDEX_RULES_VERSION,
  rebuildIndex,
  type Storage,
  type VerificationRecord,
} from '@countersign/domain/storage';
import { createNodeSecrets } from '@countersign/runtime';
import { reviewAs } from '@countersign/test-support/service/operations';
import fc from 'fast-check';

/** What a sequence does to the index of a client. */
export type IndexCommand =
  /** As the command `index rebuild`: labels what is behind, by a new key if asked. */
  | { readonly kind: 'rebuildIndex'; readonly client: number; readonly newKey: boolean }
  | { readonly kind: 'addIndexKey'; readonly client: number; readonly version: number }
  | { readonly kind: 'removeIndexKey'; readonly client: number; readonly version: number };

/** What a sequence stores beside a verification without changing its version. */
export type BesideCommand = {
  readonly client: number;
  readonly verification: number;
  /** Whether the version before the current one is expected. */
  readonly isLate: boolean;
} & (
  | { readonly kind: 'saveLabels'; readonly keyVersion: number; readonly isBehind: boolean }
  | { readonly kind: 'noteWarnings'; readonly severity: Severity | null }
);

const record = <T>(fields: { [K in keyof T]: fc.Arbitrary<T[K]> }): fc.Arbitrary<T> =>
  fc.record(fields, { noNullPrototype: true }) as fc.Arbitrary<T>;
const kind = <K extends string>(name: K) => fc.constant(name);

/** Commands that run alone: their outcomes depend on which changes come first. */
export function indexCommands(clients: number): fc.Arbitrary<IndexCommand | BesideCommand> {
  const client = fc.nat(clients - 1);
  const beside = { client, verification: fc.nat(3), isLate: fc.constantFrom(false, false, true) };
  const version = fc.integer({ min: 1, max: 3 });
  return fc.oneof(
    record({ kind: kind('rebuildIndex'), client, newKey: fc.boolean() }),
    record({ kind: kind('addIndexKey'), client, version }),
    record({ kind: kind('removeIndexKey'), client, version }),
    record({ kind: kind('saveLabels'), ...beside, keyVersion: version, isBehind: fc.boolean() }),
    record({
      kind: kind('noteWarnings'),
      ...beside,
      severity: fc.constantFrom(null, 'info', 'warning', 'critical'),
    }),
  );
}

const secrets = createNodeSecrets([Buffer.alloc(32, 9)]);
const KEY = Buffer.alloc(32, 5).toString('base64');
/** A label that no term has. */
const LABEL = { purpose: 'email', label: 'model-model-model-mode' } as const;

/** @param sealed the storage, which seals if the participant does */
export async function runOnIndex(sealed: Storage, clientId: string, command: IndexCommand): Promise<unknown> {
  switch (command.kind) {
    case 'rebuildIndex':
      return rebuildIndex(
        { storage: sealed, secrets, flows: BUILT_IN_FLOWS },
        { clientId, newKey: command.newKey },
      );
    case 'addIndexKey':
      return sealed.indexes.addKey({ clientId, version: command.version, value: KEY, wrappedBy: null });
    case 'removeIndexKey':
      return sealed.indexes.removeKey({ clientId, version: command.version });
    default:
      return command satisfies never;
  }
}

/** @returns whether it was stored */
export async function runBeside(
  { verifications, indexes }: Pick<Storage, 'verifications' | 'indexes'>,
  { clientId, id: verificationId, version }: VerificationRecord,
  command: BesideCommand,
): Promise<unknown> {
  const place = { clientId, verificationId };
  const expectedVersion = command.isLate ? version - 1 : version;
  switch (command.kind) {
    case 'saveLabels': {
      const rulesVersion = command.isBehind ? 0 : INDEX_RULES_VERSION;
      const labels = { keyVersion: command.keyVersion, rulesVersion, labels: [LABEL] };
      return indexes.save(place, labels, expectedVersion);
    }
    case 'noteWarnings': {
      const { severity } = command;
      return verifications.noteWarnings({ ...place, expectedVersion, warnings: { severity }, severity });
    }
    default:
      return command satisfies never;
  }
}

/** What is kept of the warnings of verifications. Read before they are opened, which may compute it again. */
export async function keptWarningsOf(
  { verifications }: Pick<Storage, 'verifications'>,
  ids: readonly string[],
): Promise<unknown> {
  const records = await Promise.all(ids.map((id) => verifications.findForAnyClient(id)));
  return records.map((record) => ({ warnings: record?.warnings, severity: record?.severity }));
}

/** Reads what the index of a client finds. Keys and labels are random. */
export async function indexOf(
  { indexes }: Pick<Storage, 'indexes'>,
  countersign: Countersign,
  clientId: string,
): Promise<unknown> {
  const { search } = reviewAs(countersign, 'reviewer-0');
  const searches = [{ query: 'C01X00T47' }, { query: 'Ada Lovelace', birthDate: '1990-12-10' }];
  const found: unknown[] = [];
  for (const input of searches) found.push((await search({ ...input, clientId })).items.map(({ id }) => id));
  return {
    keys: (await indexes.keys(clientId)).map(({ version }) => version),
    behind: await indexes.countBehind({ clientId, rulesVersion: INDEX_RULES_VERSION }),
    labelled: await indexes.find({ labels: [{ clientId, ...LABEL }], limit: 100 }),
    found,
  };
}
