import { CountersignError } from '../errors.ts';
import { addIndexKey, addNewerKeys, indexedTerms, labelsBy, removeOlderKeys } from '../matching/index-labels.ts';
import type { IndexedVerification, IndexKey, IndexRepository } from '../matching/index-repository.ts';
import { INDEX_RULES_VERSION } from '../matching/index-terms.ts';
import type { Secrets } from '../runtime.ts';
import type { ClientRepository } from '../subscription/client-repository.ts';
import { createIndexesFamilyNames } from '../subscription/flow-rules.ts';
import type { Flows } from './flow.ts';
import { fromRecord } from './from-record.ts';
import { allTermsOf } from './submitted-terms.ts';
import type { VerificationRepository } from './verification-repository.ts';
import { WORK_PAGE, type WorkOptions, workThrough } from './work-through.ts';

/** What a rebuild of the index works on. */
export interface RebuildIndexPorts {
  /** Sealed if the installation seals. */
  readonly storage: {
    readonly clients: Pick<ClientRepository, 'find' | 'list'>;
    readonly verifications: Pick<VerificationRepository, 'find'>;
    readonly indexes: IndexRepository;
  };
  readonly secrets: Secrets;
  readonly flows: Flows;
}

/** Which verifications are labelled again. */
export interface RebuildIndexOptions extends WorkOptions {
  /** Default: all clients. */
  readonly clientId?: string | undefined;
  /** Whether each client that has a key gets a new one first. Default: only what is behind is labelled. */
  readonly newKey?: boolean | undefined;
}

/** The result of a rebuild. */
export interface RebuiltIndex {
  /** Verifications that were labelled. */
  readonly labelled: number;
  /** Verifications that were left out: they cannot be read, or the key of their client cannot. */
  readonly unreadable: number;
  readonly keysAdded: number;
  /** Keys that labelled nothing any more. */
  readonly keysRemoved: number;
}

type Place = Pick<IndexedVerification, 'clientId' | 'verificationId'>;

/** How often a verification that changes meanwhile is read again. */
const ATTEMPTS = 5;

/**
 * Labels every verification that has no labels, or labels of an older key or of earlier rules, and deletes older keys that label nothing
 * any more. Meanwhile all are found by the labels that they have. It can run beside servers and other rebuilds, and continues after an
 * interruption with what is left. A verification that cannot be read is left out. One that waits for its subject is labelled by its
 * submission.
 * @throws CountersignError `CLIENT_NOT_FOUND`, `SERVICE_UNAVAILABLE`
 */
export async function rebuildIndex(
  ports: RebuildIndexPorts,
  options: RebuildIndexOptions = {},
): Promise<RebuiltIndex> {
  const { clients, indexes } = ports.storage;
  const { clientId } = options;
  const clientIds = await clientsOf(clients, clientId);
  const keysAdded =
    options.newKey === true ? await addNewerKeys({ indexes, secrets: ports.secrets }, clientIds) : 0;

  const which = { rulesVersion: INDEX_RULES_VERSION, clientId };
  const behind = {
    total: await indexes.countBehind(which),
    page: (after: Place | null) =>
      indexes.listBehind({ ...which, after: after?.verificationId ?? null, limit: WORK_PAGE }),
  };
  const count = await workThrough(behind, (place) => labelOne(ports, place), options);
  const keysRemoved = await removeOlderKeys(indexes, clientIds);
  return { labelled: count('labelled'), unreadable: count('unreadable'), keysAdded, keysRemoved };
}

async function clientsOf(
  clients: Pick<ClientRepository, 'find' | 'list'>,
  clientId: string | undefined,
): Promise<readonly string[]> {
  if (clientId === undefined) return (await clients.list()).map(({ client }) => client.id);
  if ((await clients.find(clientId)) === null) throw new CountersignError('CLIENT_NOT_FOUND');
  return [clientId];
}

/** Labels a verification by the newest key of its client. @throws if one of both cannot be read */
async function labelOne(
  { storage: { clients, verifications, indexes }, secrets, flows }: RebuildIndexPorts,
  place: Place,
): Promise<'labelled'> {
  const { clientId, verificationId } = place;
  const indexesFamilyNames = createIndexesFamilyNames(clients);
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const [newest] = await indexes.keys(clientId);
    const key: IndexKey | undefined =
      newest ?? (await addIndexKey({ indexes, secrets }, { clientId, version: 0 }));
    if (key === undefined) break;
    const record = await verifications.find(clientId, verificationId);
    if (record === null) break;
    const terms = await indexedTerms(allTermsOf(fromRecord(record, flows)), () => indexesFamilyNames(clientId));
    if (await indexes.save(place, labelsBy(secrets, key, terms), record.version)) break;
  }
  // After the last attempt too: it was submitted, sent back or erased meanwhile, or a later run labels it.
  return 'labelled';
}
