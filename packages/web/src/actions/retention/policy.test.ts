import { beforeEach, describe, expect, it } from 'vitest';
import { CLARA, OLGA } from '../../../test-support/console.ts';
import { ANDY, type GivenDashboard, givenDashboard, VERA } from '../../../test-support/dashboard.ts';

const POLICY = {
  approvedAfterEnd: 'P6Y',
  approvedLongest: 'P12Y',
  rejected: 'P5Y',
  unfinished: 'P30D',
  replacedUploads: 'P30D',
};
let given: GivenDashboard;
let path: string;

beforeEach(async () => {
  given = await givenDashboard();
  path = `/admin/clients/${given.clientId}/retention`;
});

const save = (fields: object) => given.send(path, { ...POLICY, useDefault: 'false', ...fields }, OLGA);

describe('the policy of a client', () => {
  it('the policy of a client is shown to an operator with floor and default, set, shown to the owner and taken back', async () => {
    const form = await given.open(path, OLGA);
    expect(form.words).toContain('At least 5 years (P5Y). Default: 10 years (P10Y).');
    expect(form.text).toMatch(/type="checkbox"[^>]*name="useDefault"[^>]*checked/);

    const saved = await save({});
    expect(saved.headers.get('Location')).toBe(`/kyc/admin/clients/${given.clientId}?done=retention`);
    const client = await given.get(`/admin/clients/${given.clientId}?done=retention`, OLGA);
    expect(client.words).toContain('The retention policy is saved.');
    expect(client.words).toContain('This client has its own retention policy.');
    expect(client.words).toContain('Withdrawn or expired 30 days No minimum 90 days');
    const owner = await given.get('/dashboard/retention', CLARA);
    expect(owner.words).toContain('Approved, after the end of the relationship 6 years 5 years 5 years');
    expect(owner.words).toContain('Replaced uploads 30 days No minimum 30 days');

    // The form shows the own periods, which the box replaces.
    expect((await save({ useDefault: 'true' })).status).toBe(303);
    expect((await given.get('/dashboard/retention', CLARA)).words).toContain(
      'The default policy of this installation applies',
    );
    const lines = (await given.audit()).filter(({ action }) => action === 'retention.set_policy');
    expect(lines.map(({ detail }) => detail)).toEqual([POLICY, { useDefault: true }]);
  });

  it.each<[Readonly<Record<string, string>>, string, string]>([
    [{ rejected: 'P4Y' }, 'rejected', 'Rejected, after the decision: the period is too short'],
    [
      { approvedAfterEnd: 'P4Y' },
      'approvedAfterEnd',
      'after the end of the relationship: the period is too short',
    ],
    [{ approvedLongest: 'P5Y' }, 'approvedLongest', 'longest time after the decision: the period is too short'],
    [{ unfinished: 'soon' }, 'unfinished', 'enter a period such as P5Y, P18M or P90D'],
    [{ unfinished: '' }, 'unfinished', 'enter a period such as P5Y, P18M or P90D'],
    [
      { unfinished: 'P7D', useDefault: 'true' },
      'unfinished',
      'to set this period, clear the box for the default policy',
    ],
  ])('the policy of a client is refused with %j at the field, and not changed', async (fields, field, message) => {
    if (fields.useDefault === 'true') await save({});
    const { status, text, words } = await save(fields);
    expect(status).toBe(422);
    expect(words).toContain(message);
    expect(text).toContain(`href="#field-${field}"`);
    expect(text.match(/class="field-error"/g)).toHaveLength(1);
    const { words: shown } = await given.get('/dashboard/retention', CLARA);
    expect(shown).toContain(fields.useDefault === 'true' ? 'its own retention policy' : 'The default policy');
  });

  it('the policy of a client is set by an operator with a confirmed password alone, and read by owners alone', async () => {
    expect((await given.get(path, OLGA)).headers.get('Location')).toContain('/account/confirm?');
    for (const as of [ANDY, VERA]) {
      expect((await given.get('/dashboard/retention', as)).status).toBe(403);
      expect((await given.get('/dashboard/settings', as)).text).not.toContain('/dashboard/retention');
    }
    expect((await given.get('/dashboard/settings', CLARA)).text).toContain('href="/kyc/dashboard/retention"');
    expect((await given.open('/admin/clients/unknown/retention', OLGA)).status).toBe(404);
  });

  it('the policy of a client that is shorter than a floor that was raised later is named to operators and owners', async () => {
    await given.ports.storage.retention?.setPolicy(given.clientId, { ...POLICY, rejected: 'P4Y' });
    for (const [page, as] of [
      [`/admin/clients/${given.clientId}`, OLGA],
      ['/dashboard/retention', CLARA],
    ] as const) {
      const { words } = await given.get(page, as);
      expect(words).toContain(
        'Rejected, after the decision: the period is shorter than the law allows. Data is kept for at least 5 years.',
      );
      expect(words.match(/shorter than the law allows/g)).toHaveLength(1);
    }
    await save({});
    expect((await given.get('/dashboard/retention', CLARA)).words).not.toContain('shorter than the law allows');
  });

  it('speaks German', async () => {
    const { words } = await given.get('/dashboard/retention', CLARA, { 'Accept-Language': 'de' });
    expect(words).toContain('Freigegeben, längste Frist nach der Entscheidung 10 Jahre 5 Jahre 10 Jahre');
  });
});
