import type { Issue } from '@countersign/domain';
import {
  changeFlowSettings,
  changeReasonTemplates,
  issueApiKey,
  revokeApiKey,
  rotateApiKey,
} from '@countersign/domain/actions';
import {
  type Client,
  type ClientFlowSettings,
  type FlowSettings,
  NEW_FLOW_SETTINGS,
  NO_TEMPLATES,
} from '@countersign/domain/clients';
import { describe, expect, it } from 'vitest';
import { aContext, aPage, drawn } from '../../test-support/drawn.ts';
import type { FieldProps } from '../forms/draw-field.tsx';
import { formState } from '../forms/form-state.ts';
import { createFormValues } from '../forms/form-values.ts';
import { actionTexts } from './action-texts.ts';
import { DangerZone } from './danger-zone.tsx';
import { FileAccessState } from './file-access-state.tsx';
import { FlowSettingsFacts, flowSettingsForm } from './flow-settings.tsx';
import { nameOfKey, PermissionsField, refusedNetworks } from './keys/key-parts.tsx';
import { ReasonTemplateNames, reasonTemplatesForm } from './reason-templates.tsx';
import { refusedEntries } from './refused-entries.ts';
import { ReturnAddressList, returnAddressForm } from './return-address-page.tsx';

const page = aPage();
const { t } = page;

const CLIENT: Client = {
  id: 'client-1',
  name: 'Acme',
  createdAt: new Date('2026-01-15T12:00:00.000Z'),
  returnAddresses: [],
  testOf: null,
  fileAccess: false,
  flowSettings: NEW_FLOW_SETTINGS,
  reasonTemplates: NO_TEMPLATES,
};

const issueAt = (path: string, code: NonNullable<Issue['code']> = 'invalid'): Issue => ({
  path,
  code,
  message: '',
});
const typed = (name: string, text: string) => createFormValues([[name, text]]);

describe('the refused lines of a list', () => {
  it.each<[issues: string[], entries: string[]]>([
    [
      ['list.0', 'list.2'],
      ['a', 'c'],
    ],
    [['list.1'], ['x'.repeat(100)]],
    [['list.3'], [`${'y'.repeat(100)}…`]],
    [['list.12'], ['']],
    // About the whole list, another field, or a path that names no line.
    [['list', 'other.0', 'other.list.0', 'list.1a', 'list.a1', 'list.'], []],
  ])('the refused lines of %j', (issues, entries) => {
    const lines = `a\r\n\n  ${'x'.repeat(100)} \n  c\n${'y'.repeat(101)}`;
    const refused = refusedEntries(
      'list',
      issues.map((path) => issueAt(path)),
      typed('list', lines),
    );
    expect(refused).toEqual(entries.map((entry) => ({ entry, code: 'invalid' })));
  });

  it('a line number with two digits finds its line', () => {
    const lines = Array.from({ length: 12 }, (_, n) => `line ${n}`).join('\n');
    expect(refusedEntries('list', [issueAt('list.11')], typed('list', lines))).toEqual([
      { entry: 'line 11', code: 'invalid' },
    ]);
  });
});

it('refused networks are quoted, and an issue of the whole list keeps its message', () => {
  const values = typed('networks', 'a\nb');
  expect([...refusedNetworks([issueAt('networks.0'), issueAt('networks.1')], values, page)]).toEqual([
    ['networks', expect.stringContaining('“a” and “b”')],
  ]);
  expect(refusedNetworks([issueAt('networks')], values, page).size).toBe(0);
});

describe('return addresses', () => {
  const found = (...issues: readonly Issue[]) =>
    returnAddressForm
      .findings?.(issues, typed('returnAddresses', 'a\nb\nhttp://localhost/'), page)
      .get('returnAddresses');
  const local = issueAt('returnAddresses.2', 'local_address');

  it('refused return addresses are quoted, local ones with their reason', () => {
    const refused = found(issueAt('returnAddresses.0'), issueAt('returnAddresses.1'));
    expect(refused).toMatch(/^“a” and “b” cannot be return addresses/);
    expect(refused).not.toContain('device');
    expect(found(local)).toMatch(/^“http:\/\/localhost\/” cannot .*device/);
    const both = found(issueAt('returnAddresses.0'), local);
    expect(both).toMatch(/^“a” cannot .*[^.]\. “http:\/\/localhost\/” cannot/);
    expect(both?.match(/cannot be a return address/g)).toHaveLength(2);
    expect(found(issueAt('returnAddresses', 'too_many'))).toBeUndefined();
  });

  it('the form and the list have the addresses of the client', () => {
    const client = { ...CLIENT, returnAddresses: ['https://a.example/', 'https://b.example/'] };
    expect(returnAddressForm.initial?.({ client }, aContext({ now: new Date() }))).toEqual({
      returnAddresses: client.returnAddresses,
    });
    const list = drawn(<ReturnAddressList client={client} page={page} />);
    expect(list.html).toBe(
      '<ul><li><code>https://a.example/</code></li><li><code>https://b.example/</code></li></ul>',
    );
    const none = drawn(<ReturnAddressList client={{ ...client, returnAddresses: [] }} page={page} />);
    expect(none.html).toMatch(/^<p>No return addresses\. /);
  });
});

