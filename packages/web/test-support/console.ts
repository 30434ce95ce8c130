import { type CountersignPorts, type CountersignSettings, warningKey } from '@countersign/domain';
import type { User } from '@countersign/domain/staff';
import type { Hono } from 'hono';
import type { WebOptions } from '../src/site/site.ts';
import { createWeb } from '../src/web.tsx';
import { BASE_URL, type GivenCases, givenCases } from './cases.ts';

/** Test data: the pages, with two reviewers, an operator and a client's owner. */
export interface GivenConsole extends GivenCases {
  readonly web: Hono;
  readonly faults: readonly unknown[];
  /** Sends a request as a signed-in user and returns the unread response. */
  ask(path: string, as?: string | null, init?: RequestInit): Promise<Response>;
  /** Requests a page as a signed-in user, or anonymously with null. */
  get(path: string, as?: string | null, headers?: Record<string, string>): Promise<Answer>;
  /** Posts a form with the headers of a same-origin page. */
  post(path: string, fields: Fields, as?: string | null, headers?: Record<string, string>): Promise<Answer>;
  /** Posts a form of a case with its current version, as its page would. An approval says that all warnings were checked. */
  act(verificationId: string, act: string, fields?: Fields, as?: string): Promise<Answer>;
}

export type Fields = Readonly<Record<string, string | readonly string[]>>;

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The page's text without markup. */
  readonly words: string;
}

export const PASSWORD = 'correct horse battery';

/** The boxes of an approval. */
export const CHECKED = 'approve.checkedWarnings';

export const RITA = 'rita';
export const BEN = 'ben';
export const OLGA = 'olga';
export const CLARA = 'clara';

export async function givenConsole(
  options: Partial<WebOptions> = {},
  settings: Partial<CountersignSettings> = {},
  ports: Partial<
    Pick<
      CountersignPorts,
      'webhookSender' | 'mailer' | 'numberChecks' | 'reader' | 'recentRequests' | 'serviceStatus'
    >
  > = {},
): Promise<GivenConsole> {
  const cases = await givenCases('Acme Bank', settings, ports);
  const { accounts, principal } = cases;
  for (const [id, role] of [
    [RITA, 'reviewer'],
    [BEN, 'reviewer'],
    [OLGA, 'operator'],
    [CLARA, 'client'],
  ] as const) {
    const clientId = role === 'client' ? principal.clientId : null;
    accounts.add(aUser(id, { role, clientId, name: NAMES[id] }), PASSWORD);
  }
  const faults: unknown[] = [];
  const web = createWeb({
    countersign: cases.countersign,
    signIn: accounts,
    accounts,
    secrets: cases.ports.secrets,
    clock: cases.ports.clock,
    publicBaseUrl: BASE_URL,
    clientAddress: () => '192.0.2.1',
    onFault: (fault) => void faults.push(fault),
    ...options,
  });
  const sessions = new Map<string, string>();

  async function ask(path: string, as: string | null = RITA, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    if (as !== null && !headers.has('Cookie')) {
      if (!sessions.has(as)) sessions.set(as, accounts.signedIn(as));
      headers.set('Cookie', sessions.get(as) ?? '');
    }
    return web.request(path, { ...init, headers });
  }

  async function request(path: string, init: RequestInit, as: string | null): Promise<Answer> {
    const response = await ask(path, as, init);
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, words: wordsOf(text) };
  }

  const get: GivenConsole['get'] = (path, as = RITA, headers = {}) => request(path, { headers }, as);

  const post: GivenConsole['post'] = (path, fields, as = RITA, headers = {}) => {
    const body = new URLSearchParams();
    for (const [name, values] of Object.entries(fields)) {
      for (const value of [values].flat()) body.append(name, value);
    }
    return request(path, { method: 'POST', headers: { 'Sec-Fetch-Site': 'same-origin', ...headers }, body }, as);
  };

  async function warningsOf(verificationId: string): Promise<readonly string[]> {
    return (await cases.review.open(verificationId)).warnings.map(warningKey);
  }

  return {
    ...cases,
    accounts,
    web,
    faults,
    ask,
    get,
    post,
    async act(verificationId, act, fields = {}, as = RITA) {
      const { version } = await cases.review.preview(verificationId);
      const checks = act === 'approve' ? { [CHECKED]: fields[CHECKED] ?? (await warningsOf(verificationId)) } : {};
      const form = { expectedVersion: String(version), ...checks, ...fields };
      return post(`/review/${verificationId}/${act}`, form, as);
    },
  };
}

/** Creates a user with this id: `ann` has the address `ann@example.org`. Users of a client are owners by default. */
export function aUser(id: string, values: Partial<User> & Pick<User, 'role'>): User {
  const ofClient = values.role === 'client' ? ({ clientId: 'client-1', teamRole: 'owner' } as const) : null;
  return { id, email: `${id}@example.org`, name: id, clientId: null, teamRole: null, ...ofClient, ...values };
}

const NAMES = {
  [RITA]: 'Rita Ora',
  [BEN]: 'Ben <i>Bold</i>',
  [OLGA]: 'Olga Op',
  [CLARA]: 'Clara Client',
} as const;

const ENTITIES: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&amp;': '&',
};

/** Returns the text of markup. */
export function wordsOf(html: string): string {
  return html
    .replace(/<head>[\s\S]*<\/head>/, '')
    .replace(/<\/?bdi\b[^>]*>/g, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/&(lt|gt|quot|#39|amp);/g, (entity) => ENTITIES[entity] ?? entity)
    .replace(/\s+/g, ' ')
    .trim();
}
