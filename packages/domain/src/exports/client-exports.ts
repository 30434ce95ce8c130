import type { AuditAction } from '../audit/audit-entry.ts';
import { type EvidenceKeeper, unknownFile } from '../evidence/evidence-keeper.ts';
import type { BasePorts } from '../verification/base-ports.ts';
import type { FilesOf, FilesOfClient } from '../verification/files-of-client.ts';
import { unknownVerification } from '../verification/read-verifications.ts';
import type { FindWithData } from '../verification/retained.ts';
import { detailsOf, type VerificationDetails } from '../verification/views.ts';
import {
  type ArchiveEntry,
  archiveEntries,
  DATA_FILE,
  dataFile,
  INCOMPLETE_FILE,
  incompleteFile,
} from './archive.ts';
import { type ExportedFile, exportedFiles } from './exported-file.ts';
import { type ExportedReading, exportedReadings } from './exported-reading.ts';
import { readUnlessLost } from './readable-file.ts';

/** The action of exporting a verification, which users of a team and API keys share. */
export const EXPORT_VERIFICATION_ACTION: AuditAction = 'verifications.export_data';

/** What the client may read of a verification: its details, without the subject's link, which grants access. */
export interface ExportedVerification {
  readonly exportedAt: Date;
  readonly verification: Omit<VerificationDetails, 'verificationUrl' | 'documents'>;
  readonly files: readonly ExportedFile[];
  /** What was read from these files. */
  readonly readings: readonly ExportedReading[];
}

/** A verification of the client as a zip. */
export interface ClientExport {
  /** A plain name of the zip. */
  readonly name: string;
  readonly data: ExportedVerification;
  /**
   * What goes into the zip: the files, then `INCOMPLETE.txt` if the content of some is missing or damaged, then `data.json`, which names
   * them too. A file is read when it is asked for. Fails once the data is hidden or erased, or access to files is switched off, and if a
   * file cannot be read at this moment: end the zip with an error then.
   */
  readonly entries: AsyncGenerator<ArchiveEntry>;
}

/** Exports verifications of the client with their files, if an owner switched access to files on. */
export interface ClientExports {
  /** @throws CountersignError as `FilesOfClient.open` */
  open(of: FilesOf): Promise<ClientExport>;
}

export function createClientExports(
  ports: Pick<BasePorts, 'clock' | 'links' | 'onFault'> & {
    files: Pick<FilesOfClient, 'open'>;
    findWithData: FindWithData;
    evidence: Pick<EvidenceKeeper, 'read'>;
  },
): ClientExports {
  const { files, findWithData, links, clock } = ports;
  return {
    async open(of) {
      const found = await findWithData(of.clientId, of.verificationId);
      if (found === null) throw unknownVerification();
      const requireStill = async (): Promise<void> => void (await files.open(of));
      // After the reading: data that is hidden meanwhile is not handed out.
      await requireStill();

      const { verificationUrl: _, documents, ...verification } = detailsOf(found, links);
      const data = {
        exportedAt: clock.now(),
        verification,
        files: exportedFiles(documents),
        readings: exportedReadings(found.readings ?? [], documents),
      };
      const entries = archiveEntries({
        ...data,
        requireStill,
        async readFile(fileId) {
          const file = found.verification.files.find(({ id }) => id === fileId);
          if (file === undefined) throw unknownFile();
          await requireStill();
          const part = await readUnlessLost(ports, of, file);
          await requireStill();
          return part;
        },
        texts: async (unreadable) => [
          ...(unreadable.length === 0 ? [] : [[INCOMPLETE_FILE, incompleteFile(unreadable)] as const]),
          [DATA_FILE, dataFile(data, unreadable)],
        ],
      });
      return { name: `verification-${verification.id.replaceAll(/[^\w-]/g, '_')}.zip`, data, entries };
    },
  };
}
