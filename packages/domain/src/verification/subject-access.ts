import { CountersignError } from '../errors.ts';
import type { Clock } from '../runtime/clock.ts';
import { invalidLink, type Links } from './link.ts';
import { targetOf } from './status.ts';
import type { VerificationRecord } from './verification-record.ts';
import type { VerificationRepository } from './verification-repository.ts';

/** What a checked link grants: one verification, until the link is renewed or expires. */
export interface SubjectAccess {
  readonly verificationId: string;
  readonly linkVersion: number;
}

/**
 * How the subject comes to their verification. All throw `LINK_INVALID` and `LINK_EXPIRED`. Where the subject has
 * nothing to do any more, an expired link still shows how things stand: it could not be renewed.
 */
export interface SubjectDoor {
  /** By the last part of a `verificationUrl`. */
  open(reference: string): Promise<VerificationRecord>;
  /** By what that granted, to look: only while the link that was opened still is the one. */
  look(access: SubjectAccess): Promise<VerificationRecord>;
  /** The same, to act: only with a link that has not expired, whatever the status. */
  reach(access: SubjectAccess): Promise<VerificationRecord>;
}

export function createSubjectDoor(ports: {
  verifications: VerificationRepository;
  clock: Clock;
  links: Links;
}): SubjectDoor {
  const { verifications, clock, links } = ports;

  function living(record: VerificationRecord): VerificationRecord {
    if (clock.now() >= record.linkExpiresAt) throw new CountersignError('LINK_EXPIRED', 'This link has expired');
    return record;
  }

  function shown(record: VerificationRecord): VerificationRecord {
    return targetOf('renewLink', record.status) === null ? record : living(record);
  }

  async function present({ verificationId, linkVersion }: SubjectAccess): Promise<VerificationRecord> {
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
      return shown(record);
    },

    look: async (access) => shown(await present(access)),
    reach: async (access) => living(await present(access)),
  };
}
