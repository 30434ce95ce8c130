import { NEW_FLOW_SETTINGS } from '@countersign/domain/clients';
import { beforeEach, describe, expect, it } from 'vitest';
import { ANDY, type GivenDashboard, givenDashboard, VERA } from '../../test-support/dashboard.ts';

const PAGE = '/dashboard/flow';
const SETTINGS = '/dashboard/settings';

let given: GivenDashboard;
beforeEach(async () => {
  given = await givenDashboard();
});

const stored = async () => (await given.countersign.clients.get(given.clientId)).client.flowSettings;

/** What the form sends: a box that is not ticked sends `false`, and an empty number an empty text. */
const typed = (changed: Readonly<Record<string, string>> = {}) => ({
  placeOfBirth: 'false',
  proofOfAddress: 'false',
  minimumAge: '',
  linkDays: '',
  decisionWithin: '',
  readingIsAdvice: 'false',
  familyNameIndex: 'false',
  warningsInDetails: 'false',
  dueHours: '',
  ...changed,
});

describe('the verification flow in the settings', () => {
  it('a new client has the installation’s values and asks for neither', async () => {
    const { words } = await given.open(SETTINGS);
    expect(words).toContain('Ask for the place of birth No');
    expect(words).toContain('Ask for a proof of address No');
    expect(words).toContain('Minimum age 18 years (default of this installation)');
    expect(words).toContain('Link lifetime 30 days (default of this installation)');
    expect(words).toContain('Usual time to a decision Not shown');
    expect(words).toContain('Due time of decisions None');
  });

  it('an owner changes all of it, which the settings and the audit log show', async () => {
    const changed = {
      placeOfBirth: 'true',
      minimumAge: '21',
      linkDays: '1',
      decisionWithin: 'day',
      readingIsAdvice: 'true',
      familyNameIndex: 'true',
      warningsInDetails: 'true',
      dueHours: '24',
    };

    const answer = await given.send(PAGE, typed(changed));

    expect([answer.status, answer.headers.get('Location')]).toEqual([303, `/kyc${SETTINGS}?done=flow`]);
    const settings = {
      placeOfBirth: true,
      proofOfAddress: false,
      minimumAge: 21,
      linkDays: 1,
      decisionWithin: 'day',
      readingIsAdvice: true,
      familyNameIndex: true,
      warningsInDetails: true,
      dueHours: 24,
    };
    expect(await stored()).toEqual(settings);
    const { words } = await given.open(`${SETTINGS}?done=flow`);
    expect(words).toContain('The flow settings are saved.');
    expect(words).toContain('Ask for the place of birth Yes');
    expect(words).toContain('Minimum age 21 years Link lifetime 1 day Usual time');
    expect(words).toContain('Within one working day');
    expect(words).toContain('Show what is read from documents only to reviewers Yes');
    expect(words).toContain('Due time of decisions 24 hours');
    expect(words).toContain('Let reviewers find cases by the family name alone Yes');
    expect(words).toContain('List warnings in the API Yes');
    expect(await given.lastLine()).toMatchObject({ action: 'flow.change', outcome: 'allowed', detail: settings });

    expect((await given.send(PAGE, typed())).status).toBe(303);
    expect(await stored()).toEqual(NEW_FLOW_SETTINGS);
  });

  it('the form holds the current settings, and says what holds where a field is empty', async () => {
    const current = {
      placeOfBirth: false,
      proofOfAddress: true,
      linkDays: 7,
      decisionWithin: 'hours',
      readingIsAdvice: false,
      familyNameIndex: false,
      warningsInDetails: false,
    } as const;
    await given.countersign.flowSettings.change(given.clientId, current);
    const { text, words } = await given.open(PAGE);
    expect(text).toMatch(/<input[^>]*name="proofOfAddress"[^>]*checked/);
    expect(text).not.toMatch(/<input[^>]*name="placeOfBirth"[^>]*checked/);
    expect(text).toMatch(/<input[^>]*name="linkDays"[^>]*value="7"/);
    expect(text).toMatch(/<input[^>]*value="hours"[^>]*checked/);
    expect(words).toContain('At least 18 years. Leave this empty to use 18 years');
    expect(words).toContain('At most 90 days. Leave this empty to use 30 days');
    expect(words).toContain('At most 720 hours from the submission. Leave this empty for no due time');
  });

  it.each([
    ['minimumAge', '17', 'Minimum age'],
    ['minimumAge', '-21', 'Minimum age'],
    ['minimumAge', 'old', 'Minimum age'],
    ['linkDays', '0', 'Link lifetime'],
    ['linkDays', '91', 'Link lifetime'],
    ['linkDays', '1.5', 'Link lifetime'],
    ['dueHours', '721', 'Due time of decisions'],
    ['decisionWithin', 'weeks', 'Usual time to a decision'],
    ['placeOfBirth', 'maybe', 'Ask for the place of birth'],
  ])('%s = %s is refused beside its field, and nothing changes', async (field, value, message) => {
    const refused = await given.send(PAGE, typed({ proofOfAddress: 'true', [field]: value }));
    expect(refused.status).toBe(422);
    expect(refused.words).toContain(message);
    expect(await stored()).toEqual(NEW_FLOW_SETTINGS);
  });

  it.each([ANDY, VERA])('shows the settings to no other role, and takes no change from it', async (role) => {
    expect((await given.open(SETTINGS, role)).words).not.toContain('Minimum age');
    expect((await given.open(PAGE, role)).status).toBe(403);
    expect((await given.send(PAGE, typed(), role)).status).toBe(403);
  });
});
