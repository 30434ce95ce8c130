import { until } from '@countersign/test-support/processes/until';
import { webhookEndpoint } from '@countersign/test-support/records/webhook-endpoint';
import { describeWith, type PostgresServer, startPostgres } from '@countersign/test-support/servers';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { rawConnection } from '../../../test-support/raw.ts';
import { aCreateRequest, CLIENT } from '../../../test-support/records.ts';
import { createPostgresStorage } from '../../postgres-storage.ts';
import { momentText } from '../../rows/parse-row.ts';
import { MOVE_LATE } from './endpoints.ts';

const NOW = new Date('2026-03-10T12:00:00Z');
const EVENTS = ['eeeeeeee-0000-7000-8000-000000000001', 'eeeeeeee-0000-7000-8000-000000000002'];

describeWith(['postgres'], 'late deliveries of a changed endpoint', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres({ fsync: false });
  });
  afterAll(() => server.stop());

  it.each([
    ['the first delivery and then the second', EVENTS],
    ['the second delivery and then the first', EVENTS.toReversed()],
  ])(
    'change of an endpoint: beside a settle that locks %s, neither is refused with a deadlock',
    async (_, [first = '', second = '']) => {
      const url = await server.createDatabase();
      const storage = await createPostgresStorage({ url });
      onTestFinished(() => storage.close());
      const endpoint = webhookEndpoint({ clientId: CLIENT.id });
      await storage.clients.create({ client: CLIENT, subscription: null });
      await storage.webhooks.add(endpoint);
      const verification = aCreateRequest(1);
      await storage.verifications.createCharged(verification);
      const open = () => rawConnection(onTestFinished, url);
      const [settling, moving, watching] = [open(), open(), open()];
      for (const [n, event] of EVENTS.entries()) {
        await watching.unsafe(DELIVERY, [CLIENT.id, endpoint.id, event, verification.record.id, n + 1]);
      }
      const delay = 'update webhook_deliveries set attempts = attempts + 1 where event_id = $1';
      const values = { clientId: CLIENT.id, endpointId: endpoint.id, now: momentText(NOW) };

      const moved = await settling.begin(async (settle) => {
        await settle`select from webhook_endpoints for no key update`;
        await settle.unsafe(delay, [first]);
        const move = moving
          .unsafe(MOVE_LATE.text, MOVE_LATE.parametersOf(values) as string[])
          .then(({ count }) => count);
        move.catch(() => undefined);
        await until(
          async () => (await watching`select from pg_stat_activity where wait_event_type = 'Lock'`).length > 0,
        );
        await settle.unsafe(delay, [second]);
        return { move };
      });

      expect(await moved.move).toBe(2);
    },
  );
});

const DELIVERY = `insert into webhook_deliveries
  (client_id, endpoint_id, event_id, verification_id, version, type, at, state, attempts, due_at)
  values ($1, $2, $3, $4, $5, 'verification.created', now(), 'waiting', 0, 'infinity')`;
