import { CountersignError } from '../errors.ts';
import type { BasePorts } from './base-ports.ts';
import { invalidLink } from './link.ts';
import { targetOf } from './status.ts';
import type { VerificationRecord } from './verification-record.ts';

/** Access to one verification by a checked link, until the link is renewed or expires. */
export interface SubjectAccess {
  readonly verificationId: string;
  readonly linkVersion: number;
}

/** A browser that was not used for this time must open the link again. */
export const SUBJECT_SESSION_IDLE_MS: number = 8 * 60 * 60 * 1_000;

/**
 * Resolves a subject's link to their verification. Every method throws `LINK_INVALID` and `LINK_EXPIRED`. When the link
 * can no longer be renewed, an expired one still opens for reading.
 */
export interface SubjectLinks {
  /** Resolves the last part of a `verificationUrl`. */
  open(reference: string): Promise<VerificationRecord>;
  /** Resolves an access for reading: the link that was opened must still be the current one. */
  forReading(access: SubjectAccess): Promise<VerificationRecord>;
  /** Resolves an access for writing: the link must also not have expired, whatever the status. */
  forWriting(access: SubjectAccess): Promise<VerificationRecord>;
}

export function createSubjectLinks(ports: Pick<BasePorts, 'clock' | 'links' | 'verifications'>): SubjectLinks {
  const { verifications, clock, links } = ports;

  function requireUnexpired(record: VerificationRecord): VerificationRecord {
    if (clock.now() < record.linkExpiresAt) return record;
    const { id: verificationId, clientId } = record;
    throw new CountersignError('LINK_EXPIRED', undefined, { data: { verificationId, clientId } });
  }

  function readable(record: VerificationRecord): VerificationRecord {
    return targetOf('renewLink', record.status) === null ? record : requireUnexpired(record);
  }

  async function current({ verificationId, linkVersion }: SubjectAccess): Promise<VerificationRecord> {
    const record = await verifications.findForAnyClient(verificationId);
    if (record === null || record.linkVersion !== linkVersion) throw invalidLink();
    return record;
  }

  return {
    async open(reference) {
      const verificationId = links.idIn(reference);
      const record = await verifications.findForAnyClient(verificationId);
      if (record === null) throw invalidLink();
      links.check(reference, verificationId, record.linkVersion);
      return readable(record);
    },

    forReading: async (access) => readable(await current(access)),
    forWriting: async (access) => requireUnexpired(await current(access)),
  };
}
