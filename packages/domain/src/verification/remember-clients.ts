/** Most verifications whose client is remembered: about 200 bytes each. */
const REMEMBERED_MAX = 10_000;

/** Finds the client of a verification; null for an unknown one. */
type ClientOf = (verificationId: string) => Promise<string | null>;

/**
 * Reads the client of each verification once: it never changes. An audit entry names it before an action runs, so that every
 * action of a reviewer would read it again. Forgets the oldest above 10,000. Remembers no unknown verification.
 */
export function rememberClients(read: ClientOf): ClientOf {
  const known = new Map<string, string>();
  return async (verificationId) => {
    const remembered = known.get(verificationId);
    if (remembered !== undefined) return remembered;
    const clientId = await read(verificationId);
    if (clientId === null) return null;
    if (known.size >= REMEMBERED_MAX) known.delete(known.keys().next().value ?? '');
    known.set(verificationId, clientId);
    return clientId;
  };
}
