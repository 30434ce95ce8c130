/** Returns a function that computes its result once for each object, and keeps the result as long as the object exists. */
export function oncePer<K extends object, V extends object>(compute: (of: K) => V): (of: K) => V {
  const results = new WeakMap<K, V>();
  return (of) => {
    const result = results.get(of) ?? compute(of);
    results.set(of, result);
    return result;
  };
}
