import type { Client } from '../subscription/client-repository.ts';
import { logoPath } from '../subscription/logo-path.ts';
import type { ShownAppearance } from '../subscription/manage-appearances.ts';
import { liveIdOf } from '../subscription/test-twin.ts';
import { fromRecord } from '../verification/from-record.ts';
import { factsAt, type MailLogo, mailNext, type SubjectMails } from '../verification/subject-mails.ts';
import { contentOf } from './mailer.ts';
import type { MailPorts, WriteMail } from './written-mail.ts';

/**
 * Creates the function that writes mails about verifications. There are none about erased or hidden data. A hold does not stop a mail:
 * a missing mail would reveal it.
 */
export function createWriteSubjectMail(ports: MailPorts): WriteMail {
  const { verifications, clients, staff, appearances, flows, links, clock, ids, publicBaseUrl } = ports;

  function mailLogo({ clientId, logo }: ShownAppearance): MailLogo | null {
    const path = logoPath(clientId, logo);
    return path === null || logo === null
      ? null
      : { url: `${publicBaseUrl}${path}`, width: logo.width, height: logo.height };
  }

  /**
   * Whether mail of a client may reach an address. In test mode, only users of the client who have joined get mail: other addresses may
   * belong to anyone, and anyone can be invited.
   */
  async function mayReach({ testOf: clientId }: Client, email: string): Promise<boolean> {
    if (clientId === null) return true;
    if (staff === undefined) return false;
    const user = await staff.findByEmail(email);
    if (user?.clientId !== clientId) return false;
    const team = await staff.list({ clientId });
    return team.some(({ id, hasJoined }) => id === user.id && hasJoined);
  }

  return async ({ id: messageId, kind: queued, clientId, verificationId }) => {
    // Taken before the reads, so that it does not depend on how long they take.
    const nextId = ids.next();
    if (clientId === null || verificationId === null) return 'moot';
    const record = await verifications.find(clientId, verificationId);
    if (record === null) return 'moot';
    const [found, appearance] = await Promise.all([clients.find(clientId), appearances.shown(clientId)]);
    if (found === null || appearance === null) return 'moot';

    const verification = fromRecord(record, flows);
    const { notify, locale, type: subjectType, link, erasureRequestedAt, erasedAt } = verification;
    if (notify === null || erasureRequestedAt !== null || erasedAt !== null) return 'moot';
    const kind = queued as keyof SubjectMails;
    const facts = factsAt(kind, verification, clock.now());
    if (facts === null || !(await mayReach(found.client, notify.email))) return 'moot';
    const { name: clientName, colour, supportAddress } = appearance;
    const seen = { clientName, colour, logo: mailLogo(appearance), supportAddress };
    const url = links.url(verificationId, link.version);
    const values = { ...seen, subjectType, url, linkExpiresAt: link.expiresAt, ...facts };
    return {
      content: contentOf({ kind, messageId, to: notify.email, locale, values }),
      clientId: liveIdOf(found.client),
      next: () => mailNext({ kind, id: nextId, now: clock.now() }, verification),
    };
  };
}
