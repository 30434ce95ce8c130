import { periodsUnderFloor, type RetentionFloor } from '@countersign/domain/retention';
import type { Storage } from '@countersign/domain/storage';
import { type Findings, listed } from '../database/findings.ts';

/** What `doctor` finds in the retention policies of clients. */
export interface PolicyFacts {
  /** Clients with a policy of their own. */
  readonly own: number;
  /** Periods of these policies that are shorter than the legal obligation. */
  readonly underFloor: number;
}

/** Clients that are read together. */
const BATCH = 500;

/** Compares the policy of each client with the floor, which may have been raised after the policy was set. */
export async function examinePolicies(
  storage: Pick<Storage, 'clients' | 'retention'>,
  floor: RetentionFloor,
): Promise<Findings<PolicyFacts>> {
  const found: string[] = [];
  let own = 0;
  // A test twin has the policy of its client, which is named once.
  const twins = new Set(
    (await storage.clients.list()).flatMap(({ client }) => (client.testOf === null ? [] : client.id)),
  );
  for (let after: string | null = null; ; ) {
    const clients = await storage.retention.ofClients(after, BATCH);
    for (const { clientId, policy } of clients) {
      if (policy === null || twins.has(clientId)) continue;
      own += 1;
      for (const { period, least } of periodsUnderFloor(policy, floor)) {
        found.push(
          `Retention policy of client ${clientId}: ${period} ${policy[period]} is shorter than the floor ${least}, which applies instead. Run client set-retention ${clientId}`,
        );
      }
    }
    after = clients.at(-1)?.clientId ?? null;
    if (clients.length < BATCH) break;
  }
  const facts = { own, underFloor: found.length };
  return {
    facts,
    lines: [`Retention policies of clients ${own}`],
    problems: listed(found, (line) => line, 'periods'),
  };
}
