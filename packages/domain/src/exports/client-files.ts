import { requirePermission } from '../access/api-key.ts';
import type { Principal } from '../access/authenticate.ts';
import { type AuditAction, READ_FILE_ACTION } from '../audit/audit-entry.ts';
import type { AuditRecorder } from '../audit/audit-recorder.ts';
import { auditAddress, auditDetail, auditId } from '../audit/audit-values.ts';
import { isCountersignError } from '../errors.ts';
import type { FilePart } from '../evidence/evidence-keeper.ts';
import type { FilesOf, FilesOfClient } from '../verification/files-of-client.ts';
import { type ClientExport, type ClientExports, EXPORT_VERIFICATION_ACTION } from './client-exports.ts';

/** The network address of a request. */
interface RequestOptions {
  readonly from?: string | undefined;
}

/**
 * Reads files for API keys. Needs the permission `*`. The audit log gets an entry before any content is read. It gets one of a refusal too;
 * those that repeat it are counted together.
 */
export interface ClientFiles {
  /** Reads a file. @throws CountersignError `INSUFFICIENT_PERMISSIONS`, and as `FilesOfClient` */
  readFile(
    principal: Principal,
    verificationId: string,
    fileId: string,
    options?: RequestOptions,
  ): Promise<FilePart>;
  /** Exports a verification with its files. @throws CountersignError `INSUFFICIENT_PERMISSIONS`, and as `ClientExports` */
  exportData(principal: Principal, verificationId: string, options?: RequestOptions): Promise<ClientExport>;
}

export function createClientFiles({
  recorder,
  files,
  exports,
}: {
  recorder: AuditRecorder;
  files: FilesOfClient;
  exports: ClientExports;
}): ClientFiles {
  /** Runs what reads files, after `check`, with an entry in the audit log. */
  async function recorded<T>(
    { permissions, clientId, keyId }: Principal,
    { verificationId, action, fileId, from }: RequestOptions & Recorded,
    { check, run }: Reading<T>,
  ): Promise<T> {
    requirePermission(permissions, '*');
    const of = { clientId, verificationId };
    const attempt = {
      actor: { kind: 'api_key', id: keyId },
      from: from === undefined ? null : auditAddress(from),
      action,
      clientId,
      targetId: auditId(verificationId),
      detail: auditDetail({ fileId: auditId(fileId) ?? undefined }),
    } as const;
    try {
      await check(of);
    } catch (error) {
      // As for other requests of a key, an unknown verification leaves no entry.
      if (!isCountersignError(error, 'VERIFICATION_NOT_FOUND')) await recorder.notDone(attempt, error);
      throw error;
    }
    return recorder.act({ attempt, run: () => run(of) });
  }

  return {
    readFile: (principal, verificationId, fileId, { from } = {}) =>
      recorded(
        principal,
        { verificationId, fileId, action: READ_FILE_ACTION, from },
        { check: (of) => files.find({ ...of, fileId }), run: (of) => files.read({ ...of, fileId }) },
      ),
    exportData: (principal, verificationId, { from } = {}) =>
      recorded(
        principal,
        { verificationId, action: EXPORT_VERIFICATION_ACTION, from },
        { check: files.open, run: exports.open },
      ),
  };
}

interface Reading<T> {
  /** Throws if nothing may be read. */
  readonly check: (of: FilesOf) => Promise<unknown>;
  readonly run: (of: FilesOf) => Promise<T>;
}

/** What an entry of the audit log says. */
interface Recorded {
  readonly verificationId: string;
  readonly fileId?: string | undefined;
  readonly action: AuditAction;
}
