import { notAvailable, type StoragePart } from '../storage-part.ts';
import {
  type CorePorts,
  mapPorts,
  PART_NAMES,
  presentParts,
  type SomeParts,
  type StorageParts,
} from './storage-parts.ts';

const none = async (): Promise<readonly never[]> => [];
const nothing = async (): Promise<null> => null;
const zero = async (): Promise<number> => 0;

/** What the core and the jobs of other parts read of a missing part. Every other call is refused. */
const READS: { readonly [P in StoragePart]: Partial<StorageParts[P]> } = {
  // Without endpoints, no event has to be sent.
  webhooks: { list: none },
  // Clients have no policy, the job never ran, and there are no receipts.
  retention: { ofClient: nothing, lastRun: nothing, erasure: nothing, erasures: none },
  // There are no copies, so after a restore there is no download to end.
  exports: { ofVerification: nothing, forget: zero, endAll: zero },
  handOvers: { forget: zero },
  readings: { find: none, remove: async () => undefined },
  // Clients have no key and get none, so verifications are stored without labels.
  indexes: { keys: none, find: none, addKey: async () => false },
  // As without a mailer: no mail waits.
  mails: { backlog: async () => ({ waiting: 0, oldestAt: null }) },
  appearances: { find: nothing, logoContent: nothing },
  counters: {},
};

/** Creates a port that answers the reads of a missing part. Every other operation rejects with `NOT_AVAILABLE`. */
function missingPart<P extends StoragePart>(part: P): StorageParts[P] {
  const refuse = async (): Promise<never> => {
    throw notAvailable(part);
  };
  return new Proxy(Object.create(null) as StorageParts[P], {
    get: (_target, operation) => Reflect.get(READS[part], operation) ?? refuse,
  });
}

/**
 * Adds a stand-in for each part that a storage lacks, so that use cases need not check for it. What the core reads of a missing part is
 * empty. Every other call rejects with `NOT_AVAILABLE`, which names the part.
 */
export function fillParts(storage: CorePorts & SomeParts): CorePorts & StorageParts {
  const present = presentParts(storage);
  const missing = PART_NAMES.filter((part) => !present.has(part)).map((part) => [part, missingPart(part)]);
  // Not spread: a storage may be an instance of a class, which inherits its ports.
  return { ...mapPorts(storage, (port) => port), ...(Object.fromEntries(missing) as StorageParts) };
}
