import type { EvidenceStore } from '../evidence/evidence-store.ts';
import type { IndexRepository } from '../matching/index-repository.ts';
import type { ReadingRepository } from '../reading/reading-repository.ts';
import type { DataKeyRepository } from '../verification/data-key-repository.ts';
import type { VerificationRepository } from '../verification/verification-repository.ts';
import type { WebhookRepository } from '../webhooks/webhook-repository.ts';
import { createCloseGate } from './close-gate.ts';
import { type CorePorts, mapPorts, type PortName, type SomeParts, type StorageParts } from './storage-parts.ts';

/**
 * The ports that an adopter implements for a database of their own, beside any of `StorageParts`. Each operation is atomic in itself; expected
 * outcomes are values, and only faults are thrown: `CountersignError('SERVICE_UNAVAILABLE')` when the database does
 * not answer in time, anything else when it is broken. A call that throws has changed nothing, unless the connection
 * broke before the answer arrived. The package `@countersign/storage-contract` tests an implementation.
 *
 * **Ids.** Ids of clients, API keys, verifications, events, endpoints, attempts, mails and exports, and hashes of keys are unique in the
 * installation: the domain makes them with `Ids` and `Secrets`. A storage throws for the id of a verification, an API key, an endpoint or
 * a mail, and for the hash of a key, that the same client already has, and may throw for one that another client has: a database that is
 * split by client cannot see both. Ids that come in with a request are not checked before: a text that cannot be an id finds nothing.
 *
 * **Order.** A verification's events are numbered by its `version`, without two of one number; a number may be missing. Reads return
 * them in this order, and webhooks are sent in it. There is no order between verifications: times come from several clocks. Text is
 * ordered by Unicode code point, which is the order of its UTF-8 bytes, not that of JavaScript's `<`.
 *
 * **Values.** A storage keeps copies: a later change to an argument or a result changes nothing that is stored. It changes no argument.
 *
 * **Pages.** A page begins after a position. The record at that position need not exist any more, nor match the filters of the query: the
 * page begins with the first match behind it.
 *
 * **Durability.** A storage that keeps its data answers a write once it is durable: the write survives a killed process, a power failure, and
 * `close` and another start. One in memory keeps nothing. A write that rejects may have been stored only if the connection broke before
 * the answer arrived.
 */
export interface CoreStorage extends CorePorts {
  /** Resolves if the database answers and has the schema that this adapter needs; rejects otherwise. */
  ping(): Promise<void>;
  /**
   * Waits for the writes that have begun, answers them, and releases every resource. Closing again is no error.
   *
   * Every other call that begins after a call of `close`, also one of `ping` and also before `close` resolves, rejects with
   * `CountersignError('SERVICE_UNAVAILABLE')` and changes nothing. A read that has begun is answered, or rejects in the same way.
   * `closable` adds this to a storage, and `storageClosed` makes the error.
   */
  close(): Promise<void>;
}

/** A storage with every part: what the server, a copy and a backup need. */
export interface Storage extends CoreStorage, StorageParts {}

/** Where a sealing layer keeps the wrapped data key of each verification. */
export type SealedDataKeys = Pick<DataKeyRepository, 'find' | 'replace'>;

/**
 * Encrypts personal data before it is stored and decrypts it when it is read. `createSealing` of `@countersign/sealing` makes
 * one. The core wraps the storage and the evidence store that it receives: pass both as they are.
 */
export interface Sealing {
  /** Wraps the repository: `answers`, `reviewData` and `notify` of every record are encrypted in `inner`. */
  sealVerifications(inner: VerificationRepository, dataKeys: SealedDataKeys): VerificationRepository;
  /** Wraps the repository: `data` of every reading is encrypted in `inner`. */
  sealReadings(inner: ReadingRepository, dataKeys: SealedDataKeys): ReadingRepository;
  /** Wraps the repository: the `value` of every key is encrypted in `inner`. */
  sealIndexes(inner: IndexRepository): IndexRepository;
  /** Wraps the repository: the secrets of endpoints are encrypted in `inner`. */
  sealWebhooks(inner: WebhookRepository): WebhookRepository;
  /** Wraps the store: the content of every file is encrypted in `inner`. */
  sealEvidence(inner: EvidenceStore, dataKeys: SealedDataKeys): EvidenceStore;
}

type Operation = (...input: readonly unknown[]) => Promise<unknown>;

/**
 * Adds what `Storage.close` promises to a storage whose driver does not do it: waits for running calls, closes once, and rejects
 * every call that begins later.
 *
 * @param storage its `close` only releases resources, and is called once
 * @returns the ports, `ping` and `close` of the storage, and nothing else of it
 *
 * @example
 * import { closable, type Storage } from '@countersign/domain/storage';
 *
 * declare function connect(url: string): Storage;
 *
 * export const createMyStorage = (url: string): Storage => closable(connect(url));
 */
export function closable<S extends CoreStorage & SomeParts>(
  storage: S,
): Pick<S, keyof S & PortName> & Pick<CoreStorage, 'ping' | 'close'> {
  const gate = createCloseGate(() => storage.close());
  const guarded =
    (operation: Operation): Operation =>
    (...input) =>
      gate.run(() => operation(...input));

  const guardedPort = <P extends object>(port: P): P =>
    Object.fromEntries(operationsOf(port).map(([name, operation]) => [name, guarded(operation)])) as P;

  return {
    ...mapPorts(storage, guardedPort),
    ping: () => gate.run(() => storage.ping()),
    close: gate.close,
  };
}

/** Lists the operations of a port by name, bound to it, also those that it inherits from a class. */
function operationsOf(port: object): readonly (readonly [name: string, operation: Operation])[] {
  const names = new Set<string>();
  for (
    let place: unknown = port;
    place !== Object.prototype && place !== null;
    place = Object.getPrototypeOf(place)
  ) {
    for (const name of Object.getOwnPropertyNames(place)) names.add(name);
  }
  names.delete('constructor');
  return [...names].flatMap((name) => {
    const operation: unknown = Reflect.get(port, name);
    return typeof operation === 'function' ? [[name, operation.bind(port) as Operation] as const] : [];
  });
}
