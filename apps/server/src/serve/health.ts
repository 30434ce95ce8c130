import { CountersignError } from '@countersign/domain';
import { Hono } from 'hono';

/** `starting` until the start is complete, `stopping` after the stop signal. */
export type Phase = 'starting' | 'serving' | 'stopping';

export interface HealthOptions {
  /** The parts without which a server cannot take requests, by name. A check rejects while its part is not ready. */
  readonly required: Readonly<Record<string, () => Promise<void>>>;
  /** Returns the names of the parts that are down and without which a server takes most requests. */
  degraded(): readonly string[];
  phase(): Phase;
  onFault(fault: unknown): void;
}

/** In milliseconds. Orchestrators give up after a second or two. */
const READY_WITHIN_MS = 1_500;

const NO_STORE = { 'Cache-Control': 'no-store' };

/** Creates `/healthz` (the process runs) and `/readyz` (it can take requests), for orchestrators and load balancers. */
export function createHealth({ required, degraded, phase, onFault }: HealthOptions): Hono {
  const health = new Hono();

  health.get('/healthz', (context) => context.json({ status: 'ok' }, 200, NO_STORE));

  health.get('/readyz', async (context) => {
    const current = phase();
    if (current !== 'serving') return context.json({ status: current }, 503, NO_STORE);
    const notReady = await namesOfFailing(required, onFault);
    if (notReady.length > 0) return context.json({ status: 'unavailable', notReady }, 503, NO_STORE);
    const down = degraded();
    return context.json({ status: 'ready', ...(down.length > 0 && { degraded: down }) }, 200, NO_STORE);
  });

  return health;
}

/** Names only: a response that anyone can read tells nothing else. The log has the reasons. */
async function namesOfFailing(
  checks: HealthOptions['required'],
  onFault: (fault: unknown) => void,
): Promise<readonly string[]> {
  const results = await Promise.all(
    Object.entries(checks).map(async ([name, check]) => {
      try {
        await inTime(check());
        return [];
      } catch (fault) {
        onFault(fault);
        return [name];
      }
    }),
  );
  return results.flat();
}

/** Settles as the answer does, or rejects after `READY_WITHIN_MS`. */
async function inTime(answer: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(
        new CountersignError(
          'SERVICE_UNAVAILABLE',
          `A part of the server did not answer within ${READY_WITHIN_MS} ms`,
        ),
      );
    }, READY_WITHIN_MS);
  });
  try {
    await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}
