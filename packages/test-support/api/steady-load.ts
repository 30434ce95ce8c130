import { setTimeout as pause } from 'node:timers/promises';
import { type Steady, steadily } from '../processes/steadily.ts';
import { type Answer, type ApiClient, idOf, newSubject } from './api-client.ts';

/** One request and its answer; `begun` and `took` are milliseconds of `performance.now()`. */
export interface Sent {
  readonly begun: number;
  readonly took: number;
  readonly answer: Answer;
}

export interface SteadyLoad extends Steady {
  /** Every answer so far. */
  readonly sent: readonly Sent[];
  /** The requests that have no answer yet. */
  readonly unanswered: ReadonlySet<Promise<Answer>>;
  /** Id by reference of every creation that was answered with 201. */
  readonly acknowledged: ReadonlyMap<string, string>;
  /** How many of these are answers to a repetition whose first attempt had been carried out, unheard. */
  readonly replayed: number;
}

/** How long a client waits before it repeats a request. The server asks for a second; a shorter pause shortens the tests. */
const BACK_OFF_MS = 200;

/**
 * Creates verifications without a pause, `atOnce` at a time. A request that is refused with 503 is repeated with its
 * Idempotency-Key until it is acknowledged, also after the stop. Any other answer is a failure, and so is a broken connection.
 */
export function createSteadily(apiAt: (n: number) => ApiClient, { atOnce, name }: LoadOptions): SteadyLoad {
  const sent: Sent[] = [];
  const unanswered = new Set<Promise<Answer>>();
  const acknowledged = new Map<string, string>();
  let replayed = 0;
  let requests = 0;
  let references = 0;

  async function post(reference: string): Promise<Answer> {
    const begun = performance.now();
    // A repetition goes to the next instance.
    const request = apiAt(requests++).post(newSubject(reference), { 'Idempotency-Key': reference });
    unanswered.add(request);
    const answer = await request;
    unanswered.delete(request);
    sent.push({ begun, took: performance.now() - begun, answer });
    return answer;
  }

  const load = steadily(atOnce, async () => {
    const reference = `${name} ${references++}`;
    let answer = await post(reference);
    while (answer.status === 503) {
      await pause(BACK_OFF_MS);
      answer = await post(reference);
    }
    acknowledged.set(reference, idOf(answer));
    if (answer.headers.get('idempotent-replayed') === 'true') replayed++;
  });

  return {
    ...load,
    sent,
    unanswered,
    acknowledged,
    get replayed() {
      return replayed;
    },
  };
}

export interface LoadOptions {
  readonly atOnce: number;
  /** What the references begin with. */
  readonly name: string;
}
