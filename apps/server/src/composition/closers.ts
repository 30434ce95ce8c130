/** Closes what a server opened, newest first. */
export interface Closers {
  push(close: () => void | Promise<void>): void;
  /**
   * Closes everything once, newest first, even when some fail.
   * @throws AggregateError of the failures
   */
  closeAll(): Promise<void>;
}

/** Needed because tsyringe's `dispose` does not dispose what factories created. */
export function createClosers(): Closers {
  const stack: (() => void | Promise<void>)[] = [];

  return {
    push: (close) => void stack.push(close),
    async closeAll() {
      const failures: unknown[] = [];
      for (let close = stack.pop(); close !== undefined; close = stack.pop()) {
        try {
          await close();
        } catch (failure) {
          failures.push(failure);
        }
      }
      if (failures.length > 0) throw new AggregateError(failures, 'closing failed');
    },
  };
}
