// Renders the pages of each state in both languages, and walks subjects to it.
import { shortReference } from '@countersign/domain';
import { withdrawVerification } from '@countersign/domain/actions';
import { ALL_ASKED } from '@countersign/domain/flows';
import { reviewAs } from '@countersign/test-support/service/operations';
import { describe, expect, it } from 'vitest';
import { type GivenFlow, givenFlow, walk } from '../../test-support/flow.ts';
import type { SubjectSite } from '../../test-support/subject-site.ts';

async function submitted(language = 'en'): Promise<GivenFlow> {
  const given = await givenFlow({ language, flowVersion: 1 });
  await walk(given, await given.start());
  return given;
}

async function seen({ read, id }: GivenFlow) {
  return { verificationId: id, version: (await read()).version };
}

async function withdraw({ countersign, id: verificationId }: SubjectSite): Promise<void> {
  await countersign.as({ kind: 'command_line' }).run(withdrawVerification, { verificationId });
}

async function eraseData({ countersign, clientId, id }: SubjectSite): Promise<void> {
  const { value } = await countersign.apiKeys.issue(clientId, { name: 'erases', permissions: ['*'] });
  const principal = await countersign.authenticate(value, { countRequest: false });
  await countersign.verifications.eraseData(principal, id, { withdraw: true });
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** Lets time pass until the link ended 30 days ago, and runs the job. */
async function expire({ clock, countersign }: SubjectSite): Promise<void> {
  clock.advance(60 * DAY_MS);
  expect(await countersign.expiry.expire()).toEqual({ expired: 1, isDone: true });
}

/** Expects the pages of a flow that has ended, to which Back leads, to show the status. */
async function expectStatusFor({ browser, address }: GivenFlow, slugs: readonly string[]): Promise<void> {
  const { heading } = await browser.open(address());
  for (const slug of slugs) {
    const page = await browser.open(address(slug));
    expect([page.answered, page.status, page.heading]).toEqual([303, 200, heading]);
  }
}

const PERSONAL = /O'Brien|O&#39;Brien|Łukasz|1987|Gdańsk|ada@example/;

describe('the line that says who sees the data', () => {
  const LINES = {
    en: 'Stored encrypted. Only Acme Bank, its reviewers and the operator of this service see your details',
    de: 'Verschlüsselt gespeichert. Nur Acme Bank, die Prüfenden und der Betreiber dieses Dienstes sehen Ihre Angaben',
  } as const;

  it.each(['en', 'de'] as const)('pages before, between and after the steps have it, in %s', async (language) => {
    const given = await givenFlow({ language });
    const lineOf = async (slug?: string) =>
      (await given.browser.open(given.address(slug))).document.querySelector('.encrypted')?.textContent;
    const first = await given.start();
    for (const slug of [undefined, 'phone', 'consent', 'data-copy']) {
      expect(await lineOf(slug), slug).toBe(LINES[language]);
    }
    await walk(given, first);
    expect(await lineOf()).toBe(LINES[language]);
    await reviewAs(given.countersign).askForAction(await seen(given), {
      items: [{ step: 'document', reasonCode: 'document_glare' }],
    });
    await given.browser.open(await given.link());
    expect(await lineOf()).toBe(LINES[language]);
  });

  it('the page of a verification whose data is erased has none', async () => {
    const given = await givenFlow();
    await given.start();
    await eraseData(given);
    const page = await given.browser.open(given.address());
    expect(page.document.querySelector('.encrypted')).toBeNull();
  });
});

describe('a finished verification', () => {
  it('submitted: says what happens next and shows no answers', async () => {
    const given = await submitted();
    const page = await given.browser.open(given.address());
    expect(page.heading).toBe('Thank you, we have received everything');
    expect(page.html).toContain('Everything you entered is saved and sent.');
    expect(page.html).not.toMatch(PERSONAL);
    expect(page.document.querySelector('.reference')?.textContent).toBe(shortReference(given.id));
    await expectStatusFor(given, ['check', 'name']);
  });

  it.each([
    ['en', null, 'You will hear from Acme'],
    ['en', 'minutes', 'The result usually comes within a few minutes. You will hear from Acme'],
    ['en', 'hours', 'The result usually comes within a few hours. You will'],
    ['en', 'day', 'The result usually comes within one working day. You will'],
    ['en', 'days', 'The result usually comes within a few working days. You will'],
    ['de', 'hours', 'Das Ergebnis kommt meist in wenigen Stunden. Sie hören von Acme'],
  ] as const)(
    'submitted, in %s: a client says that a decision comes within %s',
    async (language, time, expected) => {
      const given = await submitted(language);
      await given.countersign.flowSettings.change(given.clientId, {
        ...ALL_ASKED,
        readingIsAdvice: false,
        familyNameIndex: false,
        warningsInDetails: false,
        ...(time !== null && { decisionWithin: time }),
      });
      const { html } = await given.browser.open(given.address());
      expect(html).toContain(expected);
      expect(html.includes('usually')).toBe(language === 'en' && time !== null);
    },
  );

  it('approved: says that it is complete and shows no answers', async () => {
    const given = await submitted('de');
    await reviewAs(given.countersign).approve(await seen(given));
    const page = await given.browser.open(given.address());
    expect(page.heading).toBe('Ihre Prüfung ist abgeschlossen');
    expect(page.html).not.toMatch(PERSONAL);
  });

  it.each([
    ['en', 'This verification is no longer needed'],
    ['de', 'Diese Prüfung wird nicht mehr gebraucht'],
  ])('withdrawn, in %s: says so, and nothing that sounds like a rejection', async (language, heading) => {
    const given = await givenFlow({ language, flowVersion: 1 });
    await given.start();
    await withdraw(given);
    const page = await given.browser.open(given.address());
    expect([page.status, page.heading]).toEqual([200, heading]);
    expect(page.html).not.toMatch(/confirm|bestätigen/i);
  });

  it.each([
    ['en', 'This verification was closed', 'ask the company that sent you the link to start a new one'],
    ['de', 'Diese Prüfung wurde beendet', 'das Ihnen den Link geschickt hat, eine neue zu beginnen'],
  ])('expired, in %s: the old link says so and how to begin again', async (language, heading, text) => {
    const given = await givenFlow({ language, flowVersion: 1 });
    await given.start();
    await expire(given);
    const page = await given.browser.open(await given.link());
    expect([page.status, page.heading]).toEqual([200, heading]);
    expect(page.html).toContain(text);
    expect(page.html).not.toMatch(/confirm|bestätigen/i);
    await expectStatusFor(given, ['consent']);
  });

  it('rejected: shows neither reason codes nor the message to the client', async () => {
    const given = await submitted();
    await reviewAs(given.countersign).reject(await seen(given), {
      reasonCodes: ['suspected_fraud'],
      message: 'Looks copied',
    });
    const page = await given.browser.open(given.address());
    expect(page.heading).toBe('This verification is closed');
    expect(page.html).not.toMatch(/fraud|suspect|copied/i);
  });
});

describe('a verification whose data goes', () => {
  it.each([
    ['en', 'Your data will be erased when the law allows it'],
    ['de', 'Ihre Daten werden gelöscht, sobald das Gesetz es erlaubt'],
  ])('hidden, in %s: says so, and shows no answers', async (language, heading) => {
    const given = await submitted(language);
    await reviewAs(given.countersign).approve(await seen(given));
    await eraseData(given);
    const page = await given.browser.open(given.address());
    expect([page.status, page.heading]).toEqual([200, heading]);
    expect(page.html).not.toMatch(PERSONAL);
    await expectStatusFor(given, ['check', 'name']);
  });

  it.each([
    ['en', 'Your data has been erased'],
    ['de', 'Ihre Daten sind gelöscht'],
  ])('erased, in %s: the link says so, and shows nothing else', async (language, heading) => {
    const given = await givenFlow({ language, flowVersion: 1 });
    await walk(given, await given.start(), 'name');
    const link = await given.link();
    await eraseData(given);
    for (const address of [given.address(), link]) {
      const page = await given.browser.open(address);
      expect([page.status, page.heading]).toEqual([200, heading]);
      expect(page.html).not.toMatch(PERSONAL);
    }
    await expectStatusFor(given, ['name', 'check']);
  });
});

describe('a form that is sent after the verification ended', () => {
  it('withdrawn meanwhile: 409, says that it is closed and leads to the status', async () => {
    const given = await givenFlow({ flowVersion: 1 });
    const { end } = await walk(given, await given.start(), 'name');
    await withdraw(given);
    const late = await given.browser.submit(end, { firstName: 'A', lastName: 'B' });
    expect([late.status, late.heading]).toEqual([409, 'This verification is closed']);
    expect(late.html).not.toContain('already submitted');
    const next = await given.browser.open(late.document.querySelector('.main-action')?.getAttribute('href') ?? '');
    expect(next.heading).toBe('This verification is no longer needed');
  });

  it('withdrawn while the form is saved: the same page', async () => {
    const given = await givenFlow({ flowVersion: 1 });
    const { end } = await walk(given, await given.start(), 'name');
    given.beforeNextCommit(() => withdraw(given));
    const late = await given.browser.submit(end, { firstName: 'A', lastName: 'B' });
    expect([late.status, late.heading]).toEqual([409, 'This verification is closed']);
  });
});

describe('a link that expired after the submission', () => {
  const DAYS_30 = 30 * 24 * 60 * 60 * 1000;

  it.each([
    ['submitted', async () => undefined, 'Thank you, we have received everything'],
    [
      'approved',
      async (given: GivenFlow) => reviewAs(given.countersign).approve(await seen(given)),
      'Your verification is complete',
    ],
    [
      'rejected',
      async (given: GivenFlow) =>
        reviewAs(given.countersign).reject(await seen(given), { reasonCodes: ['data_mismatch'] }),
      'This verification is closed',
    ],
  ])('shows the status %s, and saves nothing', async (_, decide, heading) => {
    const given = await submitted();
    await decide(given);
    given.clock.advance(DAYS_30);
    const page = await given.anotherBrowser().open(await given.link());
    expect([page.status, page.heading]).toEqual([200, heading]);
    expect(page.html).not.toMatch(PERSONAL);
    await given.browser.open(await given.link());
    await expectStatusFor(given, ['check', 'name']);
  });

  it('a link that expired after the submission does not open the steps that a reviewer asked for again', async () => {
    const given = await submitted();
    await reviewAs(given.countersign).askForAction(await seen(given), {
      items: [{ step: 'selfie', reasonCode: 'selfie_unclear' }],
    });
    given.clock.advance(DAYS_30);
    const page = await given.browser.open(await given.link());
    expect([page.status, page.heading]).toEqual([410, 'This link has expired']);
  });
});

describe('a link that had expired when a reviewer asked for action', () => {
  const DAY = 24 * 60 * 60 * 1000;

  it('a link that had expired when a reviewer asked for action is the same, opens the requested steps, and works for 30 days from the request', async () => {
    const given = await submitted();
    const link = await given.link();
    given.clock.advance(40 * DAY);
    await reviewAs(given.countersign).askForAction(await seen(given), {
      items: [{ step: 'selfie', reasonCode: 'selfie_unclear' }],
    });
    expect(await given.link()).toBe(link);

    given.clock.advance(30 * DAY - 1);
    const selfie = await given.start();
    expect(selfie.address).toMatch(/\/selfie$/);
    given.clock.advance(1);
    const late = await given.browser.open(link);
    expect([late.status, late.heading]).toEqual([410, 'This link has expired']);
    expect(late.document.querySelector('.reference')?.textContent).toBe(shortReference(given.id));
    expect(late.document.querySelector('main :is(form, button)')).toBeNull();
  });

  it('reloaded page: shows the status of the submission, then the requested steps', async () => {
    const given = await submitted();
    await given.browser.open(await given.link());
    given.clock.advance(40 * DAY);
    await given.browser.open(await given.link());
    expect((await given.browser.open(given.address())).heading).toBe('Thank you, we have received everything');
    await reviewAs(given.countersign).askForAction(await seen(given), {
      items: [{ step: 'selfie', reasonCode: 'selfie_unclear' }],
    });
    const page = await given.browser.open(given.address());
    expect([page.status, page.heading]).toEqual([200, 'We need more from you']);
    expect(page.document.querySelector('.main-action')?.getAttribute('href')).toBe(given.address('selfie'));
    // 40 days after the submission on 15 January, and 30 more.
    expect(page.html).toContain('Your link works until 25 March 2026');
  });
});

describe('a verification in status action_needed', () => {
  async function asked(language = 'en'): Promise<GivenFlow> {
    const given = await submitted(language);
    await reviewAs(given.countersign).askForAction(await seen(given), {
      items: [
        { step: 'document', reasonCode: 'document_glare', note: 'Please without flash <b>' },
        { step: 'selfie', reasonCode: 'selfie_unclear' },
      ],
      message: 'Almost there',
    });
    return given;
  }

  it('goes on in the session that the same link opened', async () => {
    const given = await asked();
    const page = await given.browser.open(given.address());
    expect([page.status, page.heading]).toEqual([200, 'We need more from you']);
  });

  it.each([
    ['en', 'The picture of the document shows a reflection.', 'Picture of your face'],
    ['de', 'Auf dem Foto des Dokuments spiegelt sich Licht.', 'Foto Ihres Gesichts'],
  ])(
    'a verification in status action_needed in %s: shows the requested steps with reasons and the note of the reviewer',
    async (language, reason, step) => {
      const given = await asked(language);
      const page = await given.browser.open(await given.link());
      expect(page.html).toContain(reason);
      expect(page.html).toContain(step);
      expect(page.html).toContain('Please without flash &lt;b&gt;');
      expect(page.html).toContain('Almost there');
    },
  );

  it('opens only the requested steps, shows the reason on their pages, and is submitted again', async () => {
    const given = await asked();
    const document = await given.start();
    expect(document.address).toMatch(/\/document$/);
    expect(document.html).toContain('shows a reflection');
    const name = await given.browser.open(given.address('name'));
    expect([name.status, name.heading]).toEqual([409, 'You cannot open this page now']);

    const { end: check } = await walk(given, document, 'check');
    expect(check.document.querySelector('a[href*="/name"]')).toBeNull();
    expect(check.document.querySelector('a[href*="/document"]')).not.toBeNull();
    expect(check.document.querySelector('[name="accepted"]')).toBeNull();
    const done = await given.browser.submit(check);
    expect(done.heading).toBe('Thank you, we have received everything');
    const verification = await given.read();
    expect(verification.status).toBe('submitted');
    expect(verification.earlierAnswers.map(({ step }) => step)).toEqual(['document', 'selfie']);
  });

  it('marks the requested steps that are done', async () => {
    const given = await asked();
    await walk(given, await given.start(), 'selfie');
    const page = await given.browser.open(given.address());
    expect(
      [...page.document.querySelectorAll('.requests li')].map((item) => /Done/.test(item.textContent ?? '')),
    ).toEqual([true, false]);
  });

  it('an answer that is removed while a step is redone stays removed', async () => {
    const given = await givenFlow({ type: 'kyb', flowVersion: 1 });
    await walk(given, await given.start());
    await reviewAs(given.countersign).askForAction(await seen(given), {
      items: [{ step: 'business', reasonCode: 'data_mismatch' }],
    });
    const { end: numbers } = await walk(given, await given.start(), 'numbers');
    expect(numbers.document.querySelector('[name="lei"]')?.getAttribute('value')).toBe('529900T8BM49AURSDO55');
    const activity = await given.browser.submit(numbers, { lei: '' });
    expect((await walk(given, activity, 'check')).end.html).not.toContain('529900T8BM49AURSDO55');
    expect((await given.read()).steps.business?.answers).not.toHaveProperty('lei');
    expect((await given.read()).steps.business?.answers).toHaveProperty(
      'legalName',
      'Bäckerei Übermut GmbH & Co. KG',
    );
  });
});
