import type { ApiKeyRepository } from '../access/api-key-repository.ts';
import type { AuditLog } from '../audit/audit-log.ts';
import type { RetentionRepository } from '../erasure/retention-repository.ts';
import type { ExportRepository } from '../exports/export-repository.ts';
import type { MailQueue } from '../mail/mail-queue.ts';
import type { IndexRepository } from '../matching/index-repository.ts';
import type { ReadingRepository } from '../reading/reading-repository.ts';
import { STORAGE_PARTS, type StoragePart } from '../storage-part.ts';
import type { ClientAppearanceRepository } from '../subscription/appearance-repository.ts';
import type { ClientRepository } from '../subscription/client-repository.ts';
import type { CounterRepository } from '../verification/counter-repository.ts';
import type { DataKeyRepository } from '../verification/data-key-repository.ts';
import type { HandOverRepository } from '../verification/hand-over-repository.ts';
import type { VerificationRepository } from '../verification/verification-repository.ts';
import type { WebhookRepository } from '../webhooks/webhook-repository.ts';

/** The ports that every storage has. */
export interface CorePorts {
  readonly clients: ClientRepository;
  readonly apiKeys: ApiKeyRepository;
  readonly verifications: VerificationRepository;
  readonly dataKeys: DataKeyRepository;
  readonly audit: AuditLog;
}

/** The ports that a storage may lack, each as a whole: its parts. */
export interface StorageParts extends Readonly<Record<StoragePart, object>> {
  readonly webhooks: WebhookRepository;
  readonly retention: RetentionRepository;
  readonly exports: ExportRepository;
  readonly handOvers: HandOverRepository;
  readonly readings: ReadingRepository;
  readonly indexes: IndexRepository;
  readonly mails: MailQueue;
  readonly appearances: ClientAppearanceRepository;
  readonly counters: CounterRepository;
}

/** Any of the parts, or none. */
export type SomeParts = { readonly [P in StoragePart]?: StorageParts[P] | undefined };

/** The name of a port of the core or of a part. */
export type PortName = keyof CorePorts | StoragePart;

const CORE: Readonly<Record<keyof CorePorts, true>> = {
  clients: true,
  apiKeys: true,
  verifications: true,
  dataKeys: true,
  audit: true,
};

/** The parts that a storage may lack, by name. */
export const PART_NAMES: readonly StoragePart[] = namesIn(STORAGE_PARTS);

const PORT_NAMES: readonly PortName[] = [...namesIn(CORE), ...PART_NAMES];

function namesIn<Name extends string>(list: Readonly<Record<Name, unknown>>): Name[] {
  const names: Name[] = [];
  for (const name in list) names.push(name);
  return names;
}

/** Returns a port of a storage; null if it is missing. Programs in plain JavaScript may also pass null for it. */
function portOf(
  storage: Partial<CorePorts> & SomeParts,
  name: PortName,
): CorePorts[keyof CorePorts] | StorageParts[StoragePart] | null {
  return storage[name] ?? null;
}

/**
 * Returns the parts that a storage has.
 *
 * @example
 * const erasesData = presentParts(storage).has('retention');
 */
export function presentParts(storage: SomeParts): ReadonlySet<StoragePart> {
  return new Set(PART_NAMES.filter((part) => portOf(storage, part) !== null));
}

/**
 * Replaces each port that a storage has by the result of `change`. Parts that the storage lacks stay missing.
 * @returns the ports, and nothing else of the storage
 *
 * @example
 * const counted = { ...storage, ...mapPorts(storage, (port, name) => countCalls(port, name)) };
 */
export function mapPorts<S extends CorePorts & SomeParts>(
  storage: S,
  change: <P extends object>(port: P, name: PortName) => P,
): Pick<S, keyof S & PortName> {
  const ports = PORT_NAMES.flatMap((name) => {
    const port = portOf(storage, name);
    return port === null ? [] : [[name, change(port, name)] as const];
  });
  return Object.fromEntries(ports) as Pick<S, keyof S & PortName>;
}
