import type { StoredReading } from '../reading/stored-reading.ts';

/** What was read from a file, for the person and the client. */
export type ExportedReading = Omit<
  StoredReading,
  'clientId' | 'verificationId' | 'sha256' | 'pictureHash' | 'attempts' | 'isOffered'
>;

/** Lists the readings of the files that an export has. */
export function exportedReadings(
  readings: readonly StoredReading[],
  files: readonly { readonly id: string }[],
): readonly ExportedReading[] {
  const ids = new Set(files.map(({ id }) => id));
  return readings
    .filter(({ fileId }) => ids.has(fileId))
    .map(
      ({
        clientId: _,
        verificationId: __,
        sha256: ___,
        pictureHash: ____,
        attempts: _____,
        isOffered: ______,
        ...reading
      }) => reading,
    );
}
