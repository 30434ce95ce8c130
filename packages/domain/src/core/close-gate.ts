import { CountersignError } from '../errors.ts';

/** Makes the error of a call that begins after `Storage.close` was called: `SERVICE_UNAVAILABLE`. */
export function storageClosed(): CountersignError {
  return new CountersignError(
    'SERVICE_UNAVAILABLE',
    'The storage is closed. Close it after everything that uses it.',
  );
}

/** Lets calls through until it is closed. */
export interface CloseGate {
  /** Makes the call. Once `close` was called, rejects with the error of `storageClosed` instead. */
  run<R>(call: () => Promise<R>): Promise<R>;
  /** Waits for the calls that run, then releases the resources: once, however often it is called. */
  close(): Promise<void>;
}

/**
 * Creates what `Storage.close` promises around calls that do not do it themselves.
 *
 * @param release releases the resources of the calls; called once
 *
 * @example
 * const gate = createCloseGate(() => database.close());
 * const find = (id: string) => gate.run(() => database.find(id));
 */
export function createCloseGate(release: () => Promise<void>): CloseGate {
  const running = new Set<Promise<unknown>>();
  let closing: Promise<void> | undefined;
  return {
    run(call) {
      if (closing !== undefined) return Promise.reject(storageClosed());
      const answer = call();
      const end = (): boolean => running.delete(answer);
      running.add(answer);
      answer.then(end, end);
      return answer;
    },
    close: () => (closing ??= Promise.allSettled(running).then(release)),
  };
}
