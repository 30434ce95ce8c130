import type { ExportedFile, PersonalData } from '@countersign/domain';
import { pathOf } from './file-link.tsx';

/** The version of the shape that docs/privacy.md describes. It grows when a name or a meaning changes, not when a name is added. */
const FORMAT_VERSION = 1;

/**
 * Writes a person's data as JSON, for other programs (GDPR Art. 20). Times are ISO 8601 in UTC.
 *
 * @param unreadable files of the data that are not beside it
 */
export function dataFile({ files, ...data }: PersonalData, unreadable: readonly ExportedFile[]): string {
  const present = files.filter((file) => !unreadable.includes(file));
  const written = {
    formatVersion: FORMAT_VERSION,
    ...data,
    files: present.map(({ name, ...file }) => ({ path: pathOf({ name }), ...file })),
    unreadableFiles: unreadable.map(({ name: _, ...file }) => file),
  };
  return `${JSON.stringify(written, null, 2)}\n`;
}
