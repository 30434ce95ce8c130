import { declineExport, releaseExport } from '@countersign/domain/actions';
import { DECLINE_REASONS, type DeclineReason } from '@countersign/domain/exports';
import { reviewAs } from '@countersign/test-support/service/operations';
import { describe, expect, it } from 'vitest';
import { type GivenFlow, givenFlow, walk } from '../../test-support/flow.ts';

async function opened(language = 'en'): Promise<GivenFlow> {
  const given = await givenFlow({ language });
  await given.browser.open(await given.link());
  return given;
}

const release = ({ countersign, id: verificationId }: GivenFlow) =>
  countersign.as({ kind: 'command_line' }).run(releaseExport, { verificationId });

const decline = ({ countersign, id: verificationId }: GivenFlow, declineReason: DeclineReason) =>
  countersign.as({ kind: 'command_line' }).run(declineExport, { verificationId, declineReason });

/** Follows the link at the end of the status page. */
async function follow(given: GivenFlow) {
  const state = await given.browser.open(given.address());
  return given.browser.open(state.document.querySelector('.data-copy a')?.getAttribute('href') ?? '');
}

describe('a copy of the subject’s data', () => {
  it.each([
    [
      'en',
      'Request a copy of your data',
      'You have requested a copy of your data',
      'Acme Bank has to release the copy first.',
    ],
    ['de', 'Kopie Ihrer Daten anfordern', 'Sie haben eine Kopie Ihrer Daten angefordert', 'Acme Bank'],
  ])('is requested from the status page, in %s', async (language, title, sent, next) => {
    const given = await opened(language);
    const page = await follow(given);
    expect(page.heading).toBe(title);
    const after = await given.browser.submit(page);
    expect(after.address).toBe(`/verify/${given.id}/data-copy`);
    expect(after.heading).toBe(sent);
    expect(after.html).toContain(next);
    expect(after.document.querySelector('main form')).toBeNull();
  });

  it('is requested once: a form that is sent again changes nothing', async () => {
    const given = await opened();
    const page = await follow(given);
    const first = await given.browser.submit(page);
    given.clock.advance(60_000);
    const again = await given.browser.submit(page);
    expect(again.document.querySelector('.lead')?.textContent).toBe(
      first.document.querySelector('.lead')?.textContent,
    );
  });

  it('shows that it is released, and neither link nor code; after its end it can be requested again', async () => {
    const given = await opened();
    await given.browser.submit(await follow(given));
    const { link, code } = await release(given);
    const page = await follow(given);
    expect(page.html).toContain('The copy can be downloaded for another 24 hours');
    expect(page.html).not.toContain(code);
    expect(page.html).not.toContain(link);

    given.clock.advance(24 * 60 * 60 * 1000);
    await given.browser.open(await given.link());
    const later = await follow(given);
    expect(later.heading).toBe('Request a copy of your data');
    expect((await given.browser.submit(later)).heading).toBe('You have requested a copy of your data');
  });

  it.each([
    [
      'en',
      'Your request for a copy was declined',
      'Acme Bank could not confirm that the request comes from you.',
      'You can also complain to a data protection authority or go to court.',
      'You can ask again here from 24 January 2026',
    ],
    [
      'de',
      'Ihre Anfrage nach einer Kopie wurde abgelehnt',
      'Acme Bank konnte nicht feststellen, dass die Anfrage von Ihnen kommt.',
      'Sie können sich auch bei einer Datenschutzbehörde beschweren oder vor Gericht gehen.',
      'Ab 24. Januar 2026',
    ],
  ])(
    'shows that it was declined and why, and can be requested again later, in %s',
    async (language, title, ...texts) => {
      const given = await opened(language);
      await given.browser.submit(await follow(given));
      await decline(given, 'identity_unclear');
      const page = await follow(given);
      expect(page.heading).toBe(title);
      for (const text of texts) expect(page.html).toContain(text);
      expect(page.document.querySelector('main form')).toBeNull();

      given.clock.advance(7 * 24 * 60 * 60 * 1000);
      await given.browser.open(await given.link());
      const later = await follow(given);
      expect(later.heading).toBe(title);
      expect(later.html).toContain(texts[0]);
      expect(later.html).not.toContain(texts[2]);
      expect((await given.browser.submit(later)).heading).not.toBe(title);
    },
  );

  it.each(DECLINE_REASONS)('hints at no suspicion with the reason %s', async (reason) => {
    for (const language of ['en', 'de']) {
      const given = await opened(language);
      await given.browser.submit(await follow(given));
      await decline(given, reason);
      const { html } = await follow(given);
      expect(html).toContain('Acme Bank');
      expect(html).not.toMatch(
        /fraud|suspicion|suspect|launder|secret|secrecy|\bhold|Betrug|Verdacht|wäsche|verschwieg|sperre/i,
      );
    }
  });

  it.each([
    ['en', 'A copy of your data has been prepared'],
    ['de', 'Eine Kopie Ihrer Daten ist vorbereitet'],
  ])(
    'that staff release without a request is not shown as requested by the subject, in %s',
    async (language, title) => {
      const given = await opened(language);
      await release(given);
      const page = await follow(given);
      expect(page.heading).toBe(title);
      expect(page.html).not.toMatch(/you have requested|your request|angefordert|Ihre Anfrage/i);
      expect(page.html).toContain('Acme Bank');
    },
  );

  it('is offered in every state, also after the link has expired', async () => {
    const given = await givenFlow();
    await walk(given, await given.start());
    expect((await follow(given)).heading).toBe('Request a copy of your data');
    const seen = { verificationId: given.id, version: (await given.read()).version };
    await reviewAs(given.countersign).reject(seen, { reasonCodes: ['data_mismatch'] });
    given.clock.advance(60 * 24 * 60 * 60 * 1000);
    await given.browser.open(await given.link());
    const page = await follow(given);
    expect((await given.browser.submit(page)).heading).toBe('You have requested a copy of your data');
  });

  it('is not offered once the data is erased, and a late form leads to the status', async () => {
    const given = await opened();
    const page = await follow(given);
    const { value } = await given.countersign.apiKeys.issue(given.clientId, {
      name: 'erases',
      permissions: ['*'],
    });
    const principal = await given.countersign.authenticate(value, { countRequest: false });
    await given.countersign.verifications.eraseData(principal, given.id, { withdraw: true });
    const after = await given.browser.submit(page);
    expect(after.address).toBe(`/verify/${given.id}`);
    expect(after.document.querySelector('.data-copy')).toBeNull();
  });

  it('needs the session of the link', async () => {
    const given = await opened();
    const stranger = await given.anotherBrowser().open(given.address('data-copy'));
    expect(stranger.status).toBe(403);
  });
});
