import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { atEndOfFile } from '../processes/end-of-file.ts';
import { chromiumProgram } from '../servers/index.ts';
import { chromiumArguments } from './chromium-arguments.ts';
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
  /**
   * `allowed` and `denied` open the full browser, which has a fake camera. `drawn` opens the headless shell with optimising
   * compilers, for pages with `drawnCamera`. Default: the headless shell without them, which loads pages faster.
   */
  readonly camera?: 'allowed' | 'denied' | 'drawn';
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

/** The browsers of this process, by program and arguments. */
const running = new Map<string, Promise<Browser>>();

atEndOfFile(async () => {
  const browsers = await Promise.all(running.values());
  await Promise.all(browsers.flatMap((browser) => browser.contexts()).map((context) => context.close()));
});

/** Launches the browser, once per program and arguments. */
function browser({ camera, filmed }: Outfit): Promise<Browser> {
  const executablePath = chromiumProgram(camera === 'drawn' ? undefined : camera && 'camera');
  if (executablePath === undefined) throw new Error('chromium is not installed: wrap the suite in describeWith');
  const film = filmed === undefined ? [] : [`--use-file-for-fake-video-capture=${filmed}`];
  const args = [...chromiumArguments(camera !== undefined), ...film];
  const key = [executablePath, ...args].join(' ');
  const launched = running.get(key) ?? chromium.launch({ executablePath, args, headless: true });
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
  } = outfit;
  const context = await (await browser(outfit)).newContext({
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

/** Gives the browser the session of a subject's link. It does not draw the page behind the link, because that takes most of the time. */
export async function takeSession(context: BrowserContext, link: string): Promise<void> {
  const response = await context.request.get(link);
  if (!response.ok()) throw new Error(`the link was answered with ${response.status()}`);
}
