/** The names of the labels of each metric of a text in the format of Prometheus, by the names of its samples. */
export function labelsByMetric(text: string): ReadonlyMap<string, ReadonlySet<string>> {
  const metrics = new Map<string, Set<string>>();
  for (const [, name = '', labels = ''] of text.matchAll(/^([a-z_]\w*)(?:\{(.*)\})? \S+$/gm)) {
    const known = metrics.get(name) ?? new Set();
    for (const [, label = ''] of labels.matchAll(/(?:^|,)(\w+)="(?:[^"\\]|\\.)*"/g)) known.add(label);
    metrics.set(name, known);
  }
  return metrics;
}
