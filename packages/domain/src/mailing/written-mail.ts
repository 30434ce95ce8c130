import type { Mail } from '../mail/mail.ts';
import type { ManageStaff } from '../staff/manage-staff.ts';
import type { ClientRepository } from '../subscription/client-repository.ts';
import type { ReadAppearances } from '../subscription/manage-appearances.ts';
import type { BasePorts } from '../verification/base-ports.ts';
import type { VerificationRepository } from '../verification/verification-repository.ts';
import type { MailContent } from './mailer.ts';
import type { TeamMailSources } from './team-mails.ts';

/** What writing a mail reads. */
export interface MailPorts extends Pick<BasePorts, 'clock' | 'flows' | 'ids' | 'links'> {
  readonly verifications: Pick<VerificationRepository, 'find'>;
  readonly clients: Pick<ClientRepository, 'find'>;
  /** Undefined in a service without accounts. */
  readonly staff: Pick<ManageStaff, 'findByEmail' | 'list'> | undefined;
  readonly appearances: Pick<ReadAppearances, 'shown'>;
  readonly sources: TeamMailSources;
  readonly publicBaseUrl: string;
}

/** What a mail says, as of now. */
export interface WrittenMail {
  readonly content: MailContent;
  /** The live client that causes it; null without one. */
  readonly clientId: string | null;
  /** Makes the mail to queue once this one was sent; null if there is none. */
  readonly next?: () => Mail | null;
}

/** Writes a mail. `moot`: the mail is no longer needed. `early`: its user may be created in a moment. */
export type WriteMail = (mail: Mail) => Promise<WrittenMail | 'moot' | 'early'>;
