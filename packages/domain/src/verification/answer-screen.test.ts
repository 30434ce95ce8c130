import { describe, expect, it } from 'vitest';
import { GOOD_ANSWERS } from '../../test-support/answers.ts';
import {
  answered,
  CONTEXT,
  completed,
  file,
  inFlow,
  LINK_CONTEXT,
  NOW,
  pending,
  submitted,
} from '../../test-support/verifications.ts';
import { defineStep } from '../fields/step.ts';
import type { JsonObject } from '../input/json.ts';
import { type AnsweredScreen, answerScreen } from './answer-screen.ts';
import { completeSteps } from './complete-steps.ts';
import { fieldsToRedo } from './fields-to-redo.ts';
import type { Flow, StepKey } from './flow.ts';
import { currentStepOf } from './progress.ts';
import { askForAction } from './reviewer-moves.ts';
import { openScreensOf } from './screen-plan.ts';
import { attachFile, submit } from './subject-moves.ts';
import type { Transition } from './transition.ts';
import type { Verification } from './verification.ts';

const { document, person } = GOOD_ANSWERS.kyc as Record<string, JsonObject>;
const { frontFileId, backFileId, number, expiresOn, ...type } = document as JsonObject;
const DETAILS = { number, expiresOn, ...person } as JsonObject;

const answer = (verification: Verification, screen: string, input: unknown, context = CONTEXT): AnsweredScreen =>
  answerScreen(verification, { screen, input }, context);

function nextOf({ transition }: Pick<AnsweredScreen, 'transition'>): Verification {
  const next = transition !== null && 'length' in transition ? transition.at(-1)?.next : transition?.next;
  if (next === undefined) throw new Error('Nothing changed');
  return next;
}

const madeBy = ({ transition }: AnsweredScreen): readonly Transition[] =>
  transition !== null && 'length' in transition ? transition : [];

/** Shows the events of a change with the version and the progress after each. */
const shown = (transitions: readonly Transition[]) =>
  transitions.map(({ event: { data }, next, supersededVersion }) => [
    data.step,
    next.version,
    currentStepOf(next),
    supersededVersion,
  ]);

const refusalOf = ({ transition }: AnsweredScreen) =>
  transition !== null && 'refusal' in transition ? transition.refusal : undefined;

/** A KYC verification before its screen `details`. */
function atDetails(): Verification {
  let current = answered(pending(), 'consent');
  for (const kind of ['document_front', 'document_back'] as const) {
    current = attachFile(current, file('document', kind)).next;
  }
  current = nextOf(answer(current, 'document', type));
  current = nextOf(answer(current, 'document-front', { frontFileId }));
  return nextOf(answer(current, 'document-back', { backFileId }));
}

const open = (verification: Verification, asks = CONTEXT.asks) =>
  openScreensOf(verification, asks).map(({ slug }) => slug);

