import { requirePermission } from '../access/api-key.ts';
import type { Principal } from '../access/authenticate.ts';
import type { AuditAction } from '../audit/audit-entry.ts';
import type { AuditRecorder } from '../audit/audit-recorder.ts';
import { auditAddress, auditDetail, auditId } from '../audit/audit-values.ts';
import { CountersignError, isCountersignError } from '../errors.ts';
import type { EvidenceFile } from '../evidence/evidence-file.ts';
import { type EvidenceKeeper, type FilePart, unknownFile } from '../evidence/evidence-keeper.ts';
import { isHidden } from '../retention/data-state.ts';
import type { ClientRepository } from '../subscription/client-repository.ts';
import type { Flows } from './flow.ts';
import { fromRecord } from './from-record.ts';
import { unknownVerification } from './read-verifications.ts';
import type { VerificationRepository } from './verification-repository.ts';

/** The action of reading a file, which users of a team and API keys share. */
export const READ_FILE_ACTION: AuditAction = 'verifications.read_file';

/** A file of a verification of the client. */
export interface FileOfClient {
  readonly clientId: string;
  readonly verificationId: string;
  readonly fileId: string;
  /** A drawn page; without it the file itself. */
  readonly page?: number | undefined;
}

/** Finds and reads the files that the details of a verification list, if an owner of its client switched access to files on. */
export interface FilesOfClient {
  /**
   * Finds a file.
   * @throws CountersignError `VERIFICATION_NOT_FOUND` also for another client's; `FILES_SWITCHED_OFF`; `ILLEGAL_TRANSITION` if the data is
   *   erased, or hidden because its erasure was requested; `FILE_NOT_FOUND` also for a file of another verification
   */
  find(of: FileOfClient): Promise<EvidenceFile>;
  /**
   * Reads a file, or one of its drawn pages.
   * @throws CountersignError as `find`; `FILE_NOT_FOUND` also if the content is missing, which is reported to `onFault`
   */
  read(of: FileOfClient): Promise<FilePart>;
}

export function createFilesOfClient(ports: {
  clients: Pick<ClientRepository, 'find'>;
  verifications: Pick<VerificationRepository, 'find'>;
  flows: Flows;
  evidence: Pick<EvidenceKeeper, 'read'>;
}): FilesOfClient {
  const { clients, verifications, flows, evidence } = ports;

  async function find({ clientId, verificationId, fileId }: FileOfClient): Promise<EvidenceFile> {
    const [record, owner] = await Promise.all([
      verifications.find(clientId, verificationId),
      clients.find(clientId),
    ]);
    if (record === null) throw unknownVerification();
    if (owner?.client.fileAccess !== true) throw new CountersignError('FILES_SWITCHED_OFF');
    if (isHidden(record)) throw hiddenData(record);
    const file = fromRecord(record, flows).files.find(({ id }) => id === fileId);
    if (file === undefined) throw unknownFile();
    return file;
  }

  return { find, read: async (of) => evidence.read(of, await find(of), of.page) };
}

function hiddenData({ status }: { readonly status: string }): CountersignError {
  const message =
    'The data of the verification is erased, or hidden until it is erased. Its files cannot be read.';
  return new CountersignError('ILLEGAL_TRANSITION', message, { data: { status } });
}

/** Reads files for API keys. */
export interface ClientFiles {
  /**
   * Reads a file. Needs the permission `*`. The audit log gets an entry before the content is read. It gets one of a refusal too; those
   * that repeat it are counted together.
   * @throws CountersignError `INSUFFICIENT_PERMISSIONS`, and as `FilesOfClient`
   */
  readFile(
    principal: Principal,
    verificationId: string,
    fileId: string,
    options?: { readonly from?: string | undefined },
  ): Promise<FilePart>;
}

export function createClientFiles({
  recorder,
  files,
}: {
  recorder: AuditRecorder;
  files: FilesOfClient;
}): ClientFiles {
  return {
    async readFile({ permissions, clientId, keyId }, verificationId, fileId, { from } = {}) {
      requirePermission(permissions, '*');
      const of = { clientId, verificationId, fileId };
      const attempt = {
        actor: { kind: 'api_key', id: keyId },
        from: from === undefined ? null : auditAddress(from),
        action: READ_FILE_ACTION,
        clientId,
        targetId: auditId(verificationId),
        detail: auditDetail({ fileId: auditId(fileId) ?? undefined }),
      } as const;
      try {
        await files.find(of);
      } catch (error) {
        // As for other requests of a key, an unknown verification leaves no entry.
        if (!isCountersignError(error, 'VERIFICATION_NOT_FOUND')) await recorder.notDone(attempt, error);
        throw error;
      }
      return recorder.act({ attempt, run: () => files.read(of) });
    },
  };
}
