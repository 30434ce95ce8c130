import type { KeyRange } from './store.ts';

interface Node<V> {
  readonly key: string;
  value: V;
  readonly weight: number;
  before: Node<V> | undefined;
  after: Node<V> | undefined;
}

type Tree<V> = Node<V> | undefined;

/** Values in the order of their keys, which is that of JavaScript's `<`. */
export interface SortedMap<V> {
  get(key: string): V | undefined;
  set(key: string, value: V): void;
  delete(key: string): void;
  /** Lists the entries of a range in the order of their keys, up to its limit. */
  range(range: KeyRange): [key: string, value: V][];
}

/** The numbers of Park and Miller (Communications of the ACM 31, 1988): each follows from the one before it. */
const [FACTOR, MODULUS] = [48_271, 2_147_483_647];

/**
 * Creates an empty sorted map. It inserts, deletes and finds the start of a range in O(log n): a binary search tree that stays flat because each node
 * has a greater weight than those below it, and weights have nothing to do with keys.
 *
 * @example
 * import { createSortedMap } from '@countersign/storage-keyvalue';
 *
 * const map = createSortedMap<number>();
 * map.set('b', 2);
 * map.set('a', 1);
 * map.range({ from: 'a', until: 'z', backwards: false, limit: 10 }); // [['a', 1], ['b', 2]]
 */
export function createSortedMap<V>(): SortedMap<V> {
  const nodes = new Map<string, Node<V>>();
  let root: Tree<V>;
  let weight = 1;
  return {
    get: (key) => nodes.get(key)?.value,
    set(key, value) {
      const present = nodes.get(key);
      if (present !== undefined) {
        present.value = value;
        return;
      }
      weight = (weight * FACTOR) % MODULUS;
      const added = { key, value, weight, before: undefined, after: undefined };
      nodes.set(key, added);
      root = inserted(root, added);
    },
    delete(key) {
      if (nodes.delete(key)) root = removed(root, key);
    },
    range(range) {
      const found: [string, V][] = [];
      collect(root, range, found);
      return found;
    },
  };
}

function inserted<V>(tree: Tree<V>, added: Node<V>): Node<V> {
  if (tree === undefined) return added;
  if (added.weight > tree.weight) {
    [added.before, added.after] = split(tree, added.key);
    return added;
  }
  if (added.key < tree.key) tree.before = inserted(tree.before, added);
  else tree.after = inserted(tree.after, added);
  return tree;
}

/** Splits a tree into the keys before a key, and those after it. */
function split<V>(tree: Tree<V>, key: string): [before: Tree<V>, after: Tree<V>] {
  if (tree === undefined) return [undefined, undefined];
  if (tree.key < key) {
    const [before, after] = split(tree.after, key);
    tree.after = before;
    return [tree, after];
  }
  const [before, after] = split(tree.before, key);
  tree.before = after;
  return [before, tree];
}

/** Joins two trees, the keys of one before those of the other. */
function joined<V>(before: Tree<V>, after: Tree<V>): Tree<V> {
  if (before === undefined || after === undefined) return before ?? after;
  if (before.weight > after.weight) {
    before.after = joined(before.after, after);
    return before;
  }
  after.before = joined(before, after.before);
  return after;
}

function removed<V>(tree: Tree<V>, key: string): Tree<V> {
  if (tree === undefined) return undefined;
  if (tree.key === key) return joined(tree.before, tree.after);
  if (key < tree.key) tree.before = removed(tree.before, key);
  else tree.after = removed(tree.after, key);
  return tree;
}

function collect<V>(tree: Tree<V>, range: KeyRange, found: [string, V][]): void {
  if (tree === undefined || found.length >= range.limit) return;
  const { key, value, before, after } = tree;
  const [isAfterStart, isBeforeEnd] = [key >= range.from, key < range.until];
  if (range.backwards ? isBeforeEnd : isAfterStart) collect(range.backwards ? after : before, range, found);
  if (isAfterStart && isBeforeEnd && found.length < range.limit) found.push([key, value]);
  if (range.backwards ? isAfterStart : isBeforeEnd) collect(range.backwards ? before : after, range, found);
}
