/** Returns what was built for a shape, and builds it at the first use. */
export type Shapes<T> = (shape: string, build: () => T) => T;

/** Keeps what is built for each shape, such as statements. Queries of one shape differ in their values only. */
export function createShapes<T>(): Shapes<T> {
  const built = new Map<string, T>();
  return (shape, build) => {
    const found = built.get(shape) ?? build();
    built.set(shape, found);
    return found;
  };
}

/** Stands in a shape for a filter that a query has or has not. */
export function isUsed(filter: unknown): '+' | '-' {
  return filter === undefined ? '-' : '+';
}
