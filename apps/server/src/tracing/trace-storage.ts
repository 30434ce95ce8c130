import type { VerificationEvent } from '@countersign/domain';
import { mapPorts, type Storage } from '@countersign/domain/storage';
import { isSent } from '@countersign/domain/webhooks';
import type { Spans } from './spans.ts';
import { traceMethods } from './trace-methods.ts';

/** As the semantic conventions name databases. */
const SYSTEMS = { sqlite: 'sqlite', postgres: 'postgresql' } as const;

/** Where an event keeps the trace of the request that caused it. The data of an event is emptied when its verification is erased. */
const TRACEPARENT = 'traceparent';

/**
 * Wraps a storage so that each of its operations is a span, and so that events that are sent as webhooks keep the trace in which
 * they are written. Wrap it below the sealing: the sealing passes events on unchanged.
 */
export function traceStorage<S extends Storage>(storage: S, kind: keyof typeof SYSTEMS, spans: Spans): S {
  const traced = mapPorts<Storage>(storage, (port, name) =>
    traceMethods(port, spans, (method) => ({
      name: `${name}.${method}`,
      kind: 'client',
      attributes: { 'db.system.name': SYSTEMS[kind], 'db.operation.name': `${name}.${method}` },
    })),
  );
  const { verifications, retention } = traced;
  const keepTrace = (event: VerificationEvent) => withTraceparent(event, spans.traceparent());

  return {
    ...storage,
    ...traced,
    verifications: overriding(verifications, {
      createCharged: (request) => verifications.createCharged({ ...request, event: keepTrace(request.event) }),
      commit: (change) => verifications.commit({ ...change, events: change.events.map(keepTrace) }),
    }),
    retention: overriding(retention, {
      change: (change) => retention.change({ ...change, events: change.events.map(keepTrace) }),
    }),
  };
}

/** Returns the object with other implementations of some of its methods. */
function overriding<T extends object>(target: T, others: Partial<T>): T {
  return new Proxy(target, {
    get: (_target, key) => Reflect.get(key in others ? others : target, key),
  });
}

function withTraceparent(event: VerificationEvent, traceparent: string | undefined): VerificationEvent {
  if (traceparent === undefined || !isSent(event)) return event;
  return { ...event, data: { ...event.data, [TRACEPARENT]: traceparent } };
}

/** Returns the trace in which an event was written; null for one that was written outside of any, or whose data was erased. */
export function traceparentOfEvent({ data }: Pick<VerificationEvent, 'data'>): string | null {
  const traceparent = data[TRACEPARENT];
  return typeof traceparent === 'string' ? traceparent : null;
}
