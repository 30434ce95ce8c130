import { CountersignError } from '@countersign/domain';
import { Hono } from 'hono';

/** `starting` until everything is made that a start makes, `stopping` from the signal on. */
export type Phase = 'starting' | 'serving' | 'stopping';

export interface HealthOptions {
  /** Rejects when storage does not answer, or is not what this version needs. */
  ping(): Promise<void>;
  phase(): Phase;
  onFault(fault: unknown): void;
}

/** In milliseconds. Whoever asks waits for a second or two, and then thinks that the process is gone. */
const READY_WITHIN_MS = 1_500;

const NO_STORE = { 'Cache-Control': 'no-store' };

/** `/healthz`: the process answers. `/readyz`: it can be sent requests. For whoever keeps the server running. */
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

/** Resolves or rejects as the answer does, but not later than it is of use. */
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
