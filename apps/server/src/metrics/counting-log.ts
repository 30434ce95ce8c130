import type { Log } from '../logging/log.ts';
import type { Metrics } from './metrics.ts';

/** A log whose requests and faults are counted too: whatever is told of, is told here. */
export function createCountingLog(log: Log, metrics: Pick<Metrics, 'request' | 'fault'>): Log {
  return {
    ...log,
    request(line, mountPath) {
      metrics.request(line, mountPath);
      log.request(line, mountPath);
    },
    healthCheck(line) {
      metrics.request(line);
      log.healthCheck(line);
    },
    fault(fault, context) {
      metrics.fault(fault);
      log.fault(fault, context);
    },
  };
}
