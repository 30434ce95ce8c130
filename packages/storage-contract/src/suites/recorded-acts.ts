import type { AuditEntry, Desks, Storage } from '@countersign/domain';
import { expect } from 'vitest';
import { atOnce, range } from '../records/at-once.ts';
import { anAuditQuery, headAt } from '../records/audit.ts';
import { aClient, givenClients } from '../records/clients.ts';
import { clientId } from '../records/ids.ts';
import { serviceOver } from '../records/service.ts';
import { type Suite, suiteOf } from '../suite.ts';

/** The domain itself writes the log, and finds it whole: what is read again has the hash that it had. */
export const recordedActsSuite: Suite = suiteOf('recorded acts', {
  'what is done and what is refused make a chain that is whole': async (storage) => {
    await givenClients(storage, 1);
    const countersign = serviceOver(storage);
    const { clients, audit } = countersign.actingAs({ kind: 'command_line' }).administration;

    await clients.setSandbox(clientId(1), true);
    await clients.setSubscription(clientId(1), { plan: 'enterprise', monthlyLimit: null });
    for (const nobody of [clientId(2), 'not-an-id', '\u0000', '🦉']) {
      await expect(clients.setSandbox(nobody, true)).rejects.toMatchObject({ code: 'CLIENT_NOT_FOUND' });
    }

    const refused = await audit.list({ action: 'clients.switch_sandbox', outcome: 'refused' });
    expect(refused.entries).toHaveLength(4);
    const { entries } = await audit.list({});
    expect(await countersign.verifyAudit()).toMatchObject({ outcome: 'intact', entries: entries.length });
    const noted = (await storage.audit.head()) ?? headAt(0);
    expect(await countersign.verifyAudit({ noted })).toMatchObject({ outcome: 'intact', head: noted });
  },

  'what several instances do at once is one chain that is whole, and all of it is done': async (storage) => {
    await givenClients(storage, 4);
    const desks: Desks[] = range(1, 4).map(() => serviceOver(storage).actingAs({ kind: 'command_line' }));

    await atOnce(4, async (instance) => {
      for (const sandbox of [true, false, true]) {
        await desks[instance]?.administration.clients.setSandbox(clientId(instance + 1), sandbox);
      }
    });

    expect((await storage.clients.list()).map(({ client }) => client)).toEqual(
      range(1, 4).map((n) => aClient(n, { sandbox: true })),
    );
    for (const n of range(1, 4)) expect(await switchesOf(storage, n)).toHaveLength(3);
    const findings = await serviceOver(storage).verifyAudit();
    expect(findings).toMatchObject({ outcome: 'intact', head: await storage.audit.head() });
  },
});

async function switchesOf({ audit }: Storage, n: number): Promise<readonly AuditEntry[]> {
  return audit.list(anAuditQuery({ clientId: clientId(n), action: 'clients.switch_sandbox', outcome: 'allowed' }));
}
