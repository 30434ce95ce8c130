// A browser opens the camera for each case: only there are its permission, its stream, focus and film real.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  bringChecks,
  outlineOf,
  violationsIn,
  violationsOf,
} from '@countersign/test-support/browser/accessibility';
import { newVisitor, type Outfit, takeSession, type Visitor } from '@countersign/test-support/browser/browser';
import { type CountersignSite, startSite } from '@countersign/test-support/browser/countersign-site';
import { type CameraOptions, type DrawnCamera, drawnCamera } from '@countersign/test-support/browser/drawn-camera';
import { press } from '@countersign/test-support/browser/keyboard';
import { slugOf } from '@countersign/test-support/browser/walk';
import { card } from '@countersign/test-support/pages/pictures';
import { temporaryFolder } from '@countersign/test-support/processes/temporary-folder';
import { describeWith } from '@countersign/test-support/servers';
import type { Locator, Page } from 'playwright-core';
import { describe, expect, it, onTestFinished } from 'vitest';

let starting: Promise<CountersignSite> | undefined;
const theSite = (): Promise<CountersignSite> => {
  starting ??= startSite();
  return starting;
};

/** The parts of the page and of the layer. */
function partsOf(page: Page) {
  const layer = page.locator('dialog.camera');
  const part = (name: string): Locator => layer.locator(`[data-camera-part=${name}]`);
  return {
    layer,
    open: page.locator('[data-camera-open]'),
    problem: page.locator('[data-camera-problem]'),
    line: part('line'),
    shutter: part('shutter'),
    light: part('light'),
    use: part('use'),
    again: part('again'),
    retry: part('retry'),
    resume: part('resume'),
    close: part('close'),
    /** Waits until the layer shows a view. */
    view: (name: string) => page.locator(`dialog.camera[data-view=${name}]`).waitFor({ state: 'attached' }),
  };
}

interface Given extends Visitor, ReturnType<typeof partsOf> {
  readonly site: CountersignSite;
  readonly id: string;
  readonly camera: DrawnCamera;
  /** Address of a page of the flow. */
  address(slug: string): string;
}

/** Opens a page of the flow in a browser with a drawn camera. It is closed after the test: its canvas would be filmed on. */
async function givenPage(slug: string, options: CameraOptions = {}, outfit: Outfit = {}): Promise<Given> {
  const site = await theSite();
  const { id, url } = await site.createAnswered('kyc', slug, { answers: { document: CARD } });
  const visitor = await newVisitor(site.origin, { camera: 'drawn', ...outfit });
  onTestFinished(() => visitor.context.close());
  const camera = await drawnCamera(visitor.page, options);
  await bringChecks(visitor.page);
  const address = (of: string) => `${site.origin}/verify/${id}/${of}`;
  await takeSession(visitor.context, url);
  await visitor.page.goto(address(slug));
  return { ...visitor, ...partsOf(visitor.page), site, id, camera, address };
}

const CARD = { type: 'id_card', issuingCountry: 'PL' };
const FRONT = 'document-front';

/** Counts the taps on the page. */
async function tapsOf(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(`taps = 0; addEventListener('click', ({ isTrusted }) => { taps += isTrusted }, true)`);
  return () => page.evaluate<number>('taps');
}

/** Pretends that the tab is in the background. */
async function hide(page: Page, isHidden: boolean): Promise<void> {
  await page.evaluate(`Object.defineProperty(document, 'hidden', { value: ${isHidden}, configurable: true });
    document.dispatchEvent(new Event('visibilitychange'))`);
}

