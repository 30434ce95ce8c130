import { newJpeg } from '@countersign/test-support/service/new-files';
import { reviewAs } from '@countersign/test-support/service/operations';
import { describe, expect, it } from 'vitest';
import { type GivenFlow, givenFlow, walk } from '../../../test-support/flow.ts';
import type { Shown } from '../../../test-support/subject-browser.ts';

/** Sends a picture, and uses it. */
const send = async ({ browser }: GivenFlow, page: Shown, picture: Uint8Array): Promise<Shown> =>
  browser.submit(await browser.upload(page, picture));

describe.each([
  ['en', 'You have already sent this file as “Document, front”. Send another one here.'],
  ['de', 'Diese Datei haben Sie schon als „Dokument, Vorderseite“ gesendet. Bitte senden Sie hier eine andere.'],
])('in %s', (language, message) => {
  it('the file of another place is refused with its name, and another one is accepted', async () => {
    const given = await givenFlow({ language, flowVersion: 1 });
    const picture = newJpeg();
    const { end: front } = await walk(given, await given.start(), 'document-front');
    const back = await send(given, front, picture);
    const refused = await given.browser.upload(back, picture);
    expect(refused.answered).toBe(303);
    expect(refused.errors).toEqual([{ message: expect.stringContaining(message), target: 'field-file' }]);
    const next = await send(given, refused, newJpeg());
    expect(next.address).toMatch(/\/name$/);
  });
});

describe.each([
  [
    'en',
    'We asked for another one: The picture of the document shows a reflection. Please send one without glare.',
  ],
  ['de', 'Wir haben um eine andere gebeten: Auf dem Foto des Dokuments spiegelt sich Licht.'],
])('in a redo, in %s', (language, reason) => {
  async function asked(picture: Uint8Array): Promise<GivenFlow> {
    const given = await givenFlow({ language, flowVersion: 1 });
    const { end: front } = await walk(given, await given.start(), 'document-front');
    const { end: check } = await walk(given, await send(given, front, picture), 'check');
    await given.browser.submit(check, { accepted: 'true' });
    const { version } = await given.read();
    const items = [{ step: 'document', reasonCode: 'document_glare' as const }];
    await reviewAs(given.countersign).askForAction({ verificationId: given.id, version }, { items });
    return given;
  }

  it('the unchanged upload is refused once with the reason of the reviewer', async () => {
    const picture = newJpeg();
    const given = await asked(picture);
    const again = await given.browser.open(`${given.address('document-front')}?again`);
    const refused = await given.browser.upload(again, picture);
    expect(refused.answered).toBe(303);
    expect(refused.errors).toEqual([{ message: expect.stringContaining(reason), target: 'field-file' }]);
    const taken = await given.browser.upload(refused, picture);
    expect([taken.status, taken.errors]).toEqual([200, []]);
  });

  it('keeping all files is refused once with the reason of the reviewer', async () => {
    const given = await asked(newJpeg());
    await given.browser.submit(await given.browser.open(given.address('document')), {});
    await given.browser.submit(await given.browser.open(given.address('document-front')));
    const kept = await given.browser.open(given.address('document-back'));
    const refused = await given.browser.submit(kept);
    expect(refused.answered).toBe(303);
    expect(refused.errors).toEqual([{ message: expect.stringContaining(reason), target: 'field-file' }]);
    const done = await given.browser.submit(kept);
    expect([done.status, done.errors]).toEqual([200, []]);
    expect(await given.read()).toMatchObject({ awaiting: [] });
  });
});
