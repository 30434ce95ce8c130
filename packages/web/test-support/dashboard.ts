import type { AuditEntry, CountersignPorts, CountersignSettings } from '@countersign/domain';
import type { WebOptions } from '../src/site/site.ts';
import { type Answer, aUser, CLARA, type Fields, type GivenConsole, givenConsole, PASSWORD } from './console.ts';

/** Test data: the dashboard of a client with an owner (Clara), an agent and a viewer, and another client. */
export interface GivenDashboard extends GivenConsole {
  readonly clientId: string;
  /** Data of another client, which this client's users may not see. */
  readonly foreign: { readonly clientId: string; readonly keyId: string; readonly verificationId: string };
  /** Requests a page as a user who has just confirmed the password. */
  open(path: string, as?: string): Promise<Answer>;
  /** Posts a form as a user who has just confirmed the password. */
  send(path: string, fields?: Fields, as?: string): Promise<Answer>;
  /** Reads the audit log, oldest first. */
  audit(): Promise<readonly AuditEntry[]>;
  /** Returns the last audit entry. */
  lastLine(): Promise<AuditEntry | undefined>;
}

export const ANDY = 'andy';
export const VERA = 'vera';
/** An owner of the other client. */
export const FRED = 'fred';

export async function givenDashboard(
  options: Partial<WebOptions> = {},
  settings: Partial<CountersignSettings> = {},
  morePorts: Partial<Pick<CountersignPorts, 'webhookSender' | 'mailer' | 'recentRequests' | 'serviceStatus'>> = {},
): Promise<GivenDashboard> {
  const console = await givenConsole(options, settings, morePorts);
  const { accounts, countersign, ports, principal } = console;
  const { clientId } = principal;
  const other = await countersign.clients.create({ name: 'Other Bank', plan: 'standard' });
  for (const [id, name, teamRole, of] of [
    [ANDY, 'Andy Agent', 'agent', clientId],
    [VERA, 'Vera <b>Viewer</b>', 'viewer', clientId],
    [FRED, 'Fred Foreign', 'owner', other.client.id],
  ] as const) {
    accounts.add(aUser(id, { role: 'client', clientId: of, name, teamRole }), PASSWORD);
  }
  const issued = await countersign.apiKeys.issue(other.client.id, { name: 'foreign key', permissions: ['*'] });
  const others = await countersign.authenticate(issued.value, { countRequest: false });
  const created = await countersign.verifications.create(others, {
    subjectType: 'kyc',
    subjectReference: 'foreign-subject',
  });
  const cookieOf = (who: string) => accounts.signedIn(who, { confirmedAt: ports.clock.now() });
  const audit = () => ports.storage.audit.read(0, 10_000);

  return {
    ...console,
    clientId,
    foreign: { clientId: other.client.id, keyId: issued.key.id, verificationId: created.verification.id },
    open: (path, as = CLARA) => console.get(path, as, { Cookie: cookieOf(as) }),
    send: (path, fields = {}, as = CLARA) => console.post(path, fields, as, { Cookie: cookieOf(as) }),
    audit,
    lastLine: async () => (await audit()).at(-1),
  };
}