describeWith(['chromium'], 'the camera', () => {
  it('releases by itself, sends while it asks, and goes on to the back: three taps for two pictures', async () => {
    const given = await givenPage(FRONT);
    const { page, open, use, view, layer, complaints } = given;
    const taps = await tapsOf(page);
    await open.click();
    await view('taken');
    await use.click();
    await page.waitForURL(given.address('document-back'));
    expect(await layer.getByRole('heading').innerText()).toMatch(/back/i);
    await view('taken');
    expect(await taps()).toBe(2);
    await use.tap();
    await page.waitForURL((address) => !/document/.test(address.pathname));
    await page.goBack();
    expect(slugOf(page)).toBe('document-back');
    await page.locator('img.taken-picture').waitFor();
    complaints.expectNone();
  });

  it('Back leads from the back of the document, which it went on to, to the front', async () => {
    const { page, open, use, view, address, close } = await givenPage(FRONT);
    await open.click();
    await view('taken');
    await use.click();
    await page.waitForURL(address('document-back'));
    await close.click();
    expect(await page.locator('h1').innerText()).toMatch(/back/i);
    await page.goBack();
    await page.locator('img.taken-picture').waitFor();
    expect(slugOf(page)).toBe(FRONT);
  });

  it('a film of a real camera is released', async () => {
    const film = join(temporaryFolder(), 'card.mjpeg');
    const picture = await card('MUSTERMANN ERIKA 1234567890');
    writeFileSync(film, Buffer.concat([picture, picture]));
    const site = await theSite();
    const { id, url } = await site.createAnswered('kyc', FRONT, { answers: { document: CARD } });
    const { page, context, complaints } = await newVisitor(site.origin, { camera: 'allowed', filmed: film });
    onTestFinished(() => context.close());
    await takeSession(context, url);
    await page.goto(`${site.origin}/verify/${id}/${FRONT}`);
    const { open, view, use, light } = partsOf(page);
    await open.click();
    await view('taken');
    expect(await light.isVisible()).toBe(false);
    await use.click();
    await page.waitForURL(/document-back/);
    complaints.expectNone();
  });

  it('each of the hints says what to change, and the button takes the picture all the same', async () => {
    const { page, camera, open, line, shutter, view, again, use, address, complaints } = await givenPage(FRONT, {
      scene: 'black',
    });
    await open.click();
    await line.getByText('Too dark').waitFor();
    await camera.film('table');
    await line.getByText('Move closer').waitFor();
    await camera.film('far card');
    await line.getByText('Move closer').waitFor();
    await camera.film('card with glare');
    await line.getByText('Glare').waitFor();
    await shutter.click();
    await view('taken');
    await line.getByText('This picture shows a reflection').waitFor();
    expect(await again.evaluate((button) => button === button.ownerDocument.activeElement)).toBe(true);

    await again.click();
    await view('live');
    await camera.film('black');
    await line.getByText('Too dark').waitFor();
    await shutter.click();
    await line.getByText('This picture looks too dark').waitFor();
    await again.click();
    await camera.film('card with glare');
    await line.getByText('Glare').waitFor();
    await shutter.click();
    await use.click();
    // The server judges again, and shows what it sees.
    await page.locator('[data-picture-warning]').getByText('It shows a reflection').waitFor();
    expect(page.url()).toMatch(new RegExp(`^${address(FRONT)}`));
    expect(await camera.running()).toBe(0);
    complaints.expectNone();
  });

  it('an upload that breaks keeps the picture for another try', async () => {
    const { page, open, use, retry, view, address, line, again } = await givenPage(FRONT);
    await page.route(`${address(FRONT)}*`, (route) =>
      route.request().method() === 'POST' ? route.abort('connectionreset') : route.continue(),
    );
    await open.click();
    await view('taken');
    await use.click();
    await view('broken');
    await line.getByText('It is kept here').waitFor();
    expect(await again.isVisible()).toBe(true);
    await retry.click();
    await view('broken');
    await page.unroute(`${address(FRONT)}*`);
    await retry.click();
    await page.waitForURL(address('document-back'));
  });

  it('a fault before the upload keeps the picture for another try', async () => {
    const { page, open, use, retry, view, address, line } = await givenPage(FRONT);
    await page.evaluate('whole = FormData; FormData = class { constructor() { throw new RangeError() } }');
    await open.click();
    await view('taken');
    await use.click();
    await view('broken');
    await line.getByText('It is kept here').waitFor();
    await page.evaluate('FormData = whole');
    await retry.click();
    await page.waitForURL(address('document-back'));
  });

  it('a picture that the browser fails to store closes the camera, and the page says what to do', async () => {
    const { page, open, problem, layer, camera } = await givenPage(FRONT);
    await page.evaluate('HTMLCanvasElement.prototype.toBlob = () => { throw new RangeError() }');
    await open.click();
    await problem.waitFor();
    expect(await problem.getByRole('button', { name: 'Choose a photo' }).isVisible()).toBe(true);
    expect(await layer.isVisible()).toBe(false);
    expect(await camera.running()).toBe(0);
  });

  it('the hints of the camera continue after the browser fails to read a live picture', async () => {
    const { page, open, line } = await givenPage(FRONT, { scene: 'black' });
    await page.evaluate(`failures = 0; const read = CanvasRenderingContext2D.prototype.getImageData;
      CanvasRenderingContext2D.prototype.getImageData = function (...all) {
        if (failures++ < 2) throw new RangeError();
        return read.apply(this, all);
      }`);
    await open.click();
    await line.getByText('Too dark').waitFor();
    expect(await page.evaluate('failures')).toBeGreaterThan(2);
  });

  it('a proxy that answers with an error page of its own keeps the picture for another try', async () => {
    const { page, open, use, retry, view, address } = await givenPage(FRONT);
    const [UPLOAD, USE] = ['multipart/form-data', 'application/x-www-form-urlencoded'];
    const failing = [UPLOAD, USE];
    const sent: (string | undefined)[] = [];
    await page.route(`${address(FRONT)}*`, async (route) => {
      if (route.request().method() !== 'POST') return route.continue();
      const kind = route.request().headers()['content-type']?.split(';')[0];
      sent.push(kind);
      if (kind !== failing[0]) return route.continue();
      failing.shift();
      await route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>502 Bad Gateway</h1>' });
    });
    await open.click();
    await view('taken');
    await use.click();
    await view('broken');
    await retry.click();
    // The picture has arrived, but not that it is to be used.
    await view('broken');
    await retry.click();
    await page.waitForURL(address('document-back'));
    expect(sent).toEqual([UPLOAD, UPLOAD, USE, USE]);
  });

  it('a picture that the server refuses leads to the page with the reason', async () => {
    const { page, camera, open, use, view, layer, address } = await givenPage(FRONT);
    await page.route(`${address(FRONT)}*`, async (route) => {
      if (route.request().method() !== 'POST') return route.continue();
      // The form of another page is not this one: the server takes nothing.
      await route.continue({
        postData: 'fileId=unknown',
        headers: { ...route.request().headers(), 'content-type': 'application/x-www-form-urlencoded' },
      });
    });
    await open.click();
    await view('taken');
    await use.click();
    const summary = page.locator('.error-summary');
    await summary.waitFor();
    expect(await layer.isVisible()).toBe(false);
    expect(await camera.running()).toBe(0);
    expect(await summary.evaluate((part) => part === part.ownerDocument.activeElement)).toBe(true);
    await page.unroute(`${address(FRONT)}*`);
    await open.click();
    await view('taken');
    await use.click();
    await page.waitForURL(address('document-back'));
  });

  it('turns off in a hidden tab, and keeps the picture that was taken', async () => {
    const { page, camera, open, shutter, resume, use, view, address } = await givenPage(FRONT, { scene: 'table' });
    await open.click();
    await view('live');
    await hide(page, true);
    await view('paused');
    expect(await camera.running()).toBe(0);
    await hide(page, false);
    await resume.click();
    await view('live');
    await camera.film('card');
    await view('taken');
    await hide(page, true);
    expect(await camera.running()).toBe(0);
    await hide(page, false);
    expect(await shutter.isVisible()).toBe(false);
    await use.click();
    await page.waitForURL(address('document-back'));
  });

  it('a camera that another program takes keeps the picture that was taken, and a live one says why it closes', async () => {
    const { page, open, use, again, view, layer, problem, address, camera } = await givenPage(FRONT);
    const loseCamera = () =>
      page.evaluate(`document.querySelector('dialog.camera video').srcObject.getVideoTracks()[0]
        .dispatchEvent(new Event('ended'))`);
    await open.click();
    await view('taken');
    await loseCamera();
    expect(await layer.isVisible()).toBe(true);
    await camera.film('table');
    await again.click();
    await view('live');
    await loseCamera();
    await problem.getByText('Another program').waitFor();
    await camera.film('card');
    await open.click();
    await view('taken');
    await loseCamera();
    await use.click();
    await page.waitForURL(address('document-back'));
  });

  it('a picture of 8,000 pixels is drawn to 3,000', async () => {
    const { page, open, view, address, use } = await givenPage(FRONT, { width: 8000, height: 1700 });
    await open.click();
    await view('taken');
    const sizeOf = (selector: string) =>
      page
        .locator(selector)
        .evaluate((canvas: { width: number; height: number }) => [canvas.width, canvas.height]);
    expect(await sizeOf('dialog.camera canvas')).toEqual([3000, 638]);
    await use.click();
    await page.waitForURL(address('document-back'));
  });

  describe('the form of a file stays usable', () => {
    const file = async () => ({ name: 'card.jpg', mimeType: 'image/jpeg', buffer: await card('unread') });

    it('a picture that the browser fails to judge is sent as it is', async () => {
      const { page } = await givenPage(FRONT);
      await page.evaluate('CanvasRenderingContext2D.prototype.getImageData = () => { throw new RangeError() }');
      await page.locator('input[type=file]').setInputFiles(await file());
      await page.getByRole('button', { name: 'Send this file' }).click();
      await page.locator('img.taken-picture').waitFor();
    });

    it('a fault before the file is sent: says so, and the next try sends it', async () => {
      const { page } = await givenPage(FRONT);
      const send = page.getByRole('button', { name: 'Send this file' });
      await page.evaluate('whole = FormData; FormData = class { constructor() { throw new RangeError() } }');
      await page.locator('input[type=file]').setInputFiles(await file());
      await send.click();
      await page.getByText('The file could not be sent').waitFor();
      expect(await send.getAttribute('aria-disabled')).toBe('false');
      await page.evaluate('FormData = whole');
      await send.click();
      await page.locator('img.taken-picture').waitFor();
    });
  });

  describe('without a picture:', () => {
    it.each<[string, CameraOptions, RegExp]>([
      ['a camera of one pixel', { width: 1, height: 1 }, /too small to read/],
      ['no camera', { refuses: 'NotFoundError' }, /No camera was found/],
      ['a camera in use', { refuses: 'NotReadableError' }, /Another program/],
      ['a camera that is not allowed', { refuses: 'NotAllowedError' }, /does not allow the camera[\s\S]*Camera/],
    ])('%s: says what to do, with a file or another device', async (_what, options, text) => {
      const { page, open, problem, layer, complaints } = await givenPage('selfie', options);
      await open.click();
      await problem.waitFor();
      expect(await problem.innerText()).toMatch(text);
      expect(await layer.isVisible()).toBe(false);
      expect(await problem.evaluate((part) => part === part.ownerDocument.activeElement)).toBe(true);
      const choosing = page.waitForEvent('filechooser');
      await problem.getByRole('button', { name: 'Choose a photo' }).click();
      await (await choosing).setFiles({ name: 'me.jpg', mimeType: 'image/jpeg', buffer: await card('me') });
      await page.getByRole('button', { name: 'Send this file' }).waitFor();
      await problem.getByRole('link', { name: 'Use another device' }).click();
      await page.waitForURL(/\/phone$/);
      complaints.expectNone();
    });

    it('a browser within an app: another browser', async () => {
      const { page, open, problem } = await givenPage('selfie');
      await page.addInitScript(`Object.defineProperty(navigator, 'mediaDevices', { value: undefined })`);
      await page.reload();
      expect(await problem.innerText()).toContain('Open in your browser');
      expect(await open.isVisible()).toBe(false);
      expect(await page.locator('input[type=file]').getAttribute('capture')).toBe('user');
    });

    it('the browser itself denies it', async () => {
      const site = await theSite();
      const { id, url } = await site.createAnswered('kyc', 'selfie');
      const { page, context, complaints } = await newVisitor(site.origin, { camera: 'denied' });
      await takeSession(context, url);
      await page.goto(`${site.origin}/verify/${id}/selfie`);
      const { open, problem } = partsOf(page);
      await open.click();
      await problem.getByText('does not allow the camera').waitFor();
      complaints.expectNone();
    });
  });

  it('a picture that the browser fails to judge can be used', async () => {
    const { page, open, shutter, view, use, layer } = await givenPage(FRONT);
    await page.evaluate('CanvasRenderingContext2D.prototype.getImageData = () => { throw new RangeError() }');
    await open.click();
    await view('live');
    await shutter.click();
    await view('taken');
    await use.click();
    await layer.getByRole('heading', { name: /back/i }).waitFor();
  });

  it('a camera that answers after the one that was asked later is switched off', async () => {
    const { page, camera, open, resume, view } = await givenPage(FRONT, { scene: 'table' });
    await page.evaluate(`asked = []; const ask = navigator.mediaDevices.getUserMedia;
      navigator.mediaDevices.getUserMedia = (...all) =>
        new Promise((answer) => asked.push(() => answer(ask.apply(navigator.mediaDevices, all))))`);
    await open.click();
    await page.waitForFunction('asked.length === 1');
    await hide(page, true);
    await hide(page, false);
    await resume.click();
    await page.waitForFunction('asked.length === 2');
    await page.evaluate('asked[1]()');
    await view('live');
    await page.evaluate('asked[0]()');
    await page.waitForFunction('drawnCamera.running() === 1');
    expect(
      await page.locator('dialog.camera video').evaluate((video: { srcObject: unknown }) => video.srcObject),
    ).not.toBeNull();
    expect(await camera.running()).toBe(1);
  });

  it('the light is switched on and off where there is one', async () => {
    const { page, open, light, view, layer } = await givenPage(FRONT, { torch: true, scene: 'table' });
    await open.click();
    await view('live');
    await page.emulateMedia({ forcedColors: 'active' });
    const background = () =>
      page.evaluate<string>(
        `getComputedStyle(document.querySelector('[data-camera-part=light]')).backgroundColor`,
      );
    const whenOff = await background();
    await light.click();
    await layer.locator('[aria-pressed=true]').waitFor();
    // In the colours of the system too.
    expect(await background()).not.toBe(whenOff);
    await light.click();
    await layer.locator('[data-camera-part=light][aria-pressed=false]').waitFor();
  });

  it('nothing lies over the picture on a screen of 320 by 256 pixels, as zoomed to 400 %, and all of it can be reached', async () => {
    const { page, open, view, layer, line, shutter } = await givenPage(FRONT, { scene: 'table' });
    await page.setViewportSize({ width: 320, height: 256 });
    await open.click();
    await view('live');
    const boxOf = async (part: Locator) => (await part.boundingBox()) ?? expect.fail('no box');
    const picture = await boxOf(layer.locator('.camera-view'));
    expect(picture.height).toBeGreaterThanOrEqual(128);
    expect((await boxOf(line)).y).toBeGreaterThanOrEqual(picture.y + picture.height);
    await shutter.click();
    await view('taken');
  });

  it('keeps the focus of the keyboard in the layer, which Escape closes, and returns it', async () => {
    const { page, open, view, layer, line, shutter, use, camera, address } = await givenPage(FRONT, {
      scene: 'table',
    });
    await press(page, open, 'Enter');
    await view('live');
    const isWithin = () => layer.evaluate((part) => part.contains(part.ownerDocument.activeElement));
    for (let stop = 0; stop < 6; stop += 1) {
      await page.keyboard.press('Tab');
      expect((await isWithin()) || (await page.evaluate('document.activeElement === document.body'))).toBe(true);
    }
    await page.keyboard.press('Escape');
    await layer.waitFor({ state: 'hidden' });
    expect(await open.evaluate((part) => part === part.ownerDocument.activeElement)).toBe(true);
    expect(await camera.running()).toBe(0);

    await page.keyboard.press('Enter');
    await view('live');
    await camera.film('moving card');
    await line.getByText('Hold still').waitFor();
    await press(page, shutter, 'Space');
    await view('taken');
    await press(page, use, 'Enter');
    await page.waitForURL(address('document-back'));
  });

  // The layers of a document and of a selfie differ in their outline and texts: each is looked at in both themes, languages and sizes.
  describe.each([
    ['light', 'narrow', 'en-GB', FRONT],
    ['dark', 'desktop', 'de-DE', FRONT],
    ['dark', 'narrow', 'de-DE', 'selfie'],
    ['light', 'desktop', 'en-GB', 'selfie'],
  ] as const)('in the theme %s on a screen %s in %s', (theme, screen, locale, slug) => {
    it(`the camera of ${slug} is accessible in each state`, async () => {
      const given = await givenPage(slug, { scene: 'table', torch: true }, { theme, screen, locale });
      const { page, camera, layer, open, shutter, view, again, use, close, problem, complaints } = given;
      // Themes and screens change only the look, so one of each layer runs all rules.
      const rules = theme === 'light' ? 'all' : 'look';
      const check = async (state: string) => {
        await keepPicture(page, `${slug}-${state}-${theme}-${screen}`);
        const { faults } = await outlineOf(page);
        // While the layer is open, the page below it is inert.
        const isOpen = await layer.isVisible();
        const violations = await (isOpen ? violationsIn(page, 'dialog.camera', rules) : violationsOf(page, rules));
        expect([...faults, ...violations], state).toEqual([]);
        expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), state).toBe(true);
      };
      await check('page');
      await camera.holdBack();
      await open.click();
      await view('starting');
      await check('starting');
      await camera.letGo();
      await view('live');
      await check('live');
      await shutter.click();
      await view('taken');
      await check('taken-in-the-dark');
      let breakUpload = () => {};
      const breaking = new Promise<void>((resolve) => {
        breakUpload = resolve;
      });
      await page.route(
        (address) => address.pathname.endsWith(slug),
        (route) => breaking.then(() => route.abort()),
      );
      await camera.film('card');
      await again.click();
      await view('live');
      await view('taken');
      await check('taken');
      await use.click();
      await view('sending');
      await check('sending');
      breakUpload();
      await view('broken');
      await check('broken');
      // It takes no picture by itself of the table.
      await camera.film('table');
      await again.click();
      await view('live');
      await hide(page, true);
      await view('paused');
      await check('paused');
      await close.click();
      await page.evaluate(
        `navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('', 'NotAllowedError'))`,
      );
      await open.click();
      await problem.waitFor();
      await check('problem');
      expect(complaints.all().filter((complaint) => !/ERR_FAILED/.test(complaint))).toEqual([]);
    });
  });
});

/** Keeps a picture of the page in the folder that `PICTURES` names. */
async function keepPicture(page: Page, name: string): Promise<void> {
  const folder = process.env.PICTURES;
  if (folder !== undefined) await page.screenshot({ path: join(folder, `camera-${name}.png`) });
}