describe('a screen on which two steps end', () => {
  it('completes both: two events in the order of the steps, each with its version; currentStep 1 to 3', () => {
    const before = atDetails();
    const made = answer(before, 'details', DETAILS);
    const { version } = before;
    expect([currentStepOf(before), made.screenToCorrect]).toEqual([1, null]);
    expect(shown(madeBy(made))).toEqual([
      ['document', version + 1, 2, undefined],
      ['person', version + 2, 3, undefined],
    ]);
    const { steps, drafts } = nextOf(made);
    expect(drafts).toEqual({});
    expect(steps.document).toMatchObject({ answers: document, version: version + 1 });
    expect(steps.person).toMatchObject({ answers: person, version: version + 2 });
  });

  it('two wrong parts: one list of issues in the order of the screen, and nothing is saved', () => {
    const wrong = { ...DETAILS, number: '', expiresOn: '2020-01-01', lastName: '', email: 'x' };
    const refused = () => answer(atDetails(), 'details', wrong);
    expect(refused).toThrow(
      expect.objectContaining({
        code: 'INVALID_PARAMETERS',
        data: {
          issues: ['number', 'expiresOn', 'lastName', 'email'].map((path) => expect.objectContaining({ path })),
        },
      }),
    );
  });

  it.each([
    ['document', { expiresOn: '2020-01-01' }, 'expiresOn', 'person', person],
    ['person', { lastName: '' }, 'lastName', 'document', document],
  ] as const)(
    '%s wrong: no step is completed, and the other one is kept as a draft',
    (wrong, change, path, right, answers) => {
      const before = atDetails();
      const made = answer(before, 'details', { ...DETAILS, ...change });
      expect(refusalOf(made)).toMatchObject({ data: { issues: [{ path }] } });
      const next = nextOf(made);
      expect([madeBy(made), currentStepOf(next), next.version]).toEqual([[], 1, before.version + 1]);
      expect(next.drafts[right]).toEqual(answers);
      expect(next.drafts[wrong]).toEqual(before.drafts[wrong]);
    },
  );

  it('a value of no part is refused', () => {
    expect(() => answer(atDetails(), 'details', { ...DETAILS, nickname: 'A' })).toThrow(
      expect.objectContaining({
        data: { issues: [expect.objectContaining({ path: 'nickname', code: 'unknown_field' })] },
      }),
    );
  });

  it('a second answer replaces the events of what changed; equal answers change nothing', () => {
    const first = nextOf(answer(atDetails(), 'details', DETAILS));
    expect(answer(first, 'details', DETAILS)).toEqual({ transition: null, screenToCorrect: null });
    const [documentVersion, personVersion] = [first.steps.document?.version, first.steps.person?.version];
    const both = answer(first, 'details', { ...DETAILS, number: 'X1', lastName: 'Hopper' });
    expect(shown(madeBy(both))).toEqual([
      ['document', first.version + 1, 3, documentVersion],
      ['person', first.version + 2, 3, personVersion],
    ]);
    const one = answer(first, 'details', { ...DETAILS, lastName: 'Hopper' });
    expect(shown(madeBy(one))).toEqual([['person', first.version + 1, 3, personVersion]]);
  });

  it('the screen is open once the step that ends on it is: not before the pictures are sent', () => {
    expect(open(answered(pending(), 'consent'))).toEqual(['consent', 'document', 'document-front', 'details']);
    expect(open(pending())).toEqual(['consent']);
    const early = answer(answered(pending(), 'consent'), 'details', DETAILS);
    expect(early.screenToCorrect).toBe('document');
    expect(nextOf(early).drafts).toMatchObject({ document: { number }, person });
    expect(Object.keys(nextOf(early).steps)).toEqual(['consent']);
  });
});

describe('a screen on which one step ends and another begins', () => {
  const first = defineStep<{ readonly a: string; readonly b: string }>({
    fields: { a: { kind: 'text', max: 10 }, b: { kind: 'text', max: 10 } },
    pages: { a: ['a'], b: ['b'] },
    rules: ({ a, b }) => (a === b ? [{ path: 'b', message: 'must differ', code: 'invalid' }] : []),
  });
  const second = defineStep<{ readonly c: string; readonly d: string }>({
    fields: { c: { kind: 'text', max: 10 }, d: { kind: 'text', max: 10 } },
    pages: { c: ['c'], d: ['d'] },
  });
  const flow: Flow = {
    type: 'kyc',
    version: 1,
    steps: { consent: first, person: second },
    screens: [
      { slug: 'a', parts: [{ step: 'consent', page: 'a' }] },
      {
        slug: 'both',
        parts: [
          { step: 'consent', page: 'b' },
          { step: 'person', page: 'c' },
        ],
      },
      { slug: 'd', parts: [{ step: 'person', page: 'd' }] },
    ],
  };
  const begun: Verification = { ...pending(), flow, drafts: { consent: { a: 'x' }, person: { c: 'old' } } };

  it('the answer completes the first step, and replaces the draft of the second', () => {
    const made = answer(begun, 'both', { b: 'y', c: 'new' });
    expect(madeBy(made)).toMatchObject([{ event: { data: { step: 'consent' } } }]);
    expect(nextOf(made).drafts).toEqual({ person: { c: 'new' } });
  });

  it('a part that does not fit an answer of another screen is refused, and the other part is kept as a draft', () => {
    const sent = nextOf(answer(begun, 'both', { b: 'y', c: 'old' }));
    const made = answer(sent, 'both', { b: 'x', c: 'new' });
    expect(refusalOf(made)).toMatchObject({ data: { issues: [{ path: 'b' }] } });
    expect(nextOf(made).drafts.person).toEqual({ c: 'new' });
  });
});

