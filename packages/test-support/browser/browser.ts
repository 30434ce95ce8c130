import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { atEndOfFile } from '../processes/end-of-file.ts';
import { chromiumProgram } from '../servers/index.ts';
import { CHROMIUM_ARGUMENTS } from './chromium-arguments.ts';
import { type Complaints, watchComplaints } from './complaints.ts';

/** What a visitor looks at the pages with. */
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
  /** Opens the whole browser, which has a fake camera. Left out: the headless shell, which loads pages faster. */
  readonly camera?: 'allowed' | 'denied';
}

/** A browser context with its own cookies, and its one page. */
export interface Visitor {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Complaints of the browser so far: content security, scripts that failed, requests to other origins. */
  readonly complaints: Complaints;
}

const SCREENS = {
  narrow: { width: 320, height: 640 },
  phone: { width: 390, height: 844 },
  desktop: { width: 1280, height: 900 },
} as const;

/** The browsers of this process, by program. They end with it. */
const running = new Map<string, Promise<Browser>>();

atEndOfFile(async () => {
  const browsers = await Promise.all(running.values());
  await Promise.all(browsers.flatMap((browser) => browser.contexts()).map((context) => context.close()));
});

/** Starts each program once. */
function browser(needs?: 'camera'): Promise<Browser> {
  const executablePath = chromiumProgram(needs);
  if (executablePath === undefined) throw new Error('chromium is not installed: wrap the suite in describeWith');
  const launched =
    running.get(executablePath) ??
    chromium.launch({ executablePath, args: [...CHROMIUM_ARGUMENTS], headless: true });
  running.set(executablePath, launched);
  return launched;
}

/** Opens a browser context without cookies. */
export async function newVisitor(origin: string, outfit: Outfit = {}): Promise<Visitor> {
  const {
    screen = 'phone',
    pixelRatio = 1,
    javaScript = true,
    locale = 'en-GB',
    theme = 'light',
    camera,
  } = outfit;
  const context = await (await browser(camera && 'camera')).newContext({
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
  context.setDefaultTimeout(60_000);
  const complaints = await watchComplaints(context, origin);
  return { page: await context.newPage(), context, complaints };
}
