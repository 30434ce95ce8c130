import type { Issue } from '@countersign/domain';
import {
  endVerificationRelationship,
  eraseVerificationData,
  holdVerification,
  releaseVerificationHold,
  setRetentionPolicy,
} from '@countersign/domain/actions';
import { RETENTION_PERIODS, type RetentionView } from '@countersign/domain/retention';
import { describe, expect, it } from 'vitest';
import { aContext, aPage, drawn } from '../../../test-support/drawn.ts';
import { formState } from '../../forms/form-state.ts';
import { createFormValues } from '../../forms/form-values.ts';
import type { ActionPage } from '../action-page.tsx';
import { actionTexts } from '../action-texts.ts';
import { type PolicyOfClient, PolicyTable, policyForm } from './policy.tsx';
import { mountRetentionPages } from './retention-actions.tsx';
import { type RetainedVerification, RetentionSection } from './retention-section.tsx';

const page = aPage();
const now = new Date('2026-01-15T12:00:00.000Z');
const NO_VALUES = createFormValues([]);

const POLICY: PolicyOfClient = {
  clientId: 'client-1',
  clientName: 'Acme Bank',
  policy: {
    approvedAfterEnd: 'P5Y',
    approvedLongest: 'P10Y',
    rejected: 'P4Y',
    unfinished: 'P30D',
    replacedUploads: 'P20D',
  },
  isOwn: true,
  defaultPolicy: {
    approvedAfterEnd: 'P6Y',
    approvedLongest: 'P11Y',
    rejected: 'P7Y',
    unfinished: 'P90D',
    replacedUploads: 'P30D',
  },
  floor: { approved: 'P5Y', rejected: 'P5Y', unfinished: 'P0D' },
  timeZone: 'Europe/Berlin',
};

const VIEW: RetentionView = {
  data: { state: 'kept', until: null },
  legalEnd: null,
  relationshipEndedAt: null,
  heldAt: null,
  erasedAt: null,
  holdReason: null,
  holdSetBy: null,
  isHidden: false,
  mayHold: false,
  mayReleaseHold: false,
  mayEndRelationship: false,
  mayErase: false,
  erasureWithdraws: false,
  mayOpenRestricted: false,
};

const kept = (retention: Partial<RetentionView>): RetainedVerification => ({
  id: 'case-1',
  type: 'kyc',
  subjectReference: 'user_1',
  status: 'approved',
  endedBy: null,
  retention: { ...VIEW, ...retention },
});

const pathOf = (id: string, below?: string) => `/verifications/${id}${below === undefined ? '' : `/${below}`}`;

describe('the table of a policy', () => {
  const table = (policy: Partial<PolicyOfClient> = {}) =>
    drawn(<PolicyTable policy={{ ...POLICY, ...policy }} page={page} />);

  it('each period has its length, minimum and default, and a period below the legal one is marked', () => {
    const { html, words } = table();
    const rows = [...html.matchAll(/<tr><th scope="row">.*?<\/tr>/g)].map(([row]) =>
      row.match(/\d+ \w+|No minimum/g)?.join(', '),
    );
    expect(rows).toEqual([
      '5 years, 5 years, 6 years',
      '10 years, 5 years, 11 years',
      '4 years, 5 years, 7 years',
      '30 days, No minimum, 90 days',
      '20 days, No minimum, 30 days',
    ]);
    expect(words).toContain('This client has its own retention policy.');
    expect(words).toContain('Withdrawn or expired 30 days');
    expect(words).toContain('Europe/Berlin');
    expect(words.match(/shorter than the law allows/g)).toHaveLength(1);
    expect(html.match(/not-on-phone/g)).toHaveLength(RETENTION_PERIODS.length + 1);
  });

  it('a minimum of zero is shown as no minimum, and a default policy is named', () => {
    const { html, words } = table({
      isOwn: false,
      floor: { approved: 'P0D', rejected: 'P0D', unfinished: 'P0D' },
    });
    expect(html.match(/No minimum/g)).toHaveLength(RETENTION_PERIODS.length);
    expect(words).toContain('The default policy of this installation applies');
    expect(words).not.toContain('shorter than the law allows');
  });
});

