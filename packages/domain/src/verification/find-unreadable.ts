import type { ClientRepository } from '../subscription/client-repository.ts';
import type { Flows } from './flow.ts';
import { fromRecord } from './from-record.ts';
import type { BrowsePosition, VerificationRepository } from './verification-repository.ts';

export interface FoundUnreadable {
  readonly clientId: string;
  readonly verificationId: string;
  /** Why it cannot be read. */
  readonly fault: unknown;
}

const PAGE = 500;
/** Verifications that are read concurrently. */
const AT_ONCE = 20;

/**
 * Reads every verification of every client and yields those whose stored documents cannot be unsealed or parsed. Each
 * costs one look-up; the caller may stop at any time. Verifications created meanwhile may be missing.
 * @param flows the flows of the installation: a verification of a flow or a version that they lack is unreadable
 */
export async function* findUnreadable(
  storage: {
    readonly verifications: Pick<VerificationRepository, 'browse' | 'findForAnyClient'>;
    readonly clients: Pick<ClientRepository, 'list'>;
  },
  flows: Flows,
): AsyncGenerator<FoundUnreadable, void, undefined> {
  const { verifications, clients } = storage;

  async function faultOf(verificationId: string): Promise<{ fault: unknown } | null> {
    try {
      const record = await verifications.findForAnyClient(verificationId);
      if (record !== null) fromRecord(record, flows);
      return null;
    } catch (fault) {
      return { fault };
    }
  }

  for (const { client } of await clients.list()) {
    let after: BrowsePosition | undefined;
    do {
      const { records } = await verifications.browse(client.id, { ...EVERYTHING, after });
      for (let start = 0; start < records.length; start += AT_ONCE) {
        const ids = records.slice(start, start + AT_ONCE).map(({ id }) => id);
        const faults = await Promise.all(ids.map(faultOf));
        for (const [index, found] of faults.entries()) {
          if (found !== null) yield { clientId: client.id, verificationId: ids[index] ?? '', ...found };
        }
      }
      after = records.length < PAGE ? undefined : records.at(-1);
    } while (after !== undefined);
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
