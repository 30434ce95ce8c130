/**
 * Makes a port with these operations only. If the tested code calls another one, the test fails with its name.
 *
 * @example
 * const verifications = portWith<VerificationRepository>({ find: async () => null });
 */
export function portWith<T extends object>(operations: Partial<T>): T {
  return new Proxy(operations, {
    get(all, name) {
      if (typeof name === 'symbol' || name in all) return Reflect.get(all, name);
      return () => {
        throw new Error(`the operation ${name} is not expected`);
      };
    },
  }) as T;
}
