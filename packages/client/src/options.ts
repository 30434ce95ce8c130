/** Sends a request. It honours `request.signal` and follows no redirect if `request.redirect` is `manual`. */
export type Fetch = (request: Request) => Response | Promise<Response>;

/** The mode of an API key. Data of test mode is for tests only. */
export type KeyMode = 'live' | 'test';

/** Options of `createClient`. */
export interface ClientOptions {
  /** Where the API is, with its version: `https://verify.example/api/v1`. */
  readonly baseUrl: string;
  /** An API key of the client: `csk_…`. It must never reach a browser. */
  readonly apiKey: string;
  /**
   * The mode that the key must have: `test` for tests, `live` in production. The client then reads the key's mode with one GET before its first
   * write, and refuses every write with `WRONG_MODE` if the key has the other mode. Default: no check.
   */
  readonly mode?: KeyMode | undefined;
  /** How often a request is repeated after a failure that may pass: 0–10; default 2. */
  readonly maxRetries?: number | undefined;
  /** The longest wait before a repetition; default 60 seconds. If the server asks for more, the call fails at once. */
  readonly maxWaitMs?: number | undefined;
  /** How long one attempt may take, from the connection to the last byte of the response; default 30 seconds. */
  readonly timeoutMs?: number | undefined;
  /** Replaces the global `fetch`, for tests, proxies and certificates of your own. */
  readonly fetch?: Fetch | undefined;
  /** Allows a browser window, where everyone can read the key. Default: false. */
  readonly dangerouslyAllowBrowser?: boolean | undefined;
}

/** Checked options with their defaults. */
export interface ClientSettings {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly mode: KeyMode | undefined;
  readonly maxRetries: number;
  readonly maxWaitMs: number;
  readonly timeoutMs: number;
  readonly fetch: Fetch;
}

/** The longest time that a timer of JavaScript can wait. */
const TIMER_MAX_MS = 2 ** 31 - 1;

/**
 * Checks the options of a client.
 * @throws TypeError that names the option and says what to do; it never contains the key
 */
export function checkOptions(options: ClientOptions): ClientSettings {
  if (isBrowser() && options.dangerouslyAllowBrowser !== true) {
    throw new TypeError(
      'The Countersign client runs in a browser, where everyone can read its API key. Call the API from your server.',
    );
  }
  return {
    baseUrl: checkBaseUrl(options.baseUrl),
    apiKey: checkApiKey(options.apiKey),
    mode: checkMode(options.mode),
    maxRetries: checkInteger('maxRetries', options.maxRetries ?? 2, [0, 10]),
    maxWaitMs: checkInteger('maxWaitMs', options.maxWaitMs ?? 60_000, [0, TIMER_MAX_MS]),
    timeoutMs: checkInteger('timeoutMs', options.timeoutMs ?? 30_000, [1, TIMER_MAX_MS]),
    fetch: options.fetch ?? ((request) => fetch(request)),
  };
}

/** Returns the address without a slash at its end. */
function checkBaseUrl(value: unknown): string {
  const url = typeof value === 'string' && URL.canParse(value) ? new URL(value) : null;
  if (url === null || !['http:', 'https:'].includes(url.protocol)) {
    throw new TypeError('baseUrl is not an http(s) URL. Give an address such as https://verify.example/api/v1.');
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw new TypeError('baseUrl has a user name, a query or a fragment. Give only origin and path.');
  }
  return (url.origin + url.pathname).replace(/\/+$/, '');
}

function checkApiKey(value: unknown): string {
  if (typeof value !== 'string' || value === '') {
    throw new TypeError('apiKey is missing. Give an API key of your client: csk_…');
  }
  // A line break from a file or a variable is the usual cause.
  if (!/^[\x21-\x7e]+$/.test(value)) {
    throw new TypeError('apiKey contains white space or characters that no key has. Remove them.');
  }
  return value;
}

function checkMode(value: unknown): KeyMode | undefined {
  if (value === undefined || value === 'live' || value === 'test') return value;
  throw new TypeError('mode must be live or test.');
}

function checkInteger(name: string, value: number, [least, most]: readonly [number, number]): number {
  if (Number.isInteger(value) && value >= least && value <= most) return value;
  throw new TypeError(`${name} must be a whole number from ${least} to ${most}.`);
}

function isBrowser(): boolean {
  return typeof window !== 'undefined' && typeof window.document !== 'undefined';
}
