// A browser loads the finder in a worker and films a passport: only there do module, weights, worker and hints meet.
import { newVisitor, type Outfit, takeSession } from '@countersign/test-support/browser/browser';
import { type CountersignSite, startSite } from '@countersign/test-support/browser/countersign-site';
import { drawnCamera } from '@countersign/test-support/browser/drawn-camera';
import { filmPassport } from '@countersign/test-support/browser/filmed-passport';
import { describeWith } from '@countersign/test-support/servers';
import type { Page } from 'playwright-core';
import { expect, it, onTestFinished } from 'vitest';

let starting: Promise<CountersignSite> | undefined;
const theSite = (): Promise<CountersignSite> => {
  starting ??= startSite();
  return starting;
};

/** Opens the page for the picture of a document in a browser with a drawn camera, which films an empty table. */
async function givenPage(document: { readonly type: string; readonly issuingCountry: string }, outfit?: Outfit) {
  const site = await theSite();
  const { id, url } = await site.createAnswered('kyc', 'document-front', { answers: { document } });
  const visitor = await newVisitor(site.origin, { camera: 'drawn', ...outfit });
  // Its canvas would be filmed on.
  onTestFinished(() => visitor.context.close());
  const { page } = visitor;
  await drawnCamera(page, { scene: 'table' });
  await takeSession(visitor.context, url);
  const asked: string[] = [];
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url());
    asked.push(`${request.method()} ${pathname}${search}`);
  });
  page.on('websocket', (socket) => void asked.push(`WEBSOCKET ${socket.url()}`));
  await page.goto(`${site.origin}/verify/${id}/document-front`);
  return {
    ...visitor,
    line: page.locator('[data-camera-part=line]'),
    asked,
    finders: () => asked.filter((request) => request.endsWith('/finder.js')).length,
    open: () => page.locator('[data-camera-open]').click(),
    view: (name: string) => page.locator(`dialog.camera[data-view=${name}]`).waitFor({ state: 'attached' }),
  };
}

const PASSPORT = { type: 'passport', issuingCountry: 'PL' };

/** Notes which hints there were, also those that another replaced before they were drawn. */
async function notedHints(page: Page): Promise<() => Promise<string[]>> {
  await page.evaluate(`notedHints = [];
    new MutationObserver((changes) => notedHints.push(...changes.map(({ oldValue }) => oldValue)))
      .observe(document.querySelector('dialog.camera'), { attributeFilter: ['data-hint'], attributeOldValue: true })`);
  return () => page.evaluate<string[]>('notedHints');
}

describeWith(['chromium'], 'the camera for the photo page of a passport', () => {
  it('says how the lines lie, sends nothing of what it sees, and takes the picture once they are found', async () => {
    const { page, open, view, line, finders, asked, complaints } = await givenPage(PASSPORT);
    expect(finders()).toBe(0);
    await page.waitForLoadState('networkidle');
    const beforeCamera = asked.length;
    await open();
    await view('live');
    await filmPassport(page, { turn: 12, size: 0.85, hasGlare: true });
    await line.getByText('Hold it straight').waitFor();
    await filmPassport(page, { size: 0.5, hasGlare: true });
    await line.getByText('Move closer').waitFor();
    await filmPassport(page, { right: 0.12, hasGlare: true });
    await line.getByText('Show the whole document').waitFor();
    await page.getByRole('status').getByText('Show the whole document').waitFor();
    await filmPassport(page, { hasGlare: true });
    // Two pictures with lines that are found have replaced those that were cut.
    await line.getByText('Glare').waitFor();
    const hints = await notedHints(page);
    const scripts = ['capture-worker.js', 'capture-lines.js', 'capture-quality.js', 'finder.js'];
    expect(asked.slice(beforeCamera)).toEqual(
      scripts.map((script) => expect.stringMatching(new RegExp(`^GET /assets/[0-9a-f]+/${script}$`))),
    );
    await filmPassport(page);
    await view('taken');
    expect(await hints()).toContain('found');
    expect(finders()).toBe(1);
    complaints.expectNone();
  });

  it('takes the picture as without a finder where it does not load', async () => {
    const { page, open, view } = await givenPage(PASSPORT);
    await page.route('**/finder.js', (route) => route.abort());
    await open();
    await view('live');
    const hints = await notedHints(page);
    await filmPassport(page, { turn: 12, size: 0.85 });
    await view('taken');
    expect(await hints()).toContain('good');
  });

  it('looks for no lines on the front of a card', async () => {
    const { page, open, view, finders } = await givenPage({ type: 'id_card', issuingCountry: 'PL' });
    await open();
    await view('live');
    await filmPassport(page, { turn: 12, size: 0.85 });
    await view('taken');
    expect(finders()).toBe(0);
  });
});