it('a key without a name is named by its first and last characters', () => {
  expect(nameOfKey({ name: '', display: 'csk_1…2' })).toBe('csk_1…2');
  expect(nameOfKey({ name: 'Shop', display: 'csk_1…2' })).toBe('Shop');
});

describe('the texts of an action', () => {
  it('an action without texts is named by its id, and its fields and outcomes by theirs', () => {
    const odd = actionTexts(t, { id: 'odd.action' });
    expect([odd.name, odd.title, odd.submit, odd.explain]).toEqual([
      'odd.action',
      'odd.action',
      'odd.action',
      undefined,
    ]);
    expect([odd.label('a.b'), odd.label('a.0'), odd.label('0'), odd.label('a.12')]).toEqual(['b', 'a', '0', 'a']);
    expect([odd.label('b.a1'), odd.label('a.1b')]).toEqual(['a1', '1b']);
    expect([odd.hint('a'), odd.noChoice?.('a'), odd.choiceHint?.('a', 'b')]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect([odd.choice('a', 1), odd.outcome('NOT_AVAILABLE')]).toEqual(['1', 'NOT_AVAILABLE']);
    expect([odd.row('a', 1), odd.row('ask', 1)]).toEqual(['a 2', 'Ask again, template 2']);
    expect([odd.addRow('a'), odd.addRow('ask')]).toEqual(['Add another: a', 'Add a template']);
    expect([odd.removeRow('a', 0), odd.sameOrOther('other')]).toEqual(['Remove a 1', 'Another address']);
  });

  it('an action’s own texts come before shared ones', () => {
    const create = actionTexts(t, issueApiKey);
    expect([create.name, create.title, create.submit]).toEqual(['Create a key', 'Create a key', 'Create the key']);
    expect(actionTexts(t, revokeApiKey).explain).toContain('permanently');
    expect([create.label('permissions.1'), create.label('networks')]).toEqual([
      'What may it do?',
      'Allowed networks',
    ]);
    expect([create.hint('name'), create.hint('expiresInDays')]).toEqual([
      expect.stringMatching(/^Where the key is used/),
      expect.stringMatching(/^An expired key/),
    ]);
    expect([create.choice('role', 'operator'), create.choice('expiresInDays', 30)]).toEqual([
      'Operator',
      'In 30 days',
    ]);
    expect([create.choiceHint?.('status', 'active'), create.noChoice?.('expiresInDays')]).toEqual([
      'Verifications can be created.',
      'Never',
    ]);
    expect(actionTexts(t, rotateApiKey).outcome('API_KEY_NOT_ACTIVE')).toMatch(/^This key is not active/);
    expect(create.outcome('HELD_BY_OPERATOR')).toMatch(/^An operator/);
  });

  it('the message for an issue is the action’s own, otherwise the shared one, otherwise that of its code', () => {
    const [create, revoke] = [actionTexts(t, issueApiKey), actionTexts(t, revokeApiKey)];
    expect(revoke.issue('name', issueAt('name', 'invalid'))).toMatch(/^This is not the name of the key/);
    expect(create.issue('name', issueAt('name', 'required'))).toBe('Enter a name');
    expect(create.issue('permissions.1', issueAt('permissions.1'))).toBe(
      'Choose at least one permission from the list',
    );
    expect(create.issue('odd', issueAt('odd', 'required'))).toContain('odd');
    expect(create.issue(null, issueAt('name', 'required'))).not.toMatch(/name/i);
  });
});

const props = (name: string, action: Parameters<typeof actionTexts>[1]): FieldProps => ({
  page,
  form: formState(t),
  texts: actionTexts(t, action),
  field: { kind: 'text', max: 10 },
  name,
});

it('each permission is offered with its text and its code', () => {
  const { html, words } = drawn(<PermissionsField {...props('permissions', issueApiKey)} />);
  expect([...html.matchAll(/value="([^"]+)"/g)].map(([, value]) => value)).toEqual([
    'verifications:create',
    'verifications:read',
    '*',
  ]);
  expect(words).toContain('verifications:create');
});

