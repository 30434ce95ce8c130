import { CountersignError } from '@countersign/domain';
import { Hono } from 'hono';

/** `starting` until the start is complete, `stopping` after the stop signal. */
export type Phase = 'starting' | 'serving' | 'stopping';

export interface HealthOptions {
  /** Rejects when storage does not answer or has another schema. */
  ping(): Promise<void>;
  phase(): Phase;
  onFault(fault: unknown): void;
}

/** In milliseconds. Orchestrators give up after a second or two. */
const READY_WITHIN_MS = 1_500;

const NO_STORE = { 'Cache-Control': 'no-store' };

/** Creates `/healthz` (the process runs) and `/readyz` (it can take requests), for orchestrators and load balancers. */
export function createHealth({ ping, phase, onFault }: HealthOptions): Hono {
  const health = new Hono();

  health.get('/healthz', (context) => context.json({ status: 'ok' }, 200, NO_STORE));

  health.get('/readyz', async (context) => {
    const current = phase();
    if (current !== 'serving') return context.json({ status: current }, 503, NO_STORE);
    try {
      await inTime(ping());
      return context.json({ status: 'ready' }, 200, NO_STORE);
    } catch (fault) {
      onFault(fault);
      return context.json({ status: 'unavailable' }, 503, NO_STORE);
    }
  });

  return health;
}

/** Settles as the answer does, or rejects after `READY_WITHIN_MS`. */
async function inTime(answer: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new CountersignError('SERVICE_UNAVAILABLE', `Storage did not answer within ${READY_WITHIN_MS} ms`));
    }, READY_WITHIN_MS);
  });
  try {
    await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}
