import { type Answer, createApiClient, idOf, newSubject } from './api-client.ts';

/** On a machine that is too busy for the rate, no more requests than these wait for a response. */
const AT_MOST_OPEN = 100;

export interface SteadyRequests {
  /** How many were answered so far. */
  answered(): number;
  /** How many were answered with a 2xx so far. */
  succeeded(): number;
  /** Waits for the open requests. */
  stop(): Promise<SentRequests>;
}

export interface SentRequests {
  readonly answers: readonly Answer[];
  /** Those of `answers` with 503, with their time in milliseconds of `performance.now()`. */
  readonly refused: readonly { readonly at: number }[];
  /** Creations refused with another status, and broken connections. */
  readonly faults: readonly string[];
  /** The ids of the created verifications, by reference. */
  readonly created: ReadonlyMap<string, string>;
  /** Milliseconds of the slowest request. */
  readonly slowest: number;
  readonly seconds: number;
}

/**
 * Sends creations, with and without an idempotency key, reads and lists at a fixed rate, also while earlier ones wait for a
 * response.
 */
export function requestSteadily(origin: string, key: string, perSecond: number, name = 'user'): SteadyRequests {
  const api = createApiClient(`${origin}/api/v1`, key);
  const answers: Answer[] = [];
  const faults: string[] = [];
  const created = new Map<string, string>();
  const unanswered = new Set<Promise<void>>();
  const begun = performance.now();
  const refused: { at: number }[] = [];
  let sent = 0;
  let succeeded = 0;
  let slowest = 0;
  let latest = '';

  async function create(reference: string, headers?: Record<string, string>): Promise<Answer> {
    const answer = await api.post(newSubject(reference), headers);
    if (answer.status === 503) return answer;
    latest = idOf(answer);
    created.set(reference, latest);
    return answer;
  }

  function answerTo(kind: number, reference: string): Promise<Answer> {
    if (kind === 0) return create(reference, { 'Idempotency-Key': reference });
    if (kind === 1) return create(reference);
    if (kind === 2 && latest !== '') return api.get(`/verifications/${latest}`);
    return api.get('/verifications?limit=10');
  }

  async function send(n: number): Promise<void> {
    const start = performance.now();
    const kind = n % 4;
    const reference = `${name}_${n}`;
    try {
      const answer = await answerTo(kind, reference);
      answers.push(answer);
      if (answer.status === 503) refused.push({ at: performance.now() });
      else if (answer.status < 300) succeeded++;
    } catch (fault) {
      faults.push(`${['creation with a key', 'creation', 'read', 'list'][kind]}: ${String(fault)}`);
    }
    slowest = Math.max(slowest, performance.now() - start);
  }

  const timer = setInterval(() => {
    const due = ((performance.now() - begun) / 1000) * perSecond;
    while (sent < due && unanswered.size < AT_MOST_OPEN) {
      const request = send(sent++).finally(() => unanswered.delete(request));
      unanswered.add(request);
    }
  }, 5);

  return {
    answered: () => answers.length,
    succeeded: () => succeeded,
    async stop() {
      clearInterval(timer);
      await Promise.all(unanswered);
      return { answers, refused, faults, created, slowest, seconds: (performance.now() - begun) / 1000 };
    },
  };
}
