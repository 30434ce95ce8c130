/** Returns what was built for a shape, and builds it at the first use. */
export type Shapes<T> = (shape: string, build: () => T) => T;

/** Caches what is built for each shape, such as statements. Queries of one shape differ only in their values. */
export function createShapes<T>(): Shapes<T> {
  const built = new Map<string, T>();
  return (shape, build) => {
    const found = built.get(shape) ?? build();
    built.set(shape, found);
    return found;
  };
}

/** Marks in a shape whether a query has a filter. */
export function isUsed(filter: unknown): '+' | '-' {
  return filter === undefined ? '-' : '+';
}