describe('the form of a policy', () => {
  const context = aContext({ now });

  it('the form contains the policy, and its box is ticked for the default one', () => {
    expect(policyForm.initial?.(POLICY, context)).toEqual({ ...POLICY.policy, useDefault: false });
    expect(policyForm.initial?.({ ...POLICY, isOwn: false }, context)).toMatchObject({ useDefault: true });
  });

  it.each<[what: string, typed: object, sent: object]>([
    ['its own periods', { ...POLICY.policy, useDefault: false }, POLICY.policy],
    ['the default beside its own periods', { ...POLICY.policy, useDefault: true }, { useDefault: true }],
    ['the default beside its periods', { ...POLICY.defaultPolicy, useDefault: true }, { useDefault: true }],
    [
      'the default beside a period that was changed',
      { ...POLICY.policy, unfinished: 'P1D', useDefault: true },
      { useDefault: true, unfinished: 'P1D' },
    ],
  ])('the form sends %s', async (_, typed, sent) => {
    expect(await policyForm.complete?.({ ...typed }, NO_VALUES, async () => POLICY)).toEqual(sent);
  });

  it.each([
    ['rejected', /At least 5 years \(P5Y\)\. Default: 7 years \(P7Y\)\./],
    ['unfinished', />Default: 90 days \(P90D\)\./],
  ])('the field of %s shows its minimum and its default', (name, hint) => {
    const Control = policyForm.controls?.[name];
    if (Control === undefined) throw new Error('The field has no control');
    const texts = actionTexts(page.t, setRetentionPolicy);
    const props = { page, form: formState(page.t), texts, field: { kind: 'text', max: 10 }, name } as const;
    expect(drawn(<Control {...props} subject={POLICY} />).html).toMatch(hint);
  });

  it('issues of periods have the message for their code; other issues are left out', () => {
    const issue = (path: string, code: Issue['code']): Issue => ({ path, message: '', ...(code && { code }) });
    const found = policyForm.findings?.(
      [
        issue('rejected', 'too_small'),
        issue('unfinished', 'unknown_field'),
        issue('approvedLongest', 'required'),
        issue('useDefault', 'invalid'),
      ],
      NO_VALUES,
      page,
    );
    expect([...(found ?? [])]).toEqual([
      ['rejected', expect.stringMatching(/too short/)],
      ['unfinished', expect.stringMatching(/clear the box/)],
      ['approvedLongest', expect.stringMatching(/enter a period such as/)],
    ]);
  });
});

describe('the section of retention', () => {
  const ALL = { mayHold: true, mayReleaseHold: true, mayEndRelationship: true, mayErase: true };
  const section = (
    retention: Partial<RetentionView>,
    { refused = [], withoutErasure }: { refused?: readonly string[]; withoutErasure?: true } = {},
    of = page,
  ) => {
    const context = aContext({ page: of, now, refused, areaQuery: '?mode=test' });
    const props = { context, verification: kept(retention), pathOf, ...(withoutErasure && { withoutErasure }) };
    return drawn(<RetentionSection {...props} />);
  };
  const linksIn = (html: string) =>
    [...html.matchAll(/<a href="\/kyc\/verifications\/case-1\/([\w-]+)\?mode=test" class="button (\w+)"/g)].map(
      ([, path, look]) => `${path} ${look}`,
    );

  it.each<[retention: Partial<RetentionView>, links: string[]]>([
    [ALL, ['relationship-end secondary', 'hold secondary', 'release-hold secondary', 'erase danger']],
    [{ mayHold: true }, ['hold secondary']],
    [{ mayReleaseHold: true }, ['release-hold secondary']],
    [{ mayEndRelationship: true }, ['relationship-end secondary']],
    [{ mayErase: true }, ['erase danger']],
  ])('the section with %j has a link for each possible change', (retention, links) => {
    const { html } = section(retention);
    expect(linksIn(html)).toEqual(links);
    expect(html).not.toContain('<dl');
  });

  it('the section has no link that the user may not follow, nor a second one to the erasure', () => {
    const others = ['relationship-end secondary', 'hold secondary', 'release-hold secondary'];
    expect(linksIn(section(ALL, { withoutErasure: true }).html)).toEqual(others);
    expect(linksIn(section(ALL, { refused: [holdVerification.id] }).html)).not.toContain('hold secondary');
    expect(section({}).html).toBe('');
    expect(section(ALL, {}, { ...page, parts: new Set() }).html).toBe('');
  });

  it('the section says when the relationship ended, and who set a hold and why', () => {
    const facts = (retention: Partial<RetentionView>) => {
      const { html } = section(retention);
      return [...html.matchAll(/<dt>(.*?)<\/dt><dd>(.*?)<\/dd>/g)].map(([, , value = '']) =>
        value.replace(/<[^>]+>/g, ''),
      );
    };
    expect(facts({ relationshipEndedAt: now })).toEqual(['15 Jan 2026, 12:00 UTC']);
    expect(facts({ holdSetBy: 'team_member' })).toHaveLength(1);
    expect(facts({ holdReason: 'Lawsuit' })).toEqual(['Lawsuit']);
    expect(linksIn(section({ holdReason: 'Lawsuit', mayHold: true }).html)).toEqual(['hold secondary']);
  });
});

