import { Hono } from 'hono';

/** `starting` until everything is made that a start makes, `stopping` from the signal on. */
export type Phase = 'starting' | 'serving' | 'stopping';

export interface HealthOptions {
  /** Rejects when storage does not answer, or is not what this version needs. */
  ping(): Promise<void>;
  phase(): Phase;
  onFault(fault: unknown): void;
}

const NO_STORE = { 'Cache-Control': 'no-store' };

/** `/healthz`: the process answers. `/readyz`: it can be sent requests. For whoever keeps the server running. */
export function createHealth({ ping, phase, onFault }: HealthOptions): Hono {
  const health = new Hono();

  health.get('/healthz', (context) => context.json({ status: 'ok' }, 200, NO_STORE));

  health.get('/readyz', async (context) => {
    const current = phase();
    if (current !== 'serving') return context.json({ status: current }, 503, NO_STORE);
    try {
      await ping();
      return context.json({ status: 'ready' }, 200, NO_STORE);
    } catch (fault) {
      onFault(fault);
      return context.json({ status: 'unavailable' }, 503, NO_STORE);
    }
  });

  return health;
}
