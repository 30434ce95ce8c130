import { join } from 'node:path';
import { SettingError } from './errors.ts';
import { directoryOf, isWithin } from './file-urls.ts';

const VARIABLE = 'ERASURE_LOG_URL';
const EXAMPLE = 'file:/srv/countersign/erasures';

/**
 * Returns the absolute path of the folder of the erasure log.
 * @throws SettingError if it is in the evidence folder: a backup of that would have the log of its own time, which knows no later erasure
 */
export function erasureLogDirectory(
  url: string | undefined,
  { dataDir, evidenceDir }: { readonly dataDir: string; readonly evidenceDir: string | undefined },
): string {
  const directory =
    url === undefined
      ? join(dataDir, 'erasures')
      : directoryOf(VARIABLE, url, {
          example: EXAMPLE,
          apartFrom: { DATA_DIR: dataDir, ...(evidenceDir !== undefined && { EVIDENCE_URL: evidenceDir }) },
        });
  if (evidenceDir === undefined || !isWithin(directory, evidenceDir)) return directory;
  throw new SettingError(
    VARIABLE,
    `is in the folder of EVIDENCE_URL: expected file: and a directory outside of it, such as ${EXAMPLE}`,
  );
}

/** Returns a line if a production server keeps its erasure log where a restored copy of DATA_DIR replaces it. */
export function erasureLogWarnings(url: string | undefined, production: boolean): string[] {
  if (url !== undefined || !production) return [];
  return [
    `${VARIABLE} is not set: the erasure log is in DATA_DIR. Set it to a folder outside DATA_DIR and all backups, so that no restored copy replaces it`,
  ];
}
