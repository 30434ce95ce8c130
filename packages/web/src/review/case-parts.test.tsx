import {
  CountersignError,
  type EventType,
  type ReviewedVerification,
  type ReviewWarning,
} from '@countersign/domain';
import { beforeAll, describe, expect, it } from 'vitest';
import { givenCases } from '../../test-support/cases.ts';
import { aPage, drawn } from '../../test-support/drawn.ts';
import { aView, changedCase, REVIEWER } from '../../test-support/review-view.ts';
import { createFormValues } from '../forms/form-values.ts';
import { CaseBar } from './case-bar.tsx';
import { ClaimBadge, ClaimButton, ClaimFact } from './claim.tsx';
import { ConflictNotice, TypedInVain } from './conflict-notice.tsx';
import { EventLine, endingOf, History, Notes, receiverOf } from './history.tsx';
import { MarkLegend, ReadingMark, ReadValue } from './reading-marks.tsx';
import { ReviewFacts } from './review-facts.tsx';
import {
  caseName,
  conflictCodeOf,
  conflictOf,
  isHeldByOther,
  type ReviewView,
  type Unsent,
} from './review-view.ts';
import { WarningChips, WarningMark, warningChecks } from './warnings.tsx';

let person: ReviewedVerification;

beforeAll(async () => {
  const { review, submitted } = await givenCases();
  person = { ...(await review.open(await submitted())), warnings: [] };
});

const claimedBy = (reviewerId: string): ReviewedVerification =>
  changedCase(person, { claim: { reviewerId, claimedAt: new Date('2026-01-15T12:30:00.000Z') } });
const withStatus = (status: string, more: object = {}): ReviewedVerification =>
  changedCase(person, { status, claim: undefined, ...more });

const event = (type: EventType, data: object = {}): ReviewView['reviewed']['events'][number] => {
  const [first] = person.events;
  if (first === undefined) throw new Error('A verification has an event');
  return { ...first, type, data: { ...data }, actor: { kind: 'reviewer', id: 'ben' } };
};

describe('the claim on a case', () => {
  it.each([
    ['no one', () => person, 'claim', 'Unclaimed', 'is-idle', 'Unclaimed'],
    ['the reviewer', () => claimedBy(REVIEWER.id), 'release', 'Yours', 'is-info', 'name of staff-1'],
    ['a colleague', () => claimedBy('ben'), 'release', 'name of ben', 'is-idle', 'name of ben'],
  ] as const)(
    'the claim of %s has its button, its badge and its line',
    (_, reviewed, action, badge, tone, holder) => {
      const view = aView(reviewed());
      const button = drawn(<ClaimButton view={view} />).html;
      expect(button).toContain(`/${action}?type=kyc"`);
      expect(button).toContain(`name="expectedVersion" value="${person.verification.version}"`);
      const shown = drawn(<ClaimBadge view={view} />);
      expect([shown.words, /is-\w+/.exec(shown.html)?.[0]]).toEqual([badge, tone]);
      const fact = drawn(<ClaimFact view={view} />);
      expect(fact.words).toContain(`${holder} Hand over`);
      expect(fact.html).toContain('/hand-over?type=kyc"');
    },
  );

  it('a case is held by another reviewer only while a colleague’s claim lasts', () => {
    expect(
      [person, claimedBy(REVIEWER.id), claimedBy('ben'), withStatus('approved')].map((reviewed) =>
        isHeldByOther(aView(reviewed)),
      ),
    ).toEqual([false, false, true, false]);
  });
});

describe('the line above a case', () => {
  const barOf = (reviewed: ReviewedVerification, more: Partial<ReviewView> = {}) =>
    drawn(<CaseBar view={aView(reviewed, more)} />);

  it('a case that waits shows for how long, and its claim', () => {
    const { html, words } = barOf(person);
    expect(html).toContain('href="/kyc/review?type=kyc" class="back-link"');
    expect(words).toMatch(/Ada Lovelace \S+ Acme Bank waiting 1 hr Claim$/);
    expect(html).not.toContain('progress-today');
    expect(barOf(claimedBy('ben')).words).toMatch(/1 hr name of ben Release$/);
    expect(barOf(person, { progress: { done: 1200, total: 3400 } }).words).toContain('1,200 of 3,400 today');
  });

  it('a decided case shows its status instead of waiting time and claim', () => {
    const { html, words } = barOf(withStatus('approved'));
    expect(words).toMatch(/Acme Bank Approved$/);
    expect(html).not.toContain('<form');
    expect(barOf({ ...withStatus('rejected'), endedBy: 'withdrawn' }).words).toMatch(/Withdrawn$/);
  });

  it('a case without a name is named by its reference', () => {
    expect(caseName(person, aPage())).toBe('Ada Lovelace');
    expect(caseName(changedCase(person, { steps: {} }), aPage())).toBe('user_1');
  });
});