describe('a screen of a step that was completed before', () => {
  it('equal answers end an earlier draft, without an event', () => {
    const drafted = { ...completed(), drafts: { person: { lastName: 'Hopper' } } };
    const made = answer(drafted, 'details', DETAILS);
    expect(made.transition).toMatchObject({ event: null, next: { version: drafted.version + 1 } });
    expect(nextOf(made).drafts).toEqual({});
  });

  it('a document that expired since: its date has to be corrected, and only the new picture is a draft', () => {
    const before = attachFile(completed(), file('document', 'document_front', 'new')).next;
    const later = { ...CONTEXT, now: new Date('2099-01-01T00:00:00Z') };
    const made = answer(before, 'document-front', { frontFileId: 'new' }, later);
    expect(made.screenToCorrect).toBe('details');
    expect(nextOf(made).drafts).toEqual({ document: { frontFileId: 'new' } });
  });
});

describe('a screen that does not end a step', () => {
  it('a file that another place uses already is refused', () => {
    const begun = attachFile(answered(pending(), 'consent'), file('document', 'document_front')).next;
    const copy = {
      ...file('document', 'document_back', 'copy'),
      sha256: file('document', 'document_front').sha256,
    };
    const typed = nextOf(answer(attachFile(begun, copy).next, 'document', type));
    const before = nextOf(answer(typed, 'document-front', { frontFileId }));
    expect(() => answer(before, 'document-back', { backFileId: 'copy' })).toThrow(
      expect.objectContaining({ code: 'FILE_USED_ELSEWHERE' }),
    );
  });

  it('the answer is saved as a draft, without an event', () => {
    const before = answered(pending(), 'consent');
    const { transition, screenToCorrect } = answer(before, 'document', type);
    expect(transition).toMatchObject({ event: null, next: { drafts: { document: type }, steps: before.steps } });
    expect(screenToCorrect).toBeNull();
  });

  it('the draft raises the version, and drafts of other steps stay when a step is completed', () => {
    const before = { ...atDetails(), drafts: { ...atDetails().drafts, address: { city: 'Rome' } } };
    const made = nextOf(answer(before, 'details', DETAILS));
    expect(made.drafts).toEqual({ address: { city: 'Rome' } });
    const begun = answered(pending(), 'consent');
    expect(nextOf(answer(begun, 'document', type)).version).toBe(begun.version + 1);
  });

  it('an input that is no object is refused', () => {
    expect(() => answer(atDetails(), 'details', [])).toThrow(
      expect.objectContaining({ data: { issues: [expect.objectContaining({ path: '' })] } }),
    );
  });

  it('a submitted verification takes no answer: the error says its status', () => {
    expect(() => answer(submitted(), 'details', DETAILS)).toThrow(
      expect.objectContaining({ code: 'ILLEGAL_TRANSITION', data: { status: 'submitted' } }),
    );
  });

  it('a screen of a later step is refused', () => {
    expect(() => answer(atDetails(), 'selfie', {})).toThrow(expect.objectContaining({ code: 'STEP_OUT_OF_TURN' }));
  });

  it('a passport has no screen for its back', () => {
    const before = nextOf(answer(answered(pending(), 'consent'), 'document', { ...type, type: 'passport' }));
    expect(open(before)).not.toContain('document-back');
  });
});

