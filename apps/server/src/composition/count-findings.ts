import { STATUSES } from '@countersign/domain';
import { type CountDifference, dayText, type Storage } from '@countersign/domain/storage';
import { type Findings, listed } from '../database/findings.ts';

/** What `doctor` finds in the counts of verifications, which lists and charts show. */
export interface CountFacts {
  /** Days of clients whose counts were not the numbers of their verifications. */
  readonly differing: number;
  /** Those among them that were mended. */
  readonly mended: number;
}

/** Compares the counts of each client with its verifications, client after client. Servers may run meanwhile. */
export async function examineCounts(
  storage: Pick<Storage, 'clients' | 'counters'>,
  { mend }: { readonly mend: boolean },
): Promise<Findings<CountFacts>> {
  const found: CountDifference[] = [];
  for (const { client } of await storage.clients.list()) {
    const differences = await storage.counters.differences(client.id);
    found.push(...differences);
    if (!mend) continue;
    for (const { clientId, day, type } of differences) await storage.counters.recount({ clientId, day, type });
  }
  const texts = listed(found, (difference) => textOf(difference), 'counts');
  const facts = { differing: found.length, mended: mend ? found.length : 0 };
  if (found.length === 0) return { facts, lines: ['Counts of verifications are right'], problems: [] };
  if (mend) return { facts, lines: texts.map((text) => `Mended: ${text}`), problems: [] };
  return { facts, lines: [], problems: [...texts, 'Run countersign doctor --mend-counts to count again'] };
}

function textOf({ clientId, day, type, kept, counted }: CountDifference): string {
  const statuses = STATUSES.filter((status) => kept[status] !== counted[status]);
  const numbers = statuses.map((status) => `${status} ${kept[status]} instead of ${counted[status]}`);
  return `Wrong counts of client ${clientId} on ${dayText(day)}, ${type}: ${numbers.join(', ')}`;
}