describe('flow settings', () => {
  const flow = (settings: Partial<FlowSettings> = {}): ClientFlowSettings => {
    const all = { ...NEW_FLOW_SETTINGS, ...settings };
    const asks = { placeOfBirth: all.placeOfBirth, proofOfAddress: all.proofOfAddress };
    return {
      clientId: 'client-1',
      settings: all,
      rules: { ...all, asks, minimumAge: all.minimumAge ?? 18, linkDays: all.linkDays ?? 30 },
      defaults: { minimumAge: 18, linkLifetimeDays: 30 },
    };
  };
  const SET = {
    proofOfAddress: true,
    minimumAge: 21,
    linkDays: 1,
    decisionWithin: 'day',
    readingIsAdvice: true,
    dueHours: 24,
    familyNameIndex: true,
    warningsInDetails: true,
  } as const;

  it('the facts show the client’s settings, and the installation’s defaults for the others', () => {
    const words = (settings: Partial<FlowSettings>) =>
      drawn(<FlowSettingsFacts flow={flow(settings)} page={page} />).words;
    expect(words({})).toBe(
      'Ask for the place of birth No Ask for a proof of address No Minimum age 18 years (default of this installation) ' +
        'Link lifetime 30 days (default of this installation) Usual time to a decision Not shown ' +
        'Show what is read from documents only to reviewers No Due time of decisions None ' +
        'Let reviewers find cases by the family name alone No List warnings in the API No',
    );
    expect(words(SET)).toBe(
      'Ask for the place of birth No Ask for a proof of address Yes Minimum age 21 years Link lifetime 1 day ' +
        'Usual time to a decision Within one working day Show what is read from documents only to reviewers Yes ' +
        'Due time of decisions 24 hours Let reviewers find cases by the family name alone Yes List warnings in the API Yes',
    );
  });

  it('the form contains the settings that are set', () => {
    const initial = (settings: Partial<FlowSettings>) =>
      flowSettingsForm().initial?.(flow(settings), aContext({ now: new Date() }));
    const off = { readingIsAdvice: false, familyNameIndex: false, warningsInDetails: false };
    expect(initial({})).toEqual({ placeOfBirth: false, proofOfAddress: false, ...off });
    expect(initial(SET)).toEqual({ placeOfBirth: false, ...SET });
  });

  it.each([
    ['minimumAge', /18 years/],
    ['linkDays', /30 days/],
    ['dueHours', /no due time/],
  ])('the field of %s says what applies if it is empty', (name, hint) => {
    const Control = flowSettingsForm().controls?.[name];
    if (Control === undefined) throw new Error('The field has no control');
    const { html } = drawn(<Control {...props(name, changeFlowSettings)} subject={flow()} />);
    expect(html).toMatch(new RegExp(`<p class="hint"[^>]*>[^<]*${hint.source}`));
    expect(html).toMatch(/inputmode="numeric"/);
    expect(html).toContain('(optional)');
  });
});

describe('templates of reasons', () => {
  const reasonTemplates = { ask: [{ name: 'Glare', en: 'Again', de: undefined }, { name: 'Cut' }], reject: [] };
  const client: Client = { ...CLIENT, reasonTemplates };

  it('the names of templates are grouped by their use', () => {
    const { words } = drawn(<ReasonTemplateNames client={client} page={page} />);
    expect(words.replace(/[\u2066-\u2069]/g, '')).toMatch(/Glare · Cut .*None$/);
  });

  it('the form contains only the texts of a template', () => {
    expect(
      reasonTemplatesForm.initial?.({ client, subscription: null }, aContext({ now: new Date() })),
    ).toStrictEqual({
      ask: [{ name: 'Glare', en: 'Again' }, { name: 'Cut' }],
      reject: [],
    });
  });

  it.each(['ask', 'reject'])('the templates for %s have their heading', (use) => {
    const Control = reasonTemplatesForm.controls?.[use];
    if (Control === undefined) throw new Error('The field has no control');
    const { html } = drawn(
      <Control {...props(use, changeReasonTemplates)} subject={{ client, subscription: null }} />,
    );
    expect(html).toContain(`<section aria-labelledby="templates-${use}"><h2 id="templates-${use}">`);
  });
});

it('the access to files is on or off', () => {
  const words = (fileAccess: boolean) =>
    drawn(<FileAccessState client={{ ...CLIENT, fileAccess }} page={page} />).words;
  expect(words(true)).not.toBe(words(false));
  expect(words(true)).not.toBe('');
});

it('the danger zone lists actions that the user may run, with their page’s text or their own', () => {
  const dangers = [
    { action: revokeApiKey, path: '/revoke', label: 'actions:noReturnAddresses' },
    { action: rotateApiKey, path: '/rotate', label: 'actions:noReturnAddresses', text: 'staff:danger.title' },
  ] as const;
  const zone = (refused: readonly string[]) =>
    drawn(<DangerZone context={aContext({ now: new Date(), refused })} dangers={dangers} />);
  const explain = actionTexts(t, revokeApiKey).explain ?? '';
  const { html, words } = zone([]);
  expect([...html.matchAll(/<a href="([^"]+)" class="button danger">/g)].map(([, path]) => path)).toEqual([
    '/kyc/revoke',
    '/kyc/rotate',
  ]);
  expect(explain).not.toBe('');
  expect(words).toContain(explain);
  expect(html).toContain(`<p>${t('staff:danger.title')}</p>`);
  expect(zone([revokeApiKey.id]).html).not.toContain('/kyc/revoke');
  expect(zone([revokeApiKey.id, rotateApiKey.id]).html).toBe('');
});
