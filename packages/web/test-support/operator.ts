import { type Answer, type Fields, OLGA } from './console.ts';
import { type GivenDashboard, givenDashboard } from './dashboard.ts';

/** Test data: the operators' pages, with two clients and their users. Requests are Olga's, an operator, by default. */
export interface GivenOperator extends GivenDashboard {
  open(path: string, as?: string): Promise<Answer>;
  send(path: string, fields?: Fields, as?: string): Promise<Answer>;
  /** Reads all data that a user could change: clients, subscriptions, users and cases. */
  everything(): Promise<unknown>;
}

export async function givenOperator(...options: Parameters<typeof givenDashboard>): Promise<GivenOperator> {
  const dashboard = await givenDashboard(...options);
  const { accounts, countersign, ports, review } = dashboard;
  return {
    ...dashboard,
    open: (path, as = OLGA) => dashboard.open(path, as),
    send: (path, fields = {}, as = OLGA) => dashboard.send(path, fields, as),
    async everything() {
      const clients = await countersign.clients.list();
      const cases = await review.queue({ limit: 100 });
      return {
        clients,
        users: await accounts.staff.list(),
        keys: await Promise.all(clients.map(({ client }) => countersign.apiKeys.list(client.id))),
        cases: await Promise.all(cases.items.map(({ id }) => ports.storage.verifications.findForAnyClient(id))),
      };
    },
  };
}
