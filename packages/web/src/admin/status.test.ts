import type { ServiceState } from '@countersign/domain';
import { expect, it } from 'vitest';
import { CLARA, RITA } from '../../test-support/console.ts';
import { givenOperator } from '../../test-support/operator.ts';

const STATE: ServiceState = {
  version: '0.3.0',
  startedAt: new Date('2026-01-15T09:00:00Z'),
  figures: {
    submitted: 12,
    oldestSubmittedAt: new Date('2026-01-15T10:00:00Z'),
    unfinishedErasures: 1,
    pausedEndpoints: 2,
  },
  webhooks: { waiting: { count: 3, isExact: true }, oldestAt: new Date('2026-01-15T11:30:00Z') },
  mails: { waiting: { count: 0, isExact: true }, oldestAt: null },
  jobs: [
    { name: 'erase_data', endedAt: new Date('2026-01-15T11:59:00Z'), ok: false, failures: 4 },
    { name: 'another_job', endedAt: null, ok: null, failures: 0 },
  ],
};

const givenState = (state: ServiceState) => givenOperator({}, {}, { serviceStatus: { read: async () => state } });

it('shows what waits, since when, and the last runs of the jobs', async () => {
  const { open, audit } = await givenState(STATE);
  const before = (await audit()).length;
  const { status, words } = await open('/admin/status');
  expect(status).toBe(200);
  expect(words).toContain('Verifications waiting for a decision, including test mode 12 the oldest for 2 hours');
  expect(words).toContain('Erasures that take unusually long 1');
  expect(words).toContain('Webhook endpoints paused because they failed 2');
  expect(words).toContain('Webhooks not delivered yet 3 the oldest for 30 minutes');
  expect(words).toContain('E-mails not sent yet 0');
  expect(words).toContain('Version 0.3.0');
  expect(words).toMatch(
    /Erase data that is due erase_data 1 min ago Failed 4 another_job another_job Not run yet/,
  );
  expect(await audit()).toHaveLength(before);
});

it('says that more wait than were counted', async () => {
  const mails = { waiting: { count: 10_000, isExact: false }, oldestAt: null };
  const { open } = await givenState({ ...STATE, mails });
  expect((await open('/admin/status')).words).toContain('E-mails not sent yet More than 10,000');
});

it('says which figures were not read yet', async () => {
  const { open } = await givenState({ ...STATE, figures: null });
  expect((await open('/admin/status')).words).toContain(
    'Verifications waiting for a decision, including test mode Not counted yet',
  );
});

it('says that an installation does not report how it runs', async () => {
  const { open } = await givenOperator();
  expect((await open('/admin/status')).words).toContain('This installation does not report its state.');
});

it('is for operators', async () => {
  const { open } = await givenState(STATE);
  for (const who of [CLARA, RITA]) expect((await open('/admin/status', who)).status).toBe(403);
});