describe('warnings', () => {
  const warning = (code: ReviewWarning['code'], more: Partial<ReviewWarning> = {}): ReviewWarning => ({
    code,
    step: 'document',
    path: '',
    ...more,
  });
  const warned = (...warnings: readonly ReviewWarning[]) => ({ ...person, warnings });

  it('chips name each kind once, and lead to its first place', () => {
    const { html } = drawn(
      <WarningChips
        view={aView(
          warned(
            warning('name_mismatch', { step: 'person', path: 'firstName' }),
            warning('picture_blurred', { path: 'frontFileId' }),
            warning('name_mismatch', { path: 'number' }),
            warning('phone_country_differs', { step: 'person', path: 'nationalities.1' }),
            warning('rejected_for_fraud', { step: 'selfie' }),
          ),
        )}
      />,
    );
    expect([...html.matchAll(/<a href="#([^"]+)" class="badge is-(\w+)"/g)].map(([, ...parts]) => parts)).toEqual([
      ['answer-document-frontFileId', 'warn'],
      ['answer-person-firstName', 'warn'],
      ['answer-person-nationalities', 'idle'],
      ['answer-selfie', 'bad'],
    ]);
    const hidden = { ...warned(warning('name_mismatch')), retention: { ...person.retention, isHidden: true } };
    expect(drawn(<WarningChips view={aView(hidden)} />).html).toBe('');
  });

  it('each check names place, kind and value once per key; a hint needs no check', () => {
    const checks = warningChecks(
      aView(
        warned(
          warning('name_mismatch', { path: 'number' }),
          warning('phone_country_differs', { step: 'person', path: 'firstName', detail: 'DE' }),
          warning('name_mismatch', { path: 'number', detail: 'X1' }),
          warning('reading_differs', { path: 'issuingCountry', detail: 'AT' }),
          warning('reading_differs', { path: 'number' }),
          warning('reading_differs', { step: 'selfie', detail: 'AT' }),
          warning('country_mismatch', { path: 'issuingCountry', detail: 'PL, JP' }),
        ),
      ),
    );
    expect(checks.map(({ key }) => key)).toEqual([
      'name_mismatch:document.number',
      'reading_differs:document.issuingCountry',
      'reading_differs:document.number',
      'reading_differs:selfie',
      'country_mismatch:document.issuingCountry',
    ]);
    expect(checks[0]?.words).toMatch(
      /^I checked Identity document, Number: ([^;]+); I checked Identity document, Number: \1 \(X1\)$/,
    );
    expect(checks[1]?.words).toMatch(/Identity document, Issuing country.*Austria \(AT\).*Germany \(DE\)/);
    expect(checks[2]?.words).toMatch(/^I checked Identity document, Number: /);
    expect(checks[3]?.words).toMatch(/^I checked Selfie: .* \(AT\)$/);
    expect(checks[4]?.words).toMatch(/\(Poland \(PL\), Japan \(JP\)\)$/);
  });

  const markOf = (one: ReviewWarning, shown?: string | null) =>
    drawn(<WarningMark view={aView(person)} warning={one} shown={shown} />);

  it('a mark names the compared value unless the row shows it already', () => {
    expect(markOf(warning('name_mismatch', { path: 'number', detail: 'X1' })).words).toMatch(/ \( ?X1 ?\)$/);
    expect(markOf(warning('name_mismatch', { path: 'number', detail: 'X1' }), 'X1').words).not.toContain('X1');
    expect(markOf(warning('name_mismatch', { path: 'number' }), null).words).not.toContain('(');
    expect(markOf(warning('name_mismatch', { path: 'number' })).html).not.toContain('other-cases');
    // The detail of such a warning is a country, whichever field the warning is about.
    const tax = warning('tax_id_does_not_fit', { step: 'person', path: 'firstName', detail: 'AT' });
    expect(markOf(tax).words).toContain('Austria (AT)');
    const front = warning('picture_blurred', { path: 'frontFileId', detail: 'document_back, odd' });
    expect(markOf(front).words).toContain('Document, back, odd');
  });
});

