import { beforeEach, describe, expect, it } from 'vitest';
import { CLARA, OLGA } from '../../../test-support/console.ts';
import { ANDY, type GivenDashboard, givenDashboard, VERA } from '../../../test-support/dashboard.ts';
import { BOUNDARY, fieldPart, filePart, formBytes } from '../../../test-support/upload-body.ts';

const PAGE = '/dashboard/face';
const LOGO = '/dashboard/face/logo';

/** A PNG of 2 × 1 pixels. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAYAAAD0In+KAAAADUlEQVR4nGP4z8DwHwQBEPgD/U6VwW8AAAAASUVORK5CYII=',
  'base64',
);

const APPEARANCE = {
  displayName: 'Zoë & Söhne',
  colour: 'FFD400',
  supportAddress: 'help@shop.example',
  privacyAddress: 'https://shop.example/privacy',
};

let given: GivenDashboard;
beforeEach(async () => {
  given = await givenDashboard();
});

const shown = async () => given.countersign.appearances.shown(given.clientId);

async function upload(content: Uint8Array, as = CLARA) {
  const cookie = given.accounts.signedIn(as, { confirmedAt: given.ports.clock.now() });
  const response = await given.web.request(LOGO, {
    method: 'POST',
    headers: {
      Cookie: cookie,
      'Sec-Fetch-Site': 'same-origin',
      'Content-Type': `multipart/form-data; boundary=${BOUNDARY}`,
    },
    body: Buffer.from(formBytes(filePart(content))),
  });
  return { status: response.status, location: response.headers.get('Location'), text: await response.text() };
}

describe('the appearance', () => {
  it('the appearance is changed by an owner; the audit log keeps which fields are set, and no value', async () => {
    const answer = await given.send(PAGE, APPEARANCE);
    expect([answer.status, answer.headers.get('Location')]).toEqual([303, '/kyc/dashboard/settings?done=face']);
    expect(await shown()).toMatchObject({
      name: 'Zoë & Söhne',
      colour: '#ffd400',
      supportAddress: APPEARANCE.supportAddress,
      privacyAddress: APPEARANCE.privacyAddress,
    });
    expect((await given.open('/dashboard/settings?done=face')).words).toContain('The appearance is saved.');
    const line = await given.lastLine();
    expect(line).toMatchObject({
      action: 'face.change',
      outcome: 'allowed',
      detail: { set: 'displayName,colour,supportAddress,privacyAddress' },
    });
    expect(JSON.stringify(line)).not.toMatch(/Zoë|shop/);

    await given.send(PAGE, { displayName: '', colour: '' });
    expect(await shown()).toMatchObject({ name: 'Acme Bank', colour: null, supportAddress: null });
  });

  it('the appearance is previewed in both themes as it was typed, and nothing is saved', async () => {
    const { status, text, words } = await given.send(PAGE, { ...APPEARANCE, colour: '#ffd400', preview: 'true' });
    expect(status).toBe(200);
    expect(words.match(/Zoë & Söhne asks you to verify your identity/g)).toHaveLength(3);
    expect(words).toContain('Zoë & Söhne asks you to verify your business');
    // Each page stands in both themes, and in the line that folds it.
    for (const title of [
      'What does the document say?',
      'Picture of the front of your document',
      'Check your answers',
      'Thank you',
    ]) {
      expect(words.split(title), title).toHaveLength(4);
    }
    expect(text).toContain('href="/kyc/faces/previews/ffd400.css"');
    expect(text).toMatch(/<input[^>]*name="displayName"[^>]*value="Zoë &amp; Söhne"/);
    expect(await shown()).toMatchObject({ name: 'Acme Bank', colour: null });
    expect((await given.audit()).map(({ action }) => action)).not.toContain('face.change');
  });

  it('a preview without a colour has the colours of pages without one, not those of the picker', async () => {
    const { text } = await given.open(PAGE);
    expect(text).toContain('href="/kyc/faces/previews/standard.css"');
    expect(text).toMatch(/type="color"[^>]*value="#[0-9a-f]{6}"/);
  });

  it('a colour is picked beside its text, previewed and saved', async () => {
    const picked = { colour: '', colourDrawn: '', colourPicked: '#ffd400' };
    const { text } = await given.send(PAGE, { ...picked, preview: 'true' });
    expect(text).toContain('href="/kyc/faces/previews/ffd400.css"');
    expect(text).toMatch(/name="colour"[^>]*value="#ffd400"/);
    expect(text).toMatch(/type="color"[^>]*value="#ffd400"/);
    await given.send(PAGE, picked);
    expect(await shown()).toMatchObject({ colour: '#ffd400' });
    const bad = await given.send(PAGE, { ...picked, colourPicked: 'red' });
    expect([bad.status, bad.words]).toEqual([422, expect.stringContaining('six hexadecimal digits')]);
    expect(await shown()).toMatchObject({ colour: '#ffd400' });
  });

  it('the appearance is previewed by POST: an address that was typed enters no log and no history', async () => {
    expect((await given.open(PAGE)).text).not.toContain('formmethod');
    const { text } = await given.open(`${PAGE}?${new URLSearchParams(APPEARANCE).toString()}`);
    expect(text).not.toContain('Zoë &amp; Söhne');
  });

  it.each([
    ['displayName', 'https://evil.example', 'Name must not contain a web address'],
    ['displayName', 'Acme (evil.com)', 'Name must not contain a web address'],
    ['displayName', 'Acme\u202Eexe', 'Name contains characters that cannot be stored'],
    ['displayName', 'Acme\u0007', 'Name contains characters that cannot be stored'],
    ['displayName', 'A'.repeat(200), 'Name must have at most 60 characters'],
    ['colour', 'red', 'Colour must be a colour of six hexadecimal digits'],
    ['colour', '#ffffff;}', 'Colour must have at most 7 characters'],
    ['supportAddress', 'javascript:alert(1)', 'Contact for help must be an e-mail address'],
    ['privacyAddress', 'http://shop.example', 'Contact for data protection must be an e-mail address'],
  ])('%s: refuses %j at the field, and nothing changes', async (field, value, message) => {
    await given.send(PAGE, APPEARANCE);
    const before = await shown();
    const { status, text, words } = await given.send(PAGE, { ...APPEARANCE, [field]: value });
    expect(status).toBe(422);
    expect(words).toContain(message);
    expect(text.match(/class="field-error"/g)).toHaveLength(1);
    expect(await shown()).toEqual(before);
    expect(await given.lastLine()).toMatchObject({ outcome: 'refused', detail: { fields: field } });
  });
});

describe('the logo', () => {
  it('the logo is uploaded and removed by an owner, and shown in the preview', async () => {
    expect(await upload(PNG)).toMatchObject({ status: 303, location: '/kyc/dashboard/settings?done=logo' });
    const logo = (await shown())?.logo;
    expect(logo).toMatchObject({ width: 2, height: 1 });
    const { text } = await given.open(PAGE);
    // Thirteen pages in both themes, and the card of the logo.
    expect(text.match(/class="appearance-logo"/g)).toHaveLength(27);
    expect(text).toContain(`formaction="/kyc${LOGO}"`);
    expect(text).toContain(`formaction="/kyc${LOGO}/remove"`);
    expect(text).toContain(`/kyc/faces/logos/${given.clientId}/${logo?.id}.png`);
    const removed = await given.send(`${LOGO}/remove`);
    expect(removed.headers.get('Location')).toBe('/kyc/dashboard/settings?done=logoRemoved');
    expect((await shown())?.logo).toBeNull();
    expect((await given.open(PAGE)).text).not.toContain(`${LOGO}/remove`);
    const audit = (await given.audit()).map(({ action, outcome }) => `${action} ${outcome}`);
    expect(audit).toEqual(expect.arrayContaining(['face.change_logo allowed', 'face.remove_logo allowed']));
  });

  it.each([
    ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 422, 'not a JPEG, PNG or WebP picture'],
    ['50 MB', Buffer.alloc(50 * 1024 * 1024), 413, 'The file is larger than 25'],
    ['no file', Buffer.alloc(0), 422, 'The file is empty'],
  ])('%s is refused at the field, and the logo stays', async (_, content, status, message) => {
    await upload(PNG);
    const before = await shown();
    const answer = await upload(content);
    expect(answer.status).toBe(status);
    expect(answer.text).toMatch(/class="field has-error"/);
    expect(answer.text).toContain(message);
    expect(await shown()).toEqual(before);
  });

  it('a form that is none is refused and recorded', async () => {
    const answer = await given.send(LOGO);
    expect(answer.status).toBe(422);
    expect(await given.lastLine()).toMatchObject({
      action: 'face.change_logo',
      outcome: 'refused',
      detail: { code: 'UPLOAD_BROKEN' },
    });
  });
});

describe('details that are not saved yet', () => {
  const TYPED = { ...APPEARANCE, colour: '', colourDrawn: '', colourPicked: '#ffd400' };

  /** Sends the form of the details with a button of the logo, as a browser does, and follows the redirect. */
  async function press(path: string, fields: Readonly<Record<string, string>>, content?: Uint8Array) {
    const session = given.accounts.signedIn(CLARA, { confirmedAt: given.ports.clock.now() });
    const parts = Object.entries(fields).map(([name, value]) => fieldPart(name, value));
    const isFile = content !== undefined;
    const sent = await given.web.request(path, {
      method: 'POST',
      headers: {
        Cookie: session,
        Accept: 'text/html',
        'Sec-Fetch-Site': 'same-origin',
        'Content-Type': isFile ? `multipart/form-data; boundary=${BOUNDARY}` : 'application/x-www-form-urlencoded',
      },
      body: isFile ? Buffer.from(formBytes(...parts, filePart(content))) : new URLSearchParams(fields).toString(),
    });
    const location = sent.headers.get('Location') ?? '';
    const cookies = [session, ...sent.headers.getSetCookie().map((cookie) => cookie.split(';')[0])].join('; ');
    const shown = await given.web.request(location.replace('/kyc', ''), { headers: { Cookie: cookies } });
    return { location, text: await shown.text() };
  }

  it('unsaved details are shown again after the logo is uploaded or removed, and nothing of them is saved', async () => {
    const uploaded = await press(LOGO, TYPED, PNG);
    expect(uploaded.location).toBe('/kyc/dashboard/face?done=logo');
    expect(uploaded.text).toContain('The logo is saved. If you have changed the details, save them as well.');
    const removed = await press(`${LOGO}/remove`, TYPED);
    expect(removed.location).toBe('/kyc/dashboard/face?done=logoRemoved');
    expect(removed.text).toContain('The logo is removed. If you have changed the details, save them as well.');
    for (const { text } of [uploaded, removed]) {
      expect(text).toMatch(/name="displayName"[^>]*value="Zoë &amp; Söhne"/);
      expect(text).toMatch(/name="colour"[^>]*value="#ffd400"/);
      expect(text).toMatch(/name="supportAddress"[^>]*value="help@shop.example"/);
      expect(text).toContain('href="/kyc/faces/previews/ffd400.css"');
    }
    expect(await shown()).toMatchObject({ name: 'Acme Bank', colour: null, supportAddress: null, logo: null });
    expect((await given.open(`${PAGE}?done=saved`)).text).not.toContain('If you have changed the details');
  });

  it('unsaved details stay in the form of a logo that is refused, which leads back to them', async () => {
    const { location, text } = await press(LOGO, TYPED, Buffer.from('no picture'));
    expect(location).toBe(`/kyc${LOGO}`);
    expect(text).toContain('The file is not a JPEG, PNG or WebP picture');
    expect(text).toContain('Your changes to the other details are kept, but not saved yet.');
    for (const [name, value] of Object.entries({ ...TYPED, displayName: 'Zoë &amp; Söhne' })) {
      expect(text).toContain(`<input type="hidden" name="${name}" value="${value}"`);
    }
    expect(text).not.toContain('<a href="/kyc/dashboard/face"');
    expect(text).toMatch(/<button[^>]* name="preview" value="true" formaction="\/kyc\/dashboard\/face"/);
  });

  it.each([
    ['are as they are stored', { ...APPEARANCE, colour: '#ffd400' }],
    ['are not sent', {}],
  ])('details that %s: the upload leads to the settings', async (_, fields) => {
    await given.send(PAGE, APPEARANCE);
    expect((await press(LOGO, fields, PNG)).location).toBe('/kyc/dashboard/settings?done=logo');
    expect((await press(`${LOGO}/remove`, fields)).location).toBe('/kyc/dashboard/settings?done=logoRemoved');
    const refused = await press(LOGO, fields, Buffer.from('no picture'));
    expect(refused.text).not.toContain('not saved yet');
    expect(refused.text).toContain('<a href="/kyc/dashboard/face" class="back-link">');
    expect(refused.text).toContain('<a href="/kyc/dashboard/face" class="button quiet">');
  });
});

it('agents and viewers see and change nothing of it', async () => {
  for (const who of [ANDY, VERA]) {
    expect((await given.open(PAGE, who)).status).toBe(403);
    expect((await given.send(PAGE, APPEARANCE, who)).status).toBe(403);
    expect((await upload(PNG, who)).status).toBe(403);
    expect((await given.open('/dashboard/settings', who)).words).not.toContain('Change the appearance');
  }
  expect(await shown()).toMatchObject({ name: 'Acme Bank', logo: null });
});

it('operators see it on the page of the client', async () => {
  await given.send(PAGE, APPEARANCE);
  await upload(PNG);
  const { words, text } = await given.get(`/admin/clients/${given.clientId}`, OLGA);
  for (const value of ['Zoë & Söhne', '#ffd400', 'help@shop.example', 'https://shop.example/privacy']) {
    expect(words).toContain(value);
  }
  expect(text).toContain('class="appearance-logo"');
});