describe("a client's settings", () => {
  const none = { ...CONTEXT, asks: { placeOfBirth: false, proofOfAddress: false } };
  const { placeOfBirth: _, ...short } = DETAILS;

  it('place of birth is asked if its switch is on, and refused as unknown if it is off', () => {
    expect(nextOf(answer(atDetails(), 'details', short, none)).steps.person?.answers).not.toHaveProperty(
      'placeOfBirth',
    );
    expect(refusalOf(answer(atDetails(), 'details', short))).toMatchObject({
      data: { issues: [{ path: 'placeOfBirth.city', code: 'required' }, { path: 'placeOfBirth.country' }] },
    });
    expect(() => answer(atDetails(), 'details', DETAILS, none)).toThrow(
      expect.objectContaining({ code: 'INVALID_PARAMETERS' }),
    );
  });

  it('the address is complete without a screen for its proof', () => {
    const before = (['selfie'] as const).reduce<Verification>(
      answered,
      nextOf(answer(atDetails(), 'details', DETAILS)),
    );
    const { proofFileId: __, ...address } = GOOD_ANSWERS.kyc.address as JsonObject;
    expect(open(before)).toContain('proof-of-address');
    expect(open(before, none.asks)).not.toContain('proof-of-address');
    expect(nextOf(answer(before, 'address', address)).steps.address).toBeUndefined();
    expect(nextOf(answer(before, 'address', address, none)).steps.address?.answers).toEqual(address);
  });
});

describe('one name', () => {
  it('lastName holds it, and firstName is absent', () => {
    const { firstName: _, ...mono } = DETAILS;
    expect(nextOf(answer(atDetails(), 'details', mono)).steps.person?.answers).not.toHaveProperty('firstName');
  });

  it('flow version 1 requires a first name', () => {
    const { firstName: _, ...mono } = person as JsonObject;
    const before = (['consent', 'document'] as const).reduce<Verification>(answered, inFlow(pending(), 1));
    expect(() => completeSteps(before, [{ step: 'person', input: mono }], CONTEXT)).toThrow(
      expect.objectContaining({ data: { issues: [expect.objectContaining({ path: 'firstName' })] } }),
    );
  });
});

