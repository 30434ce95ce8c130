import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { atEndOfFile } from '../processes/end-of-file.ts';
import { chromiumProgram } from '../servers/index.ts';
import { CHROMIUM_ARGUMENTS } from './chromium-arguments.ts';
import { type Complaints, watchComplaints } from './complaints.ts';

/** The device and the settings of a visitor. */
export interface Outfit {
  /** Default `phone`. */
  readonly screen?: keyof typeof SCREENS;
  /** Device pixels per CSS pixel. Default 1. */
  readonly pixelRatio?: number;
  /** Default true. */
  readonly javaScript?: boolean;
  /** Default `en-GB`. */
  readonly locale?: string;
  /** Default: that of the machine. */
  readonly timeZone?: string;
  /** Default `light`. */
  readonly theme?: 'light' | 'dark';
  /** Opens the full browser, which has a fake camera. Default: the headless shell, which loads pages faster. */
  readonly camera?: 'allowed' | 'denied';
  /** What the fake camera films: a file of JPEG pictures whose name ends in `.mjpeg`. Default: a test picture. */
  readonly filmed?: string;
}

/** A browser context with its own cookies and one page. */
export interface Visitor {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Errors that the browser reported so far. */
  readonly complaints: Complaints;
}

const SCREENS = {
  narrow: { width: 320, height: 640 },
  phone: { width: 390, height: 844 },
  desktop: { width: 1280, height: 900 },
} as const;

/** The browsers of this process, by program and film. */
const running = new Map<string, Promise<Browser>>();

atEndOfFile(async () => {
  const browsers = await Promise.all(running.values());
  await Promise.all(browsers.flatMap((browser) => browser.contexts()).map((context) => context.close()));
});

/** Launches the browser, once per program and film. */
function browser(needs?: 'camera', filmed?: string): Promise<Browser> {
  const executablePath = chromiumProgram(needs);
  if (executablePath === undefined) throw new Error('chromium is not installed: wrap the suite in describeWith');
  const film = filmed === undefined ? [] : [`--use-file-for-fake-video-capture=${filmed}`];
  const key = [executablePath, ...film].join(' ');
  const launched =
    running.get(key) ??
    chromium.launch({ executablePath, args: [...CHROMIUM_ARGUMENTS, ...film], headless: true });
  running.set(key, launched);
  return launched;
}

/** Opens a browser context without cookies. */
export async function newVisitor(origin: string, outfit: Outfit = {}): Promise<Visitor> {
  const {
    screen = 'phone',
    pixelRatio = 1,
    javaScript = true,
    locale = 'en-GB',
    timeZone,
    theme = 'light',
    camera,
    filmed,
  } = outfit;
  const context = await (await browser(camera && 'camera', filmed)).newContext({
    viewport: SCREENS[screen],
    isMobile: screen !== 'desktop',
    deviceScaleFactor: pixelRatio,
    hasTouch: screen !== 'desktop',
    javaScriptEnabled: javaScript,
    locale,
    ...(timeZone !== undefined && { timezoneId: timeZone }),
    colorScheme: theme,
    reducedMotion: 'reduce',
    permissions: camera === 'allowed' ? ['camera'] : [],
  });
  context.setDefaultTimeout(60_000);
  const complaints = await watchComplaints(context, origin);
  return { page: await context.newPage(), context, complaints };
}
