import type { BrowseQuery } from '@countersign/domain/storage';
import type { GivenTeam } from './client-team.ts';

/** Inserts verifications of the first client directly into the storage. */
export async function fill({ ports, clientId, pending }: GivenTeam, count: number): Promise<void> {
  const { ids, clock, storage } = ports;
  const first = await storage.verifications.find(clientId, await pending({ subjectReference: 'first' }));
  if (first === null) throw new Error('It was just created');
  for (let number = 1; number < count; number += 1) {
    const id = ids.next();
    await storage.verifications.createCharged({
      record: { ...first, id, subjectReference: `user_${number}` },
      event: {
        id: ids.next(),
        clientId,
        verificationId: id,
        version: 1,
        status: 'pending',
        at: clock.now(),
        actor: { kind: 'system', id: null },
        type: 'verification.created',
        data: {},
      },
      month: '2026-03',
      allowance: 1_000_000,
    });
  }
}

/** Counts the reads of list pages from now on. Read number `failsAt` fails. */
export function watchReads({ ports }: GivenTeam, failsAt = Infinity): { count: number } {
  const { verifications } = ports.storage;
  const reads = { count: 0 };
  const browse = verifications.browse.bind(verifications);
  verifications.browse = async (clientId: string, query: BrowseQuery) => {
    reads.count += 1;
    if (reads.count === failsAt) throw new Error('connection to 10.0.0.7 lost');
    return browse(clientId, query);
  };
  return reads;
}

/** Makes the list endless. @returns the number of reads of its pages */
export async function endless({ ports, clientId, pending }: GivenTeam): Promise<{ count: number }> {
  const { verifications } = ports.storage;
  const record = await verifications.find(clientId, await pending());
  if (record === null) throw new Error('It was just created');
  const reads = { count: 0 };
  verifications.browse = async (_clientId: string, { limit }: BrowseQuery) => {
    reads.count += 1;
    return { records: Array.from({ length: limit }, () => record), totalCount: 1_000_000 };
  };
  return reads;
}
