import { join } from 'node:path';
import type { EvidencePlace } from '@countersign/domain';

/** The path of one file. */
export interface EvidencePath {
  /** The folder of the client, and within it that of the verification. */
  readonly clientFolder: string;
  readonly folder: string;
  readonly file: string;
}

/** Letters, digits and hyphens: no such name leads out of its folder, and no other file of ours looks like one. */
export function isEvidenceName(name: string): boolean {
  return /^[A-Za-z0-9-]{1,100}$/.test(name);
}

/** The path of a place, or null where an id cannot be a name: such a file was never written. */
export function evidencePathOf(
  directory: string,
  { clientId, verificationId, fileId }: EvidencePlace,
): EvidencePath | null {
  if (![clientId, verificationId, fileId].every(isEvidenceName)) return null;
  const clientFolder = join(directory, clientId);
  const folder = join(clientFolder, verificationId);
  return { clientFolder, folder, file: join(folder, fileId) };
}
