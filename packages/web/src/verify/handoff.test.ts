import { describe, expect, it } from 'vitest';
import { ORIGIN } from '../../test-support/subject-site.ts';
import { givenSubjectAtDocument, submitWithoutPages } from '../../test-support/upload-steps.ts';
import { givenSubject } from '../../test-support/upload-subject.ts';
import { drawQr } from '../site/qr-code.tsx';

describe('the page that hands over to the phone', () => {
  it('shows the personal link as a QR code and as text, with a warning not to share it', async () => {
    const given = await givenSubject();
    const link = await given.countersign.subject.linkOf(given.access);
    const page = await (await given.get('phone')).text();
    expect(link).toMatch(new RegExp(`^${ORIGIN}/countersign/verify/${given.id}\\.`));
    expect(page).toContain(`value="${link}"`);
    expect(page).toContain(`d="${drawQr(link).path}"`);
    expect(page).toMatch(/<svg[^>]* role="img" aria-label="QR code with your personal link"/);
    expect(page).toContain('fill="#fff"');
    expect(page).toContain('are personal');
  });

  it('polls the progress with htmx, and has a button without JavaScript', async () => {
    const given = await givenSubject();
    const page = await (await given.get('phone')).text();
    expect(page).toContain(`hx-get="/countersign/verify/${given.id}/phone/progress"`);
    expect(page).toMatch(/<script src="[^"]+\/htmx\.js"/);
    expect(page).toMatch(/<script type="module" src="[^"]+\/handoff\.js"/);
    expect(page).toMatch(
      /<form method="get" action="[^"]+\/phone">\s*<div class="buttons"><button type="submit" class="outline">Check progress/,
    );
  });

  it('the page that hands over to the phone is translated to German', async () => {
    const given = await givenSubject();
    expect(await (await given.get('phone', { 'Accept-Language': 'de' })).text()).toContain(
      'Auf dem Smartphone weitermachen',
    );
  });

  it('redirects to the status page after the submission', async () => {
    const given = await givenSubjectAtDocument();
    await submitWithoutPages(given);
    const answer = await given.get('phone');
    expect(answer.status).toBe(303);
    expect(answer.headers.get('Location')).toBe(`/countersign/verify/${given.id}`);
  });
});

describe('the progress on the phone', () => {
  it('the progress on the phone is answered as part of a page, and reading it changes nothing', async () => {
    const given = await givenSubject();
    const before = await given.read();
    expect(await (await given.get('phone/progress')).text()).toContain('Not started yet');
    expect(await given.read()).toEqual(before);
  });

  it('names the current step', async () => {
    const given = await givenSubjectAtDocument();
    const answer = await given.get('phone/progress');
    const part = await answer.text();
    expect(answer.headers.get('Cache-Control')).toBe('no-store');
    expect(part).toContain('1 of 6 ');
    expect(part).toMatch(/Now: \S/);
    expect(part).not.toContain('<html');
  });

  it('sends the browser to the confirmation after the submission', async () => {
    const given = await givenSubjectAtDocument();
    await submitWithoutPages(given);
    const answer = await given.get('phone/progress');
    expect(answer.status).toBe(200);
    expect(answer.headers.get('HX-Redirect')).toBe(`/countersign/verify/${given.id}`);
  });

  it('counts toward the rate limit of the subject', async () => {
    const given = await givenSubject();
    // Opening the link was the first request.
    const statuses = await Promise.all(
      Array.from({ length: 300 }, async () => (await given.get('phone/progress')).status),
    );
    expect(statuses.filter((status) => status === 200)).toHaveLength(299);
    expect(statuses.filter((status) => status === 429)).toHaveLength(1);
  });
});
