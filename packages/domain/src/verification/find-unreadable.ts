import type { EvidenceFile } from '../evidence/evidence-file.ts';
import type { ClientRepository } from '../subscription/client-repository.ts';
import type { Flows } from './flow.ts';
import { fromRecord } from './from-record.ts';
import type { BrowsePosition, VerificationRepository } from './verification-repository.ts';

/** A verification that cannot be read. */
export interface FoundUnreadable {
  readonly clientId: string;
  readonly verificationId: string;
  /** Why it cannot be read. */
  readonly fault: unknown;
}

/** A verification that was read, with the files it names, or one that cannot be read. */
export type InspectedVerification =
  | {
      readonly outcome: 'readable';
      readonly clientId: string;
      readonly verificationId: string;
      readonly files: readonly EvidenceFile[];
    }
  | ({ readonly outcome: 'unreadable' } & FoundUnreadable);

/** The parts of a storage that an inspection reads. */
export interface InspectedStorage {
  readonly verifications: Pick<VerificationRepository, 'browse' | 'findForAnyClient'>;
  readonly clients: Pick<ClientRepository, 'list'>;
}

/** Few, because other requests wait for each page of a storage in this process. */
const PAGE = 50;
/** Verifications that are read concurrently. */
const AT_ONCE = 20;

/**
 * Reads every verification of every client. Each costs one look-up; the caller may stop at any time. Verifications created
 * meanwhile may be missing.
 * @param flows the flows of the installation: a verification of a flow or a version that they lack is unreadable
 */
export async function* inspectVerifications(
  { verifications, clients }: InspectedStorage,
  flows: Flows,
): AsyncGenerator<InspectedVerification, void, undefined> {
  async function inspect(clientId: string, verificationId: string): Promise<InspectedVerification> {
    const place = { clientId, verificationId };
    try {
      const record = await verifications.findForAnyClient(verificationId);
      const files = record === null ? [] : fromRecord(record, flows).files;
      return { outcome: 'readable', ...place, files };
    } catch (fault) {
      return { outcome: 'unreadable', ...place, fault };
    }
  }

  for (const { client } of await clients.list()) {
    let after: BrowsePosition | undefined;
    do {
      const { records } = await verifications.browse(client.id, { ...EVERYTHING, after });
      for (let start = 0; start < records.length; start += AT_ONCE) {
        const ids = records.slice(start, start + AT_ONCE).map(({ id }) => id);
        yield* await Promise.all(ids.map((id) => inspect(client.id, id)));
      }
      after = records.length < PAGE ? undefined : records.at(-1);
    } while (after !== undefined);
  }
}

/** Yields the verifications whose stored documents cannot be unsealed or parsed, as `inspectVerifications` finds them. */
export async function* findUnreadable(
  storage: InspectedStorage,
  flows: Flows,
): AsyncGenerator<FoundUnreadable, void, undefined> {
  for await (const inspected of inspectVerifications(storage, flows)) {
    if (inspected.outcome === 'readable') continue;
    const { clientId, verificationId, fault } = inspected;
    yield { clientId, verificationId, fault };
  }
}

const EVERYTHING = {
  status: undefined,
  type: undefined,
  subjectReferencePrefix: undefined,
  requestedFrom: undefined,
  requestedUntil: undefined,
  limit: PAGE,
  withoutTotal: true,
};