describe('the history of a case', () => {
  const lineOf = (one: ReturnType<typeof event>) => {
    const { names, page } = aView(person);
    return drawn(<EventLine event={one} names={names} page={page} />).words;
  };

  it.each<[type: EventType, data: object, line: string]>([
    [
      'verification.file_attached',
      { step: 'document', kind: 'document_back' },
      'File uploaded by name of ben (Document, back)',
    ],
    ['verification.step_completed', { step: 'person' }, 'Step answered by name of ben (Person)'],
    ['verification.step_completed', { step: 'gone' }, 'Step answered by name of ben'],
    ['verification.noted', {}, 'Internal note written by name of ben'],
    ['verification.claimed', {}, 'Claimed by name of ben'],
    ['verification.claimed', { reviewerId: 'rita' }, 'Handed over to name of rita by name of ben'],
    ['verification.released', { reviewerId: 'rita' }, 'Claim released by name of ben'],
    [
      'verification.action_requested',
      {
        items: [{ step: 'selfie' }, { step: 'document', field: 'number' }, { step: 'selfie' }].map((item) => ({
          ...item,
          reasonCode: 'other',
        })),
      },
      'Action requested by name of ben (Selfie; Identity document, Number)',
    ],
  ])('the line of %s with %j', (type, data, line) => {
    expect(lineOf(event(type, data))).toBe(line);
  });

  it('an event names a receiver only if it hands the case over', () => {
    expect(receiverOf(event('verification.claimed', { reviewerId: 'rita' }))).toBe('rita');
    expect(receiverOf(event('verification.claimed'))).toBeNull();
    expect(receiverOf(event('verification.released', { reviewerId: 'rita' }))).toBeNull();
  });

  it('the last event that ended a case is its ending', () => {
    const [approved, expired] = [event('verification.approved'), event('verification.expired')];
    expect(endingOf([event('verification.noted')])).toBeUndefined();
    expect(endingOf([approved, expired, event('verification.held')])).toBe(expired);
    for (const type of ['verification.rejected', 'verification.withdrawn'] as const)
      expect(endingOf([event(type)])?.type).toBe(type);
  });

  it('the latest events come first; a link leads to all events, which are then unfolded', () => {
    const historyOf = (count: number, eventCount: number) => {
      const events = Array.from({ length: count }, (_, n) =>
        event(n === 0 ? 'verification.created' : 'verification.noted'),
      );
      const reviewed = { ...changedCase(person, { eventCount }), events };
      return drawn(<History view={aView(reviewed)} />);
    };
    const few = historyOf(50, 50);
    expect(few.words).toMatch(/Created by name of ben 15 Jan 2026, 12:00 UTC$/);
    expect(few.html).not.toMatch(/<details[^>]* open/);
    expect(few.html).toContain('icons.svg#plus');
    expect(historyOf(50, 51).html).toMatch(/href="[^"]*\?allEvents=true&amp;type=kyc">Show all 51 events/);
    expect(historyOf(51, 51).html).toMatch(/<details[^>]* open/);
  });

  it('notes have their author and time; without notes there is no list', () => {
    const notesOf = (internalNotes: readonly object[]) =>
      drawn(<Notes view={aView(changedCase(person, { internalNotes }))} />);
    expect(notesOf([]).html).toBe('');
    expect(
      notesOf([{ text: 'Seen <b>', reviewerId: 'ben', writtenAt: '2026-01-15T12:00:00.000Z' }]).words,
    ).toMatch(/name of ben, 15 Jan 2026, 12:00 UTC Seen <b>$/);
  });
});

