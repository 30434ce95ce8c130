import { isCountersignError } from '@countersign/domain';
import { UnreadableVerificationError } from '@countersign/domain/storage';
import type { Log, RequestLine } from '../logging/log.ts';
import type { Metrics } from './metrics.ts';

const INTERNAL_ERROR = 500;

/** Methods with a time series of their own. Others share one, so that a client cannot create series. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** Wraps a log so that its requests, and its faults of an unavailable storage and of unreadable verifications, are counted. */
export function createCountingLog(log: Log, metrics: Metrics): Log {
  function count({ path, method, status, durationMs, code }: RequestLine, mountPath = ''): void {
    if (code !== undefined) metrics.refusals.inc({ code });
    if (status === INTERNAL_ERROR) metrics.internalErrors.inc();
    const labels = { route: mountPath + path, method: METHODS.has(method) ? method : 'other', status };
    metrics.requests.observe(labels, durationMs / 1_000);
  }

  return {
    ...log,
    request(line, mountPath) {
      count(line, mountPath);
      log.request(line, mountPath);
    },
    healthCheck(line) {
      count(line);
      log.healthCheck(line);
    },
    fault(fault, context) {
      if (isCountersignError(fault, 'SERVICE_UNAVAILABLE')) metrics.storageUnavailable.inc();
      if (fault instanceof UnreadableVerificationError) metrics.unreadableVerifications.inc();
      log.fault(fault, context);
    },
  };
}
