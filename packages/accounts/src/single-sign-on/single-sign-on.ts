import type { RateLimit, RateLimiter } from '@countersign/domain';
import {
  type ProviderUnavailable,
  type SingleSignOn,
  STAFF_SESSION,
  type UserIdentities,
} from '@countersign/domain/staff';
import type { AccountsParts } from '../sign-in/parts.ts';
import { columnsOf, findUser } from '../staff/users.ts';
import { hasFault } from './guarded-fetch.ts';
import { AnswerRefused, createProvider, type Provider } from './provider.ts';
import type { SingleSignOnOptions } from './settings.ts';
import { createSignOnRequests, REQUEST_SECONDS } from './sign-on-request.ts';

/** Each state is answered once. */
const ONCE: RateLimit = { requests: 1, windowSeconds: REQUEST_SECONDS };

export interface SignOnParts extends AccountsParts {
  readonly identities: UserIdentities;
  readonly rateLimiter: RateLimiter;
  readonly publicBaseUrl: string;
}

/** Signs users in at identity providers with OpenID Connect. */
export function createSingleSignOn(parts: SignOnParts, options: SingleSignOnOptions): SingleSignOn {
  const { database, cookies, sessions, confirmations, challenges } = parts;
  const { identities, clock, rateLimiter, publicBaseUrl } = parts;
  const providers = options.providers.map((settings) => createProvider(settings, options));
  const requests = createSignOnRequests(cookies, clock);

  function providerOf(id: string): Provider {
    const provider = providers.find(({ settings }) => settings.id === id);
    if (provider === undefined) throw new TypeError(`there is no identity provider ${id}`);
    return provider;
  }

  const redirectUri = (id: string): string => `${publicBaseUrl}/account/sso/${id}/callback`;

  async function endPrevious(header: string | undefined): Promise<void> {
    const token = cookies.read(header, cookies.names.session);
    if (token !== null) await sessions.end(token);
    await sessions.sweep();
  }

  return {
    policies: options.providers,
    passwordsOff: options.passwordsOff,
    mayUsePassword: parts.mayUsePassword,

    async begin(_, given) {
      const provider = providerOf(given.providerId);
      const { request, setCookie } = requests.begin(given);
      try {
        const location = await provider.authorizationUrl(request, redirectUri(given.providerId));
        return { outcome: 'redirect', location, setCookies: [setCookie] };
      } catch (cause) {
        return unavailable(cause);
      }
    },

    async finish(visitor, { providerId, query }) {
      const provider = providerOf(providerId);
      const setCookies = [requests.ended];
      const answer = new URL(`${redirectUri(providerId)}?${query}`);
      const request = requests.find(visitor.cookies, providerId, answer.searchParams.get('state') ?? '');
      if (request === null) return { outcome: 'refused', check: 'request', purpose: null, setCookies };
      const { purpose, returnTo } = request;
      const { allowed } = await rateLimiter.consume(`sign-on:${request.state}`, ONCE);
      if (!allowed) return { outcome: 'refused', check: 'replayed', purpose, setCookies };
      try {
        const identity = await provider.verify(request, answer);
        return { outcome: 'verified', identity, purpose, returnTo, setCookies };
      } catch (cause) {
        if (cause instanceof AnswerRefused)
          return { outcome: 'refused', check: cause.check, purpose, setCookies, cause };
        return unavailable(cause);
      }
    },

    async startSession({ cookies: header }, { use, withSecondFactor }) {
      const { userId } = use;
      const db = await database();
      const user = await findUser(db, 'id', userId);
      if (user === null) return { outcome: 'refused' };
      await endPrevious(header);
      if (!withSecondFactor && (await columnsOf(db, userId, ['two_factor_enabled']))?.two_factor_enabled) {
        const { challenge, setCookie } = await challenges.begin(userId);
        if (!(await identities.recordUse(use))) {
          await challenges.end(challenge);
          return { outcome: 'refused' };
        }
        return { outcome: 'second_factor_needed', setCookies: [setCookie] };
      }
      const token = await sessions.begin(userId, { withSecondFactor });
      if (token === null) return { outcome: 'refused' };
      // After the session has begun: a withdrawal or disconnection changes the identity first, then ends the sessions.
      if (!(await identities.recordUse(use))) {
        await sessions.end(token);
        return { outcome: 'refused' };
      }
      return {
        outcome: 'signed_in',
        setCookies: [cookies.keep(cookies.names.session, token, STAFF_SESSION.seconds)],
      };
    },

    async confirmSession(visitor) {
      const token = cookies.read(visitor.cookies, cookies.names.session);
      const confirmedAt = token === null ? null : await sessions.confirm(token);
      if (token === null || confirmedAt === null) return { outcome: 'refused' };
      return { outcome: 'confirmed', setCookies: [confirmations.give(token, confirmedAt)] };
    },
  };
}

function unavailable(cause: unknown): ProviderUnavailable {
  return { outcome: 'unavailable', reason: hasFault(cause) ? 'no_answer' : 'invalid_answer', cause };
}
