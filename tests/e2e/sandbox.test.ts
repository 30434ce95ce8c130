import { type ApiClient, dataOf, expectRefusal, idOf } from '@countersign/test-support/api/api-client';
import { type GivenApi, givenApi, givenTestApi } from '@countersign/test-support/installation/customer';
import { tallyOf } from '@countersign/test-support/installation/database-file';
import { type ServerProcess, startServer } from '@countersign/test-support/processes/server-process';
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
  server = await startServer();
  ordinary = await givenApi(server);
  sandbox = await givenTestApi(server, ordinary.clientId);
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

describe('in test mode', () => {
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

describe('in live mode', () => {
  it('no verification is driven', { timeout: IN_SECONDS }, async () => {
    const waiting = await Promise.all([...OUTCOMES, 'any word'].map((word) => create(ordinary.api, word)));

    // Created later than the others, so a worker that drove them would have done so first, twice.
    const later = await create(sandbox.api, 'approved');
    await reaches(sandbox.api, later, 'approved');
    await reaches(sandbox.api, await create(sandbox.api, 'rejected'), 'rejected');

    for (const id of waiting) {
      const details = await detailsOf(ordinary.api, id);
      expect(details).toMatchObject({ status: 'pending', currentStep: 0, resolvedAt: null });
      expect(historyOf(details)).toEqual([['pending', 'client']]);
    }
  });
});
