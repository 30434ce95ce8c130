import { CountersignError } from '../errors.ts';
import type { EvidenceFile } from '../evidence/evidence-file.ts';
import {
  type EvidenceKeeper,
  type FilePart,
  type FilePartName,
  unknownFile,
} from '../evidence/evidence-keeper.ts';
import { isHidden } from '../retention/data-state.ts';
import type { ClientRepository } from '../subscription/client-repository.ts';
import { hasFileAccess } from '../subscription/file-access.ts';
import type { BasePorts } from './base-ports.ts';
import { fromRecord } from './from-record.ts';
import { isOpenedBy } from './hold.ts';
import { unknownVerification } from './read-verifications.ts';
import { submittedFiles, type Verification } from './verification.ts';
import type { VerificationRepository } from './verification-repository.ts';

/** A verification of the client whose files are read. */
export interface FilesOf {
  readonly clientId: string;
  readonly verificationId: string;
  /** The user who may read hidden data once they opened it with a reason. Without it, hidden data is refused. */
  readonly openedBy?: string | undefined;
}

/** A file of a verification of the client. */
export interface FileOfClient extends FilesOf {
  readonly fileId: string;
  /** Without it the file itself. */
  readonly part?: FilePartName | undefined;
}

/** Finds and reads the files that the details of a verification list, if an owner of its client switched access to files on. */
export interface FilesOfClient {
  /**
   * Finds a verification whose files can be read now.
   * @throws CountersignError `VERIFICATION_NOT_FOUND` also for another client's; `FILES_SWITCHED_OFF`; `ILLEGAL_TRANSITION` if the data is
   *   erased, or hidden because its erasure was requested
   */
  open(of: FilesOf): Promise<Verification>;
  /**
   * Finds a file.
   * @throws CountersignError as `open`; `FILE_NOT_FOUND` also for a file of another verification
   */
  find(of: FileOfClient): Promise<EvidenceFile>;
  /**
   * Reads a file or a part of it.
   * @throws CountersignError as `find`; `FILE_NOT_FOUND` also if the content is missing (`faultBehind`)
   */
  read(of: FileOfClient): Promise<FilePart>;
}

export function createFilesOfClient(
  ports: Pick<BasePorts, 'clock' | 'flows'> & {
    clients: Pick<ClientRepository, 'find'>;
    verifications: Pick<VerificationRepository, 'find'>;
    evidence: Pick<EvidenceKeeper, 'read'>;
  },
): FilesOfClient {
  const { clients, verifications, flows, evidence, clock } = ports;

  async function open({ clientId, verificationId, openedBy: userId }: FilesOf): Promise<Verification> {
    const [record, isAllowed] = await Promise.all([
      verifications.find(clientId, verificationId),
      hasFileAccess(clients, clientId),
    ]);
    if (record === null) throw unknownVerification();
    if (!isAllowed) throw new CountersignError('FILES_SWITCHED_OFF');
    if (!isHidden(record)) return fromRecord(record, flows);
    if (userId === undefined) throw hiddenData(record);
    const hidden = fromRecord(record, flows);
    if (!isOpenedBy(hidden, { userId, now: clock.now() })) throw hiddenData(record);
    return hidden;
  }

  async function find(of: FileOfClient): Promise<EvidenceFile> {
    const file = submittedFiles(await open(of)).find(({ id }) => id === of.fileId);
    if (file === undefined) throw unknownFile();
    return file;
  }

  return { open, find, read: async (of) => evidence.read(of, await find(of), of.part) };
}

function hiddenData({ status }: { readonly status: string }): CountersignError {
  const message =
    'The data of the verification is erased, or hidden until it is erased. Its files cannot be read.';
  return new CountersignError('ILLEGAL_TRANSITION', message, { data: { status } });
}