describe('a redo', () => {
  const asked = (items: readonly { step: StepKey; field?: string; reasonCode?: string }[]) =>
    askForAction(
      submitted(),
      { items: items.map((item) => ({ reasonCode: 'document_glare', ...item })) },
      LINK_CONTEXT,
    ).next;

  it('one picture: one screen, which completes the step and keeps the other answers', () => {
    const before = attachFile(
      asked([{ step: 'document', field: 'frontFileId' }]),
      file('document', 'document_front', 'new'),
    ).next;
    expect(open(before)).toEqual(['document-front']);
    const made = answer(before, 'document-front', { frontFileId: 'new' });
    expect(shown(madeBy(made))).toEqual([['document', before.version + 1, 6, undefined]]);
    expect(nextOf(made).steps.document?.answers).toEqual({ ...document, frontFileId: 'new' });
    expect(open(nextOf(made))).toEqual(['document-front']);
    expect(submit(nextOf(made), NOW).next.status).toBe('submitted');
  });

  it('two pictures: the first one is a draft, whichever it is, and the second completes the step', () => {
    const items = [
      { step: 'document', field: 'frontFileId' },
      { step: 'document', field: 'backFileId' },
    ] as const;
    let before = asked(items);
    before = attachFile(before, file('document', 'document_front', 'new front')).next;
    before = attachFile(before, file('document', 'document_back', 'new back')).next;
    const back = answer(before, 'document-back', { backFileId: 'new back' });
    expect([madeBy(back), back.screenToCorrect]).toEqual([[], 'document-front']);
    const both = answer(nextOf(back), 'document-front', { frontFileId: 'new front' });
    expect(nextOf(both).steps.document?.answers).toEqual({
      ...document,
      frontFileId: 'new front',
      backFileId: 'new back',
    });
  });

  it('an optional picture is asked after another field, and may be left out', () => {
    const { proofFileId: _, ...home } = GOOD_ANSWERS.kyc.address as JsonObject;
    const items = [
      { step: 'address', field: 'city' },
      { step: 'address', field: 'proofFileId' },
    ] as const;
    const before = attachFile(asked(items), file('address', 'proof_of_address', 'bill')).next;
    const { address } = before.steps;
    if (address === undefined) throw new Error('No address');
    const unproven = { ...before, steps: { ...before.steps, address: { ...address, answers: home } } };
    const first = answer(unproven, 'address', { ...home, city: 'Potsdam' });
    expect([madeBy(first), first.screenToCorrect, refusalOf(first)]).toEqual([[], null, undefined]);
    expect(nextOf(first)).toMatchObject({ awaiting: ['address'] });
    const proven = answer(nextOf(first), 'proof-of-address', { proofFileId: 'bill' });
    expect(nextOf(proven).steps.address?.answers).toEqual({ ...home, city: 'Potsdam', proofFileId: 'bill' });
    const without = answer(nextOf(first), 'proof-of-address', {});
    expect(nextOf(without).steps.address?.answers).toEqual({ ...home, city: 'Potsdam' });
    expect(nextOf(without)).toMatchObject({ awaiting: [] });
  });

  it('one field: only its step is written, and the other part of the screen is closed', () => {
    const before = asked([{ step: 'person', field: 'dateOfBirth', reasonCode: 'data_mismatch' }]);
    expect(
      openScreensOf(before, CONTEXT.asks).map(({ slug, parts }) => [slug, parts.map((part) => part.isAsked)]),
    ).toEqual([['details', [false, true]]]);
    expect(() => answer(before, 'details', DETAILS)).toThrow(
      expect.objectContaining({ code: 'INVALID_PARAMETERS' }),
    );
    const made = answer(before, 'details', { ...person, dateOfBirth: '1991-02-28' });
    expect(shown(madeBy(made))).toEqual([['person', before.version + 1, 6, undefined]]);
  });

  describe('the time of a consent', () => {
    const later = { ...CONTEXT, now: new Date(NOW.getTime() + 60_000) };
    const { representative: contact, ...consent } = GOOD_ANSWERS.kyb.consent as Record<string, JsonObject>;
    const askedFor = (field?: string) =>
      askForAction(
        submitted('kyb'),
        { items: [{ step: 'consent', reasonCode: 'data_mismatch', ...(field !== undefined && { field }) }] },
        LINK_CONTEXT,
      ).next;

    it('the time of consent stays when a reviewer asks only for details of the representative, also when these are changed once more', () => {
      const changed = (email: string) => ({ representative: { ...contact, email } });
      const once = nextOf(answer(askedFor('representative.email'), 'consent', changed('a@example.com'), later));
      const twice = nextOf(answer(once, 'consent', changed('b@example.com'), later));
      expect(twice.steps.consent).toMatchObject({
        answers: { ...changed('b@example.com'), acceptedAt: NOW.toISOString() },
        completedAt: later.now.toISOString(),
      });
    });

    it.each([[undefined], ['accepted']])(
      'the time of consent is new when the consent itself is asked for: %s',
      (field) => {
        const input = { ...consent, ...(field === undefined && { representative: contact }) };
        const { answers } = nextOf(answer(askedFor(field), 'consent', input, later)).steps.consent ?? {};
        expect(answers).toMatchObject({ acceptedAt: later.now.toISOString() });
      },
    );
  });

  it('a field for a reason about files asks for no other file', () => {
    const before = asked([{ step: 'document', field: 'number', reasonCode: 'document_unreadable' }]);
    const made = answer(before, 'details', { number: 'X1', expiresOn });
    expect(nextOf(made).steps.document?.answers).toEqual({ ...document, number: 'X1' });
  });

  it('asks for what another type of document requires, too', () => {
    const passport = { ...document, type: 'passport' } as JsonObject;
    const { backFileId: _, ...stored } = passport;
    const before = attachFile(
      asked([{ step: 'document', field: 'type', reasonCode: 'data_mismatch' }]),
      file('document', 'document_back', 'new back'),
    ).next;
    const { document: completedDocument } = before.steps;
    if (completedDocument === undefined) throw new Error('No document');
    const given = { ...before, steps: { ...before.steps, document: { ...completedDocument, answers: stored } } };
    expect(open(given)).toEqual(['document']);
    const card = answer(given, 'document', { ...type, type: 'id_card' });
    expect([madeBy(card), card.screenToCorrect]).toEqual([[], null]);
    expect(open(nextOf(card))).toEqual(['document', 'document-back']);
    const made = answer(nextOf(card), 'document-back', { backFileId: 'new back' });
    expect(nextOf(made)).toMatchObject({ awaiting: [], steps: { document: { answers: { type: 'id_card' } } } });
    expect(open(nextOf(made))).toEqual(['document', 'document-back']);
  });

  it('a document that expired since: its date is asked beside the picture', () => {
    const before = attachFile(
      asked([{ step: 'document', field: 'frontFileId' }]),
      file('document', 'document_front', 'new'),
    ).next;
    const later = {
      ...CONTEXT,
      now: new Date(`${Number((expiresOn as string).slice(0, 4)) + 1}-01-01T00:00:00Z`),
    };
    const picture = answer(before, 'document-front', { frontFileId: 'new' }, later);
    expect([madeBy(picture), picture.screenToCorrect]).toEqual([[], 'details']);
    expect(open(nextOf(picture))).toEqual(['document-front', 'details']);
    const renewed = { number: 'X1', expiresOn: '2099-01-01' };
    const made = answer(nextOf(picture), 'details', renewed, later);
    expect(nextOf(made)).toMatchObject({
      awaiting: [],
      steps: { document: { answers: { ...renewed, frontFileId: 'new' } } },
    });
    expect(open(nextOf(made)), 'both are listed at the end, and can be changed').toEqual([
      'document-front',
      'details',
    ]);
  });

  it('a field that the client no longer asks for: its whole step', () => {
    const before = asked([{ step: 'person', field: 'placeOfBirth.city', reasonCode: 'data_mismatch' }]);
    const asks = { ...CONTEXT.asks, placeOfBirth: false };
    expect(fieldsToRedo(before, 'person', asks).map(({ path }) => path)).not.toContain('placeOfBirth.city');
    expect(open(before, asks)).toEqual(['details']);
    const { placeOfBirth: _, ...rest } = person as JsonObject;
    const made = answer(before, 'details', rest, { ...CONTEXT, asks });
    expect(nextOf(made)).toMatchObject({ awaiting: [] });
  });

  it('a whole step beside one of its fields: all of its screens', () => {
    const before = asked([{ step: 'document' }, { step: 'document', field: 'frontFileId' }]);
    expect(open(before)).toEqual(['document', 'document-front', 'document-back', 'details']);
  });

  it('files that are kept: refused once, and what was typed stays as a draft', () => {
    const before = asked([{ step: 'document' }]);
    const drafted = (
      [
        ['document', type],
        ['document-front', { frontFileId }],
        ['document-back', { backFileId }],
      ] as const
    ).reduce<Verification>((current, [screen, input]) => nextOf(answer(current, screen, input)), before);
    const refused = answer(drafted, 'details', { number: 'X1', expiresOn });
    expect(refusalOf(refused)).toMatchObject({ code: 'FILE_UNCHANGED' });
    expect(nextOf(refused).drafts.document).toMatchObject({ number: 'X1' });
    expect(nextOf(answer(nextOf(refused), 'details', { number: 'X1', expiresOn }))).toMatchObject({
      awaiting: [],
    });
  });
});

