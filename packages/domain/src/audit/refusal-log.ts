import type { JsonObject } from '../input/json.ts';
import { networkOf } from '../rate-limit/client-address.ts';
import type { Runtime } from '../runtime.ts';
import type { AppendFact } from './append-fact.ts';
import { type AuditAction, type AuditFact, USE_KEY_ACTION } from './audit-entry.ts';

/** An entry about an attempt that was refused or failed before it ran. */
export type RefusalFact = Omit<AuditFact, 'at'>;

/**
 * Records refused attempts. The log is permanent, so a caller who repeats a refused request must not fill it: the first
 * refusal of a kind gets an entry immediately, and those that repeat it get one summary each minute.
 */
export interface RefusalLog {
  /** Appends an entry for the first refusal of its kind, or counts one that repeats it. Never rejects. */
  record(fact: RefusalFact): Promise<void>;
  /**
   * Appends the summaries of what was counted since the last ones: `count` attempts between `from` and `to`, with what
   * they have in common. Never rejects; counts that cannot be written stay for the next summary.
   */
  summarise(): Promise<void>;
}

/** The action of a summary of attempts at different actions. */
export const FURTHER_REFUSALS: AuditAction = 'audit.further_refusals';

const SUMMARY_EVERY_MS = 60_000;

/**
 * Kinds of refusals that get an entry immediately, between two summaries. Further kinds are counted together. A user causes at
 * most ten entries a minute: 4 at once, a summary of each, and one each of what else was refused and what else failed.
 */
const KINDS_OF_USER = 4;
/** Anonymous callers of one network: each attempted account is a kind. */
const KINDS_OF_NETWORK = 30;
/** Entries at once of all anonymous callers together: many networks must not fill the log either. */
const LINES_OF_ANONYMOUS = 600;

/** Refused attempts that were counted and are not in a summary yet. */
interface Count {
  count: number;
  from: Date;
  to: Date;
  /** What the counted attempts have in common; undefined before the first. */
  common: RefusalFact | undefined;
}

export function createRefusalLog(
  ports: Pick<Runtime, 'clock' | 'onFault'> & {
    append: AppendFact;
  },
): RefusalLog {
  const { append, clock, onFault } = ports;
  /** Counts by caller and kind. */
  const callers = new Map<string, Map<string, Count>>();
  let linesOfAnonymous = 0;
  let summarisedAt: Date | undefined;

  /** Appends an entry in two attempts, because one fault fails all entries that wait behind it. */
  async function appendOrReport(fact: RefusalFact): Promise<boolean> {
    try {
      await append(fact).catch(() => append(fact));
      return true;
    } catch (fault) {
      onFault(fault);
      return false;
    }
  }

  function countsOf(caller: string): Map<string, Count> {
    const counts = callers.get(caller) ?? new Map<string, Count>();
    callers.set(caller, counts);
    return counts;
  }

  async function summarise(): Promise<void> {
    summarisedAt = clock.now();
    linesOfAnonymous = 0;
    const summaries: Promise<void>[] = [];
    for (const [caller, counts] of callers) {
      for (const [kind, count] of counts) {
        // A kind that was not repeated is new again the next time.
        if (count.common === undefined) counts.delete(kind);
        else summaries.push(summariseOne(count, count.common));
      }
      if (counts.size === 0) callers.delete(caller);
    }
    await Promise.all(summaries);
  }

  async function summariseOne(counted: Count, common: RefusalFact): Promise<void> {
    const { count, from, to } = counted;
    Object.assign(counted, { count: 0, common: undefined });
    const span = { count, from: from.toISOString(), to: to.toISOString() };
    if (await appendOrReport({ ...common, detail: { ...common.detail, ...span } })) return;
    const since = counted.common;
    counted.common = since === undefined ? common : inCommon(common, since);
    counted.count += count;
    counted.from = from;
  }

  /** Returns the counter of a refusal; null if it is the first of its kind, which gets an entry. */
  function counterOf(fact: RefusalFact): Count | null {
    const isAnonymous = fact.actor.kind === 'anonymous';
    const isTooMany = isAnonymous && linesOfAnonymous >= LINES_OF_ANONYMOUS;
    const caller = callerOf(fact);
    const kind = kindOf(fact);
    const running = callers.get(caller)?.get(kind);
    if (running !== undefined) return running;
    // A network without an entry of its own is not remembered, because there may be very many.
    const counts = countsOf(isTooMany ? 'anonymous' : caller);
    if (isTooMany || counts.size >= (isAnonymous ? KINDS_OF_NETWORK : KINDS_OF_USER)) {
      const further = counts.get(fact.outcome) ?? newCount();
      counts.set(fact.outcome, further);
      return further;
    }
    counts.set(kind, newCount());
    if (isAnonymous) linesOfAnonymous += 1;
    return null;
  }

  function newCount(): Count {
    return { count: 0, from: clock.now(), to: clock.now(), common: undefined };
  }

  return {
    async record(fact) {
      const now = clock.now();
      summarisedAt ??= now;
      // Without a background job, summaries follow the next refusal.
      if (now.getTime() - summarisedAt.getTime() >= SUMMARY_EVERY_MS) await summarise();
      const counter = counterOf(fact);
      if (counter === null) return void (await appendOrReport(fact));
      if (counter.common === undefined) counter.from = now;
      counter.common = counter.common === undefined ? fact : inCommon(counter.common, fact);
      counter.count += 1;
      counter.to = now;
    },
    summarise,
  };
}

/** An entry about a request with an API key that works from other networks only. */
export function refusedNetwork(
  key: { readonly id: string; readonly clientId: string },
  from: string | null,
): RefusalFact {
  return {
    actor: { kind: 'api_key', id: key.id },
    from,
    action: USE_KEY_ACTION,
    outcome: 'refused',
    clientId: key.clientId,
    targetId: key.id,
    detail: { reason: 'network', code: 'INVALID_API_KEY' },
  };
}

/** A user, the command line, or the anonymous callers of a network. */
function callerOf({ actor, from }: RefusalFact): string {
  return actor.kind === 'anonymous' ? `anonymous ${networkOf(from ?? '')}` : `${actor.kind} ${actor.id}`;
}

/** Attempts of one kind differ in time only, and in the address within a network. */
function kindOf({ from, action, outcome, clientId, targetId, detail }: RefusalFact): string {
  return JSON.stringify([networkOf(from ?? ''), action, outcome, clientId, targetId, detail]);
}

/** Returns what two refusals of a caller have in common. */
function inCommon(one: RefusalFact, other: RefusalFact): RefusalFact {
  const same = <T>(a: T, b: T): T | null => (a === b ? a : null);
  return {
    ...one,
    from: same(one.from, other.from),
    action: same(one.action, other.action) ?? FURTHER_REFUSALS,
    clientId: same(one.clientId, other.clientId),
    targetId: same(one.targetId, other.targetId),
    detail: commonDetail(one.detail, other.detail),
  };
}

function commonDetail(one: JsonObject, other: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(one).filter(([key, value]) => JSON.stringify(value) === JSON.stringify(other[key])),
  );
}
