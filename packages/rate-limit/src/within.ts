/**
 * Resolves as the work does, or rejects when it takes longer. The work goes on, and its outcome is ignored.
 */
export function within<T>(ms: number, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      // Timers come before what the network brought: after a pause of this process, the answer may be here already.
      setImmediate(() => reject(new Error(`no answer within ${ms} ms`)));
    }, ms);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
