import { createMemoryMailer } from '@countersign/memory';
import { beforeEach, describe, expect, it } from 'vitest';
import { ANDY, type GivenDashboard, givenDashboard, VERA } from '../../../test-support/dashboard.ts';

const NEW = '/dashboard/verifications/new';
const GOOD = { subjectType: 'kyc', subjectReference: 'user_1', metadata: '' };
const EMAIL = 'ada@example.org';

async function send(given: GivenDashboard, fields: Record<string, string>) {
  const formId = /name="formId" value="([^"]+)"/.exec((await given.open(NEW, ANDY)).text)?.[1] ?? '';
  return given.send(NEW, { formId, ...GOOD, ...fields }, ANDY);
}

describe('the form of a service that sends e-mail', () => {
  const mailer = createMemoryMailer();
  let given: GivenDashboard;
  beforeEach(async () => {
    mailer.received.length = 0;
    given = await givenDashboard({}, {}, { mailer });
  });

  it('asks for the address, and the subject receives the link', async () => {
    const { words, text } = await given.open(NEW, ANDY);
    expect(words).toContain('E-mail address of the subject');
    expect(text).toMatch(/name="email"[^>]*type="email"|type="email"[^>]*name="email"/);

    const sent = await send(given, { email: EMAIL });

    expect(sent.status).toBe(303);
    const path = (sent.headers.get('Location') ?? '').replace('/kyc/', '/');
    const page = await given.open(path, ANDY);
    expect(page.words).toContain('The subject receives its link by e-mail');
    expect(page.text).not.toContain(EMAIL);
    await given.countersign.mails.send();
    expect(mailer.received).toMatchObject([{ kind: 'verification.link', to: EMAIL }]);
    expect(JSON.stringify(await given.audit())).not.toContain('ada@');
  });

  it('a form without an address: nothing is sent', async () => {
    expect((await send(given, { email: '' })).headers.get('Location')).toContain('done=created');
    await given.countersign.mails.send();
    expect(mailer.received).toEqual([]);
  });

  it.each([
    'ada',
    'ada@example.org, eve@example.org',
    'Ada <ada@example.org>',
    'ada@example.org\r\nBcc: eve@example.org',
  ])('refuses %j beside its field', async (email) => {
    const { status, words } = await send(given, { email });
    expect(status).toBe(422);
    expect(words).toContain('Enter one e-mail address');
  });

  it('viewers have no form', async () => {
    expect((await given.open(NEW, VERA)).status).toBe(403);
  });
});

it('the form of a service that sends none does not ask for an address, and ignores one', async () => {
  const given = await givenDashboard();
  expect((await given.open(NEW, ANDY)).text).not.toContain('name="email"');
  const sent = await send(given, { email: EMAIL });
  expect([sent.status, sent.headers.get('Location')]).toEqual([
    303,
    expect.stringContaining('done=created') as string,
  ]);
});