describe('completeSteps', () => {
  const twoSteps = [
    { step: 'document', input: document },
    { step: 'person', input: person },
  ];

  it('checks all steps before it completes one', () => {
    const wrong = [
      { step: 'document', input: { ...document, number: '' } },
      { step: 'person', input: { ...person, lastName: '' } },
    ];
    expect(() => completeSteps(atDetails(), wrong, CONTEXT)).toThrow(
      expect.objectContaining({
        data: { issues: ['number', 'lastName'].map((path) => expect.objectContaining({ path })) },
      }),
    );
  });

  it('a step is open once those before it in the list are completed', () => {
    expect(() => completeSteps(atDetails(), twoSteps.toReversed(), CONTEXT)).toThrow(
      expect.objectContaining({ code: 'STEP_OUT_OF_TURN' }),
    );
    expect(completeSteps(atDetails(), twoSteps, CONTEXT)).toHaveLength(2);
  });

  it('an answer after a request for two steps completes both, and the second one is open once the first is completed', () => {
    const items = ['person', 'address'].map((step) => ({ step, reasonCode: 'data_mismatch' }));
    const { next } = askForAction(submitted(), { items }, LINK_CONTEXT);
    const redone = [
      { step: 'person', input: { ...person, lastName: 'Hopper' } },
      { step: 'address', input: { ...GOOD_ANSWERS.kyc.address, city: 'Potsdam' } },
    ];
    const made = completeSteps(next, redone, CONTEXT);
    expect(made).toMatchObject([{ next: { awaiting: ['address'] } }, { next: { awaiting: [] } }]);
  });

  it('equal answers to one of two steps end its draft, with the event of the other', () => {
    const before = completed();
    const drafted = { ...before, drafts: { document: { number: 'X1' } } };
    const changed = [
      { step: 'document', input: document },
      { step: 'person', input: { ...person, lastName: 'Hopper' } },
    ];
    const made = completeSteps(drafted, changed, CONTEXT);
    expect(made).toMatchObject([{ event: { data: { step: 'person' } }, next: { version: before.version + 1 } }]);
    const unchanged = completeSteps(drafted, twoSteps, CONTEXT);
    expect(unchanged).toMatchObject({ event: null });
    for (const transition of [made, unchanged]) expect(nextOf({ transition }).drafts).toEqual({});
  });
});

