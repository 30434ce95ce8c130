import { setTimeout as pause } from 'node:timers/promises';
import { type Steady, steadily } from '../processes/steadily.ts';
import { type Answer, type ApiClient, idOf, newSubject } from './api-client.ts';

/** One request and its response; `begun` and `took` are milliseconds of `performance.now()`. */
export interface Sent {
  readonly begun: number;
  readonly took: number;
  readonly answer: Answer;
}

export interface SteadyLoad extends Steady {
  /** The answered requests so far. */
  readonly sent: readonly Sent[];
  /** The requests without a response yet. */
  readonly unanswered: ReadonlySet<Promise<Answer>>;
  /** The ids of verifications created with 201, by reference. */
  readonly acknowledged: ReadonlyMap<string, string>;
  /** How many of them were replayed: the first attempt succeeded, but its response was lost. */
  readonly replayed: number;
}

/** The pause before a retry. The server asks for one second; a shorter pause shortens the tests. */
const BACK_OFF_MS = 200;

/**
 * Creates verifications continuously, `atOnce` at a time. Retries a 503 with the same Idempotency-Key until it succeeds,
 * also after the stop. Any other response and a broken connection fail the load.
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
    // A retry goes to the next instance.
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
  /** The prefix of the references. */
  readonly name: string;
}
