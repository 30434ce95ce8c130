import { CountersignError, invalidParameters } from '../errors.ts';
import type { Clock, Secrets } from '../runtime.ts';
import type { NameOfClient } from '../subscription/client-repository.ts';
import { nameForStaff } from '../subscription/test-twin.ts';
import { ERASURE_RULES, type Erasure, type ErasureRule } from './erasure.ts';
import type { RetainedVerification } from './retained-verification.ts';
import type { RetentionRepository } from './retention-repository.ts';
import { hashOfNothing } from './stored-traces.ts';

/** A client as its report names it. */
interface ReportedClient {
  readonly id: string;
  /** With `(test)` behind it for a test twin. */
  readonly name: string;
}

/**
 * What was erased of a client's verifications in a calendar month in UTC. It holds no personal data. Receipts of log entries that had nothing to
 * erase are left out.
 */
export interface RetentionReport {
  readonly client: ReportedClient;
  /** `YYYY-MM`. */
  readonly month: string;
  /** The month, half open. */
  readonly from: Date;
  readonly until: Date;
  readonly madeAt: Date;
  /** Erasures in the month. */
  readonly total: number;
  readonly totals: Readonly<Record<ErasureRule, number>>;
  /** The receipts of `total` in the order of their numbers, read page by page. */
  readonly erasures: () => AsyncIterable<Erasure>;
}

/** Reads reports of any client. */
export interface RetentionReports {
  /**
   * @param month a month that exists, as `YYYY-MM`
   * @throws CountersignError `INVALID_PARAMETERS` for a month that has not begun, `CLIENT_NOT_FOUND`
   */
  report(clientId: string, month: string): Promise<RetentionReport>;
}

interface ReceiptQuery {
  readonly clientId: string;
  readonly from: Date;
  readonly until: Date;
}

/** Receipts in one read. The number is small because a read can block the other requests of this process. */
const BATCH = 100;

export function createRetentionReports(ports: {
  retention: Pick<RetentionRepository, 'erasures' | 'lastErasure'>;
  clients: { find(clientId: string): Promise<{ readonly client: NameOfClient & { readonly id: string } } | null> };
  clock: Clock;
  secrets: Pick<Secrets, 'sha256'>;
}): RetentionReports {
  const { retention, clients, clock, secrets } = ports;
  /** Reads receipts up to a number: later ones are not in the totals. */
  async function* receipts(query: ReceiptQuery, upTo: number): AsyncGenerator<Erasure> {
    const nothing = hashOfNothing(secrets);
    for (let after = 0; ; ) {
      const found = await retention.erasures({ ...query, after, limit: BATCH });
      for (const erasure of found) {
        if (erasure.number > upTo) return;
        if (erasure.hash !== nothing) yield erasure;
      }
      const last = found.at(-1);
      if (last === undefined || found.length < BATCH) return;
      after = last.number;
    }
  }

  return {
    async report(clientId, month) {
      const madeAt = clock.now();
      const from = new Date(`${month}-01T00:00:00.000Z`);
      if (from > madeAt) {
        throw invalidParameters([{ path: 'month', message: 'must not be in the future', code: 'invalid' }]);
      }
      const found = await clients.find(clientId);
      if (found === null) throw new CountersignError('CLIENT_NOT_FOUND');
      const { id } = found.client;
      const name = nameForStaff(found.client);
      const until = new Date(Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + 1));
      const upTo = await retention.lastErasure();
      const erasures = () => receipts({ clientId, from, until }, upTo);
      const totals = await totalsOf(erasures());
      const total = ERASURE_RULES.reduce((sum, rule) => sum + totals[rule], 0);
      return { client: { id, name }, month, from, until, madeAt, total, totals, erasures };
    },
  };
}

async function totalsOf(erasures: AsyncIterable<Erasure>): Promise<Record<ErasureRule, number>> {
  const totals = Object.fromEntries(ERASURE_RULES.map((rule) => [rule, 0])) as Record<ErasureRule, number>;
  for await (const { rule } of erasures) totals[rule] += 1;
  return totals;
}

/** How long an erasure may take. Another process goes on with one after five minutes. */
const LONGEST_MS = 10 * 60 * 1000;

/**
 * Finds up to `limit` erasures that began more than ten minutes ago and have not finished, the earliest first: their data or their files
 * are left, or their entry in the audit log is missing.
 */
export function findUnfinishedErasures(
  retention: Pick<RetentionRepository, 'unfinished'>,
  { now, limit }: { readonly now: Date; readonly limit: number },
): Promise<readonly RetainedVerification[]> {
  return retention.unfinished({ begunBefore: new Date(now.getTime() - LONGEST_MS), limit });
}
