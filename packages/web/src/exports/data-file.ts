import type { PersonalData } from '@countersign/domain';
import { pathOf } from './file-link.tsx';

/** The version of the shape that docs/privacy.md describes. It grows when a name or a meaning changes, not when a name is added. */
const FORMAT_VERSION = 1;

/** Writes a person's data as JSON, for other programs (GDPR Art. 20). Times are ISO 8601 in UTC. */
export function dataFile({ files, ...data }: PersonalData): string {
  const stored = files.map(({ name, ...file }) => ({ path: pathOf({ name }), ...file }));
  return `${JSON.stringify({ formatVersion: FORMAT_VERSION, ...data, files: stored }, null, 2)}\n`;
}
