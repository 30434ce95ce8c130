import { notAvailable, type StoragePart } from '../storage-part.ts';
import { type CorePorts, PART_NAMES, type SomeParts, type StorageParts } from './storage-parts.ts';

const none = async (): Promise<readonly never[]> => [];
const nothing = async (): Promise<null> => null;
const zero = async (): Promise<number> => 0;

/** What the core, and jobs of other parts, read of a missing part. Every other call of it is refused. */
const READS: { readonly [P in StoragePart]: Partial<StorageParts[P]> } = {
  // No endpoint: no event is to be sent.
  webhooks: { list: none },
  // No policy of a client, no run of the job, no receipt.
  retention: { ofClient: nothing, lastRun: nothing, erasure: nothing, erasures: none },
  exports: { ofVerification: nothing, forget: zero },
  handOvers: { forget: zero },
  readings: { find: none, remove: async () => undefined },
  // No key of a client, and none can be added: verifications are stored without labels.
  indexes: { keys: none, find: none, addKey: async () => false },
  mails: {},
  appearances: { find: nothing, logoContent: nothing },
  counters: {},
};

/** Makes a port with the given operations. Every other operation rejects with `NOT_AVAILABLE`. */
function missingPart<P extends StoragePart>(part: P): StorageParts[P] {
  const refuse = async (): Promise<never> => {
    throw notAvailable(part);
  };
  return new Proxy(Object.create(null) as StorageParts[P], {
    get: (_target, operation) => Reflect.get(READS[part], operation) ?? refuse,
  });
}

/** Returns the parts that a storage has. */
export function partsOf(storage: SomeParts): ReadonlySet<StoragePart> {
  return new Set(PART_NAMES.filter((part) => storage[part] !== undefined));
}

/**
 * Fills the parts that a storage lacks, so that use cases need not ask for them: what the core reads of them is empty, and every other
 * call rejects with `NOT_AVAILABLE`, which names the part.
 */
export function fillParts(storage: CorePorts & SomeParts): CorePorts & StorageParts {
  const parts = PART_NAMES.map((part) => [part, storage[part] ?? missingPart(part)]);
  return { ...storage, ...(Object.fromEntries(parts) as StorageParts) };
}