describe('an e-mail address that the client passed', () => {
  const notify = { email: 'erika@example.org' };
  const asksForEmail = (verification: Verification): boolean =>
    openScreensOf(verification, CONTEXT.asks).some(({ parts }) =>
      parts.some(({ fields }) => fields.some(({ path }) => path === 'email')),
    );

  it('the subject is not asked for it; without one, the subject is asked', () => {
    expect(asksForEmail(atDetails())).toBe(true);
    expect(asksForEmail({ ...atDetails(), notify })).toBe(false);
  });

  it('the step is completed without an answer', () => {
    const { email: _, ...others } = DETAILS;
    const { steps } = nextOf(answer({ ...atDetails(), notify }, 'details', others));
    expect(steps.person?.answers).not.toHaveProperty('email');
  });

  it('an answer that the subject gave before can still be changed', () => {
    expect(asksForEmail({ ...atDetails(), notify, drafts: { person: { email: 'e@example.org' } } })).toBe(true);
  });

  it('the subject is asked for it if a reviewer asks for it', () => {
    const { email: _, ...others } = person as JsonObject;
    const sent = submitted();
    const steps = { ...sent.steps, person: { ...sent.steps.person, answers: others } } as Verification['steps'];
    const redone = (field: string) => {
      const items = [{ step: 'person' as const, field, reasonCode: 'other' as const, note: 'Which one?' }];
      return askForAction({ ...sent, steps, notify }, { items }, LINK_CONTEXT).next;
    };
    expect([asksForEmail(redone('email')), asksForEmail(redone('phone'))]).toEqual([true, false]);
  });
});
