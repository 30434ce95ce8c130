import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { afterAll } from 'vitest';
import { chromiumProgram } from '../servers/index.ts';
import { CHROMIUM_ARGUMENTS } from './chromium-arguments.ts';
import { type Complaints, watchComplaints } from './complaints.ts';

/** How somebody looks at the pages. */
export interface Outfit {
  /** Default `phone`. */
  readonly screen?: keyof typeof SCREENS;
  /** Pixels of the screen for each of the page. Default 1. */
  readonly pixelRatio?: number;
  /** Default true. */
  readonly javaScript?: boolean;
  /** Default `en-GB`. */
  readonly locale?: string;
  /** Default `light`. */
  readonly theme?: 'light' | 'dark';
  /** Default: the browser's fake camera, allowed. */
  readonly camera?: 'allowed' | 'denied';
}

/** A browser of one's own: nobody else's cookies. */
export interface Visitor {
  readonly page: Page;
  readonly context: BrowserContext;
  /** What the browser complained of so far: content security, scripts that failed, requests to other origins. */
  readonly complaints: Complaints;
}

const SCREENS = {
  narrow: { width: 320, height: 640 },
  phone: { width: 390, height: 844 },
  desktop: { width: 1280, height: 900 },
} as const;

let running: Promise<Browser> | undefined;

afterAll(async () => {
  await (await running)?.close();
  running = undefined;
});

/** One browser process for each test file, closed after it. */
function browser(): Promise<Browser> {
  const executablePath = chromiumProgram();
  if (executablePath === undefined) throw new Error('chromium is not there: wrap the suite in describeWith');
  running ??= chromium.launch({ executablePath, args: [...CHROMIUM_ARGUMENTS], headless: true });
  return running;
}

/** Somebody who has not been here before. */
export async function newVisitor(origin: string, outfit: Outfit = {}): Promise<Visitor> {
  const {
    screen = 'phone',
    pixelRatio = 1,
    javaScript = true,
    locale = 'en-GB',
    theme = 'light',
    camera = 'allowed',
  } = outfit;
  const context = await (await browser()).newContext({
    viewport: SCREENS[screen],
    isMobile: screen !== 'desktop',
    deviceScaleFactor: pixelRatio,
    hasTouch: screen !== 'desktop',
    javaScriptEnabled: javaScript,
    locale,
    colorScheme: theme,
    reducedMotion: 'reduce',
    permissions: camera === 'allowed' ? ['camera'] : [],
  });
  context.setDefaultTimeout(15_000);
  const complaints = await watchComplaints(context, origin);
  return { page: await context.newPage(), context, complaints };
}