describe('the pages of retention', () => {
  type Mounted = ActionPage<never, never, RetainedVerification>;
  const pagesById = (): ReadonlyMap<string, Mounted> => {
    const pages = new Map<string, Mounted>();
    mountRetentionPages((one) => void pages.set(one.action.id, one as unknown as Mounted), {
      pathOf,
      back: 'review:case.backToCase',
      load: async (_context, id) => ({ ...kept({}), id }),
    });
    return pages;
  };
  const pageOf = ({ id }: { readonly id: string }): Mounted => {
    const found = pagesById().get(id);
    if (found === undefined) throw new Error('The page is not mounted');
    return found;
  };
  const context = aContext({ now, params: { verificationId: 'case-1' } });

  it('each page loads its verification and leads back to it', async () => {
    for (const one of pagesById().values()) {
      expect(await one.load?.(context, { verificationId: 'case-2' })).toMatchObject({ id: 'case-2' });
      expect(typeof one.back === 'function' && one.back(kept({}))).toEqual({
        path: '/verifications/case-1',
        label: 'review:case.backToCase',
      });
      expect(drawn(<>{one.about?.(kept({}), page)}</>).words).toBe('user_1 , Person (KYC) Approved');
    }
  });

  it.each<[action: { readonly id: string }, open: Partial<RetentionView>]>([
    [holdVerification, { mayHold: true }],
    [releaseVerificationHold, { mayReleaseHold: true }],
    [endVerificationRelationship, { mayEndRelationship: true }],
    [eraseVerificationData, { mayErase: true }],
  ])('the page of $id is open while the change is possible', (action, open) => {
    const closed = (retention: Partial<RetentionView>) => pageOf(action).closed?.(kept(retention), context);
    expect(closed(open)).toBeNull();
    expect(closed({})).toContain('not possible in the current status');
    expect(closed({ holdSetBy: 'team_member' })).toContain('not possible in the current status');
    const isOfHold = 'mayHold' in open || 'mayReleaseHold' in open;
    expect(closed({ holdSetBy: 'operator' })).toContain(isOfHold ? 'Only operators' : 'not possible');
    expect(closed({ ...open, holdSetBy: 'operator' })).toBeNull();
  });

  it('the forms contain the current values', () => {
    const hold = (retention: Partial<RetentionView>) =>
      pageOf(holdVerification).initial?.(kept(retention), context);
    const held = { state: 'held', until: now } as const;
    expect(hold({})).toEqual({});
    expect(hold({ holdReason: 'Lawsuit', data: held })).toEqual({ reason: 'Lawsuit', until: now.toISOString() });
    expect(hold({ data: { state: 'held', until: null } })).toEqual({});
    expect(hold({ data: { state: 'kept', until: now } })).toEqual({});
    const end = (relationshipEndedAt: Date | null) =>
      pageOf(endVerificationRelationship).initial?.(kept({ relationshipEndedAt }), context);
    expect([end(null), end(now)]).toEqual([{}, { endedAt: now.toISOString() }]);
  });

  it.each<[action: { readonly id: string }, result: object, input: object, done: string]>([
    [holdVerification, {}, {}, 'held'],
    [releaseVerificationHold, {}, {}, 'holdReleased'],
    [endVerificationRelationship, {}, { endedAt: 'now' }, 'relationshipEnded'],
    [endVerificationRelationship, {}, {}, 'relationshipGoesOn'],
    [eraseVerificationData, { state: 'erased' }, {}, 'erased'],
    [eraseVerificationData, { state: 'hidden' }, {}, 'erasureRequested'],
  ])('the page of $id leads to its result', (action, result, input, done) => {
    const { done: pathAfter } = pageOf(action);
    expect(pathAfter(result as never, context, { ...input }, NO_VALUES)).toBe(
      `/verifications/case-1?done=${done}`,
    );
  });

  it('an erasure has no field, withdraws an open verification, and says when the data goes', async () => {
    const { complete, intro, isDangerous, shows } = pageOf(eraseVerificationData);
    expect([shows, isDangerous]).toEqual([[], true]);
    const sent = (erasureWithdraws: boolean) => complete?.({}, NO_VALUES, async () => kept({ erasureWithdraws }));
    expect([await sent(true), await sent(false)]).toEqual([{ withdraw: true }, {}]);
    const words = (retention: Partial<RetentionView>) => drawn(<>{intro?.(kept(retention), page)}</>);
    expect(words({ erasureWithdraws: true }).words).toContain('withdrawn first');
    expect(words({ data: { state: 'held', until: null }, legalEnd: now }).words).toContain(
      'when the hold has ended',
    );
    expect(words({ legalEnd: now }).words).toContain('until 15 Jan 2026, 12:00 UTC');
    expect(words({}).words).not.toMatch(/withdrawn first|hold has ended|until/);
    expect(words({}).html.match(/<li>[^<]+<\/li>/g)).toHaveLength(7);
  });
});