describe('a conflict', () => {
  const sent = (action: Unsent['action'], fields: readonly (readonly [string, string])[]): Unsent => ({
    action,
    values: createFormValues(fields),
    problems: new Map(),
    toConfirm: false,
  });
  const noticeOf = (
    reviewed: ReviewedVerification,
    code: 'VERSION_CONFLICT' | 'ILLEGAL_TRANSITION' | 'EVENT_LIMIT_REACHED' = 'VERSION_CONFLICT',
    more: Partial<ReviewView> = {},
    meanwhile: ReviewedVerification['events'] = [],
  ) => drawn(<ConflictNotice view={aView(reviewed, more)} conflict={{ code, meanwhile }} />);

  it('a conflict says who claimed the case, what changed and what the status is', () => {
    const claimed = noticeOf(claimedBy('ben'), 'VERSION_CONFLICT', {}, [event('verification.claimed')]);
    expect(claimed.words).toContain('name of ben');
    expect(claimed.words).toContain('15 Jan 2026, 12:30 UTC');
    expect(claimed.html).toContain('class="timeline"');
    expect(claimed.html).not.toContain('<form');
    const own = noticeOf(claimedBy(REVIEWER.id));
    expect(own.words).not.toContain('12:30');
    expect(own.html).not.toContain('timeline');
    expect(own.html.match(/<p>/g)).toHaveLength(1);
    const decided = noticeOf(withStatus('approved'), 'ILLEGAL_TRANSITION');
    expect(decided.html).toContain('action="/kyc/review/next?type=kyc"');
    expect(decided.words).toContain('Approved');
    expect(decided.html.match(/<p>/g)).toHaveLength(2);
    expect(noticeOf(person, 'EVENT_LIMIT_REACHED').words).toContain('limit of recorded events');
    expect(noticeOf(person, 'EVENT_LIMIT_REACHED').html.match(/<p>/g)).toHaveLength(2);
    expect(noticeOf(person, 'VERSION_CONFLICT', { unsent: sent('note', []) }).html.match(/<p>/g)).toHaveLength(2);
  });

  it.each<[name: string, reviewed: () => ReviewedVerification, unsent: Unsent, shown: string]>([
    ['the case still has', () => person, sent('reject', [['reject.message', 'Sorry']]), ''],
    ['was empty', () => claimedBy('ben'), sent('reject', []), ''],
    ['had a message', () => claimedBy('ben'), sent('reject', [['reject.message', 'Sorry']]), 'Sorry'],
    ['had a note', () => claimedBy('ben'), sent('ask', [['ask.internalNote', 'Seen']]), 'Seen'],
    [
      'had a reason',
      () => claimedBy('ben'),
      sent('reject', [['reject.reasonCodes', 'data_mismatch']]),
      'Data does not match the document',
    ],
    [
      'had a step',
      () => claimedBy('ben'),
      sent('ask', [
        ['ask.steps', 'selfie'],
        ['ask.selfie.reasonCode', 'selfie_unclear'],
      ]),
      'Selfie : Selfie is not clear',
    ],
    [
      'had a reason and a step',
      () => claimedBy('ben'),
      sent('ask', [
        ['reject.reasonCodes', 'other'],
        ['ask.steps', 'selfie'],
        ['ask.selfie.reasonCode', 'selfie_unclear'],
      ]),
      'Other Selfie : Selfie is not clear',
    ],
  ])('the values of a form that %s', (_, reviewed, unsent, shown) => {
    const { words } = drawn(<TypedInVain view={aView(reviewed())} unsent={unsent} />);
    if (shown === '') expect(words).toBe('');
    else expect(words.endsWith(shown)).toBe(true);
  });

  it('a conflict lists the events that the reviewer has not seen; other errors are not conflicts', () => {
    const { events } = person;
    expect(conflictOf('VERSION_CONFLICT', person, 11).meanwhile).toEqual(events.slice(11));
    const codes = ['VERSION_CONFLICT', 'CLAIMED_BY_ANOTHER', 'ILLEGAL_TRANSITION', 'EVENT_LIMIT_REACHED'] as const;
    for (const code of codes) {
      expect(conflictCodeOf(new CountersignError(code))).toBe(code);
      expect(conflictCodeOf(Object.assign(new Error(code), { code }))).toBeNull();
    }
    expect(conflictCodeOf(new CountersignError('RATE_LIMIT_EXCEEDED'))).toBeNull();
  });
});

describe('the facts of a case', () => {
  const factsOf = (reviewed: ReviewedVerification) => drawn(<ReviewFacts view={aView(reviewed)} />).words;

  it('a case that waits has its waiting time, due time and claim', () => {
    expect(factsOf(person)).toMatch(
      /^Case and metadata Subject reference user_1 Short reference \S+ Client Acme Bank Subject Person \(KYC\) Status To review Waiting for a decision Waiting for 1 hour Claimed by Unclaimed Hand over Submitted 15 Jan 2026, 12:00 UTC Created 15 Jan 2026, 12:00 UTC Data Kept while the verification is open$/,
    );
    const due = { ...person, dueAt: new Date('2026-01-15T15:00:00.000Z') };
    expect(factsOf(due)).toMatch(/Waiting for 1 hour .*2 hr?s?/);
  });

  it('a decided case has the time of its decision and its status alone', () => {
    const words = factsOf(withStatus('approved', { resolvedAt: new Date('2026-01-16T12:00:00.000Z') }));
    expect(words).toMatch(/Status Approved Submitted .* 16 Jan 2026, 12:00 UTC/);
    expect(words).not.toContain('Claimed by');
    expect(words).not.toContain('Waiting for');
    expect(factsOf(withStatus('pending', { submittedAt: null }))).toContain('Submitted Not yet');
  });
});

describe('the marks of a reading', () => {
  const marked = { step: 'document', path: 'number', field: { kind: 'text', max: 10 }, mark: 'read' } as const;

  it('a mark is a symbol with words, and the legend lists each', () => {
    expect(drawn(<ReadingMark mark="differs" page={aPage()} />).html).toMatch(
      /title="[^"]+".*is-warn.*≠.*visually-hidden/,
    );
    expect(drawn(<MarkLegend marks={[]} page={aPage()} />).html).toBe('');
    const legend = drawn(<MarkLegend marks={[{ ...marked, read: 'X1' }]} page={aPage()} />);
    expect(legend.words).toMatch(/^✓ .* ≠ .* • /);
    expect(drawn(<ReadValue marked={{ ...marked, read: 'X1' }} page={aPage()} />).words).toBe('X1');
    expect(drawn(<ReadValue marked={{ ...marked, read: null }} page={aPage()} />).html).toBe('');
  });
});
