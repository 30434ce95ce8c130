import { isDeepStrictEqual } from 'node:util';
import type { NewUser, StaffRole, TeamRole } from '@countersign/domain/staff';
import type { ServerProcess } from '../processes/server-process.ts';
import { newSession } from './new-session.ts';
import { newUser } from './new-user.ts';

/** A signed-in user's session, over plain forms as a browser without JavaScript sends them. */
export interface StaffForms {
  readonly email: string;
  readonly password: string;
  /** Returns the `Cookie` header. */
  cookies(): string;
  get(path: string): Promise<Response>;
  /** Posts a form, without following redirects. */
  post(path: string, fields?: FormFields | URLSearchParams): Promise<Response>;
  /** Posts a form, and confirms the password if it is asked for. */
  postConfirmed(path: string, fields?: FormFields): Promise<Response>;
  /** Confirms the password, for ten minutes. Within them, confirming again does not extend them. */
  confirm(): Promise<void>;
  /** Submits a form of a case's current version, already confirmed. @throws when the form is refused */
  act(verificationId: string, act: string, fields?: Readonly<Record<string, string>>): Promise<void>;
}

export type FormFields = Readonly<Record<string, string>>;

const PASSWORD = 'violet anchor 7 gravel';
const CONFIRM_PATH = '/account/confirm';

const ATTEMPTS = 3;
/** A version that is no longer current, and a warning that the form does not name. */
const MAY_FOLLOW_A_CHANGE = [409, 422];

let made = 0;

/** Creates a reviewer or an operator with a session. */
export function newStaff(server: ServerProcess, role: Exclude<StaffRole, 'client'>): Promise<StaffForms> {
  return newMember(server, { role, name: `The ${role}` });
}

/** Creates a member of a client's team with a session. */
export function newTeamMember(
  server: ServerProcess,
  clientId: string,
  teamRole: TeamRole = 'owner',
): Promise<StaffForms> {
  return newMember(server, { role: 'client', clientId, teamRole });
}

/** Creates a user with a password and a session, which were not made by a page. */
export async function newMember(server: ServerProcess, input: Omit<NewUser, 'email'>): Promise<StaffForms> {
  const user = invited(input);
  const { id } = await newUser(server, user);
  return staffForms(server, user.email, await newSession(server, id, PASSWORD));
}

/** Creates a user who sets their password by the one-time link. */
export async function newMemberByLink(server: ServerProcess, input: Omit<NewUser, 'email'>): Promise<StaffForms> {
  const user = invited(input);
  const { path } = await newUser(server, user);
  const forms = staffForms(server, user.email);
  const { status } = await forms.post(path, { password: PASSWORD, repeat: PASSWORD });
  if (status !== 303) throw new Error(`the link was answered with ${status}`);
  return forms;
}

function invited(input: Omit<NewUser, 'email'>): NewUser {
  made += 1;
  const title = input.teamRole ?? input.role;
  return { name: `The ${title} ${made}`, ...input, email: `${title}-${process.pid}-${made}@example.org` };
}

/** Signs in again, at another server on the same data. */
export async function signInAgain(
  server: ServerProcess,
  { email }: Pick<StaffForms, 'email'>,
): Promise<StaffForms> {
  const forms = staffForms(server, email);
  const { status } = await forms.post('/account/sign-in', { email, password: PASSWORD });
  if (status !== 303) throw new Error(`signing in was answered with ${status}`);
  return forms;
}

let addresses = 0;

/**
 * Each session has its own address, for servers with TRUST_PROXY=1, because sign-in attempts are limited by address.
 */
function staffForms({ port, env }: ServerProcess, email: string, cookie?: string): StaffForms {
  addresses += 1;
  const address = `2001:db8:${addresses.toString(16)}::1`;
  const origin = `http://localhost:${port}`;
  const publicOrigin = env.PUBLIC_BASE_URL ?? origin;
  const jar = new Map(cookie === undefined ? [] : [pairOf(cookie)]);
  const cookies = () => [...jar].map(([name, value]) => `${name}=${value}`).join('; ');

  async function request(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = {
      Cookie: cookies(),
      Origin: publicOrigin,
      'Accept-Language': 'en',
      'X-Forwarded-For': address,
    };
    const response = await fetch(origin + path, { ...init, redirect: 'manual', headers });
    for (const cookie of response.headers.getSetCookie()) {
      jar.set(...pairOf(cookie.split(';', 1)[0] ?? ''));
    }
    return response;
  }

  const post: StaffForms['post'] = (path, fields = {}) =>
    request(path, { method: 'POST', body: new URLSearchParams(fields) });

  async function confirm(): Promise<void> {
    const { status } = await post(CONFIRM_PATH, { password: PASSWORD });
    if (status !== 303) throw new Error(`the password was answered with ${status}`);
  }

  /**
   * Reads the version and the warnings that a form of a case sends. Both can change in the meantime: a decision claims
   * the next case, which makes a new version of it, and a finished reading adds warnings.
   */
  async function caseOf(id: string): Promise<{ version: string; warnings: readonly string[] }> {
    const page = await (await request(`/review/${id}`)).text();
    const warnings = [...page.matchAll(/name="approve\.checkedWarnings" value="([^"]+)"/g)].map(
      ([, key = '']) => key,
    );
    return { version: /name="expectedVersion" value="(\d+)"/.exec(page)?.[1] ?? '', warnings };
  }

  return {
    email,
    password: PASSWORD,
    cookies,
    get: (path) => request(path),
    post,
    async postConfirmed(path, fields) {
      const response = await post(path, fields);
      if (!response.headers.get('location')?.startsWith(CONFIRM_PATH)) return response;
      await confirm();
      return post(path, fields);
    },
    confirm,
    async act(verificationId, act, fields = {}) {
      let shown = await caseOf(verificationId);
      for (let attempt = 1; ; attempt += 1) {
        const form = new URLSearchParams({ expectedVersion: shown.version, confirmed: 'yes', ...fields });
        if (act === 'approve') for (const key of shown.warnings) form.append('approve.checkedWarnings', key);
        const { status } = await post(`/review/${verificationId}/${act}`, form);
        if (status === 303) return;
        const meanwhile = await caseOf(verificationId);
        if (!MAY_FOLLOW_A_CHANGE.includes(status) || attempt === ATTEMPTS || isDeepStrictEqual(meanwhile, shown))
          throw new Error(`${act} was answered with ${status}`);
        shown = meanwhile;
      }
    },
  };
}

function pairOf(cookie: string): [name: string, value: string] {
  const [name = '', value = ''] = cookie.split(/=(.*)/s);
  return [name, value];
}
