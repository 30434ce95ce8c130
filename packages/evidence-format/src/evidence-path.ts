import type { EvidencePlace } from '@countersign/domain/evidence';

/** Letters, digits and hyphens: no such name leads out of its folder, and no other file of ours looks like one. */
export function isEvidenceName(name: string): boolean {
  return /^[A-Za-z0-9-]{1,100}$/.test(name);
}

/**
 * Returns the path of a file in its store, `client/verification/file`; null if an id cannot be a name, because such a file was never
 * written.
 */
export function evidencePathOf({ clientId, verificationId, fileId }: EvidencePlace): string | null {
  const names = [clientId, verificationId, fileId];
  return names.every(isEvidenceName) ? names.join('/') : null;
}

/** Returns the place of a path; null if no stored file has such a path. */
export function evidencePlaceOf(path: string): EvidencePlace | null {
  const [clientId = '', verificationId = '', fileId = '', ...more] = path.split('/');
  if (more.length > 0 || ![clientId, verificationId, fileId].every(isEvidenceName)) return null;
  return { clientId, verificationId, fileId };
}

/** Returns whether a text is the path of a stored file, `client/verification/file`, which leads out of no folder. */
export function isEvidencePath(path: string): boolean {
  return evidencePlaceOf(path) !== null;
}
