/** Repositories that seal. Sealing twice would store data that its data key no longer opens, and secrets that no rotation wraps again. */
const SEALED = new WeakSet<object>();

/** Marks a repository that seals. */
export function markSealed(repository: object): void {
  SEALED.add(repository);
}

/** Requires a repository that does not seal. @throws Error if it does */
export function requireUnsealed(repository: object): void {
  if (SEALED.has(repository))
    throw new Error('The storage is sealed already. Pass the storage as its factory returned it.');
}
