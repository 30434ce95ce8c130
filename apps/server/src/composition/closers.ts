/** Closes what a server opened, in reverse order. */
export interface Closers {
  push(close: () => void | Promise<void>): void;
  /**
   * Closes everything, newest first, each once, even if one of them fails.
   * @throws AggregateError of what failed
   */
  closeAll(): Promise<void>;
}

/** tsyringe's `dispose` does not dispose what factories made, so each part registers how it is closed. */
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
