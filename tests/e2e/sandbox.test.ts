import { type ApiClient, dataOf, expectRefusal, idOf } from '@countersign/test-support/api/api-client';
import { auditLines } from '@countersign/test-support/installation/audit-lines';
import { type GivenApi, givenApi } from '@countersign/test-support/installation/customer';
import { tallyOf } from '@countersign/test-support/installation/database-file';
import { operate } from '@countersign/test-support/installation/operator';
import { countersign } from '@countersign/test-support/processes/command-line';
import {
  NO_RATE_LIMITS,
  type ServerProcess,
  startServer,
} from '@countersign/test-support/processes/server-process';
import { until } from '@countersign/test-support/processes/until';
import { beforeAll, describe, expect, it } from 'vitest';

const OUTCOMES = ['approved', 'rejected', 'action_needed'] as const;
const TYPES = ['kyc', 'kyb'] as const;
/** Each of the two transitions takes a second; the rest is for slow machines. */
const IN_SECONDS = 20_000;

let server: ServerProcess;
let sandbox: GivenApi;
let ordinary: GivenApi;
let made = 0;

beforeAll(async () => {
  server = await startServer({ env: NO_RATE_LIMITS });
  [sandbox, ordinary] = await Promise.all([givenApi(server), givenApi(server)]);
  // With the command line, as an operator would; other tests switch in this process, which is faster.
  await countersign(['client', 'sandbox', sandbox.clientId, 'on'], server.env);
});

async function create(api: ApiClient, sandboxOutcome: unknown, subjectType: string = 'kyc'): Promise<string> {
  made += 1;
  return idOf(await api.post({ subjectType, subjectReference: `person-${made}`, metadata: { sandboxOutcome } }));
}

const detailsOf = async (api: ApiClient, id: string) => dataOf(await api.get(`/verifications/${id}/details`));

async function reaches(api: ApiClient, id: string, status: string): Promise<Record<string, unknown>> {
  await until(async () => (await detailsOf(api, id)).status === status);
  return detailsOf(api, id);
}

const historyOf = ({ history }: Record<string, unknown>) =>
  (history as { status: string; actor: string }[]).map(({ status, actor }) => [status, actor]);

describe('a sandbox', () => {
  it('drives verifications of people and businesses to each outcome within seconds', {
    timeout: IN_SECONDS,
  }, async () => {
    await Promise.all(
      TYPES.flatMap((type) =>
        OUTCOMES.map(async (outcome) => {
          const id = await create(sandbox.api, outcome, type);
          const details = await reaches(sandbox.api, id, outcome);

          expect(historyOf(details)).toEqual([
            ['pending', 'client'],
            ['submitted', 'system'],
            [outcome, 'system'],
          ]);
          expect(details.metadata).toEqual({ sandboxOutcome: outcome });
          const steps = (details.steps as { key: string; status: string }[]).filter(
            ({ status }) => status !== 'completed',
          );
          if (outcome === 'action_needed') {
            expect(details).toMatchObject({ resolvedAt: null, decision: null });
            expect(details.actionNeeded).toMatchObject({ items: [{ reasonCode: 'document_unreadable' }] });
            expect(steps).toHaveLength(1);
          } else {
            expect(details.resolvedAt).toBe((details.history as { at: string }[]).at(-1)?.at);
            expect(details.decision).toMatchObject({ outcome });
            expect(details.currentStep).toBe(details.totalSteps);
            expect(steps).toEqual([]);
          }
        }),
      ),
    );
  });

  it('refuses an unknown outcome with 400, and accepts a verification without one', async () => {
    const before = tallyOf(server.databaseFile, sandbox.clientId);
    for (const bad of ['accepted', 'APPROVED', '', null, 1, ['approved'], { approved: true }]) {
      const answer = await sandbox.api.post({
        subjectType: 'kyc',
        subjectReference: 'nobody',
        metadata: { sandboxOutcome: bad },
      });
      expectRefusal(answer, 400, 'INVALID_PARAMETERS');
      expect(JSON.stringify(answer.body.data)).toContain('"path":"metadata.sandboxOutcome"');
    }
    expect(tallyOf(server.databaseFile, sandbox.clientId)).toEqual(before);
    expect((await sandbox.api.post({ subjectType: 'kyc', subjectReference: 'by themselves' })).status).toBe(201);
  });
});

describe('outside a sandbox', () => {
  it('no verification is driven: not for ordinary clients and not after the sandbox is off', {
    timeout: IN_SECONDS,
  }, async () => {
    const switched = await givenApi(server);
    await operate(server, ({ clients }) => clients.setSandbox(switched.clientId, true));
    const onTheWay = await create(switched.api, 'approved');
    await operate(server, ({ clients }) => clients.setSandbox(switched.clientId, false));
    const stoppedAt = (await detailsOf(switched.api, onTheWay)).status;
    const waiting = await Promise.all([...OUTCOMES, 'any word'].map((word) => create(ordinary.api, word)));
    const afterwards = await create(switched.api, 'rejected');

    // Created later than the others, so a worker that drove them would have done so first, twice.
    const later = await create(sandbox.api, 'approved');
    await reaches(sandbox.api, later, 'approved');
    await reaches(sandbox.api, await create(sandbox.api, 'rejected'), 'rejected');

    for (const id of waiting) {
      const details = await detailsOf(ordinary.api, id);
      expect(details).toMatchObject({ status: 'pending', currentStep: 0, resolvedAt: null });
      expect(historyOf(details)).toEqual([['pending', 'client']]);
    }
    expect((await detailsOf(switched.api, afterwards)).status).toBe('pending');
    // The sandbox may have submitted it before the switch, but not approved it.
    expect(stoppedAt).not.toBe('approved');
    expect((await detailsOf(switched.api, onTheWay)).status).toBe(stoppedAt);
  });
});

it('sandbox: the audit log records the operator who switched it on and off', async () => {
  await countersign(['client', 'sandbox', sandbox.clientId, 'off'], server.env);

  const switches = auditLines(server.databaseFile).filter(({ action }) => action === 'clients.switch_sandbox');
  expect(switches.map(({ sequence: _, ...line }) => line)).toEqual(
    [true, false].map((position) => ({
      action: 'clients.switch_sandbox',
      outcome: 'allowed',
      actor: 'operator',
      from: null,
      clientId: sandbox.clientId,
      targetId: sandbox.clientId,
      detail: { sandbox: position },
    })),
  );
});
