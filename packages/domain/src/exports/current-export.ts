import type { Clock } from '../runtime.ts';
import type { ExportRepository } from './export-repository.ts';
import { type ExportRequest, isReleased } from './export-request.ts';

/** Whether a user may release copies of the client's verifications now. */
export type MayRelease = (userId: string, clientId: string) => Promise<boolean>;

/**
 * Returns an export as it is now. A release ends once the user who made it is removed or has lost the right: the first use of it finds
 * that out and stores its end. A release of the command line has no user.
 */
export type CurrentExport = (stored: ExportRequest) => Promise<ExportRequest>;

export function createCurrentExport(ports: {
  exports: Pick<ExportRepository, 'end'>;
  mayRelease: MayRelease;
  clock: Clock;
}): CurrentExport {
  const { exports, mayRelease, clock } = ports;
  return async (stored) => {
    const { releasedBy, clientId } = stored;
    const now = clock.now();
    if (releasedBy === null || !isReleased(stored, now) || (await mayRelease(releasedBy, clientId))) return stored;
    await exports.end(stored, now);
    return { ...stored, expiresAt: now };
  };
}
