import type { RateLimiter } from '@countersign/domain';
import {
  type PasskeyCheck,
  type PasskeyRefused,
  type Passkeys,
  STAFF_SESSION,
  type User,
  type Visitor,
} from '@countersign/domain/staff';
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import { hasPassword } from '../sign-in/confirm-identity.ts';
import type { AccountsParts } from '../sign-in/parts.ts';
import { isWrong } from '../sign-in/second-factor.ts';
import { createPasskeyChallenges, type PasskeyChallenge } from './passkey-challenges.ts';
import { type RelyingParty, relyingPartyOf } from './relying-party.ts';
import {
  deletePasskey,
  findPasskey,
  insertPasskey,
  listPasskeys,
  recordPasskeyUse,
  type StoredPasskey,
} from './stored-passkeys.ts';

/** Implements `Passkeys` with @simplewebauthn/server, loaded on first use. Null where the address allows no passkeys. */
export function createPasskeys(
  parts: AccountsParts,
  { rateLimiter, publicBaseUrl }: { readonly rateLimiter: RateLimiter; readonly publicBaseUrl: string },
): Passkeys | null {
  const party = relyingPartyOf(publicBaseUrl);
  if (party === null) return null;
  const { database, kind, sessions, cookies, attempts, clock, appName } = parts;
  const challenges = createPasskeyChallenges(cookies, clock, rateLimiter);
  const pendingSignIn = ({ cookies: header }: Visitor) => parts.challenges.find(header);

  /** Checks a passkey's answer to a challenge. */
  async function check(
    response: string,
    expected: PasskeyChallenge,
    relyingParty: RelyingParty,
  ): Promise<{ stored: StoredPasskey; to: number } | PasskeyRefused> {
    const answer = answerIn(response);
    if (answer === null) return refused('response');
    const stored = await findPasskey(await database(), answer.id);
    if (stored === null) return refused('passkey');
    const { user, counter } = stored;
    const isOther = expected.userId !== null && expected.userId !== user.id;
    if (isOther || !isHandleOf(user, answer)) return refused('passkey', user);
    const to = await verifiedCounter(answer, stored, expected.challenge, relyingParty);
    if (to === null) return refused('response', user);
    // Authenticators without a counter always send 0.
    if (counter > 0 && to <= counter) return refused('counter', user);
    return { stored, to };
  }

  return {
    async list(userId) {
      const listed = await listPasskeys(await database(), userId);
      return listed.map(({ credentialId: _, ...passkey }) => passkey);
    },

    async begin(visitor, purpose) {
      const pending = purpose === 'sign_in' ? null : await pendingSignIn(visitor);
      if (purpose === 'second_factor' && pending === null) return null;
      const userId = pending?.userId ?? null;
      const known = userId === null ? [] : await listPasskeys(await database(), userId);
      if (userId !== null && known.length === 0) return null;
      const { generateAuthenticationOptions } = await import('@simplewebauthn/server');
      const options: PublicKeyCredentialRequestOptionsJSON = await generateAuthenticationOptions({
        rpID: party.id,
        userVerification: 'required',
        allowCredentials: known.map(({ credentialId: id }) => ({ id })),
      });
      const { challenge } = options;
      return {
        options: JSON.stringify(options),
        setCookies: [challenges.keep({ challenge, purpose, userId })],
      };
    },

    async finish(visitor, { purpose, response }) {
      const expected = await challenges.take(visitor.cookies, purpose);
      if (typeof expected === 'string') return refused(expected);
      // The pending sign-in has ended, or is another user's.
      if (purpose === 'second_factor' && (await pendingSignIn(visitor))?.userId !== expected.userId) {
        return refused('request');
      }
      const verify = {
        async run() {
          const checked = await check(response, expected, party);
          if ('outcome' in checked) return checked;
          const { id: passkeyId, user, counter: from } = checked.stored;
          const counter = { from, to: checked.to };
          const withPassword = await hasPassword(parts, user.id);
          return { outcome: 'verified' as const, purpose, user, passkeyId, hasPassword: withPassword, counter };
        },
        isWrong,
      };
      return expected.userId === null
        ? attempts.withPasskey(visitor, verify)
        : attempts.withCode(visitor, expected.userId, verify);
    },

    async startSession(visitor, { purpose, user, passkeyId, counter }) {
      if (purpose === 'second_factor') {
        const pending = await pendingSignIn(visitor);
        if (pending?.userId !== user.id || !(await parts.challenges.end(pending.challenge))) {
          return { outcome: 'refused' };
        }
      }
      const token = await sessions.begin(user.id, { withSecondFactor: true });
      if (token === null) return { outcome: 'refused' };
      // After the session has begun: a withdrawal or a reset deletes the passkey first, then ends the session.
      if (!(await recordPasskeyUse(await database(), passkeyId, { counter, now: clock.now() }))) {
        await sessions.end(token);
        return { outcome: 'refused' };
      }
      const previous = cookies.read(visitor.cookies, cookies.names.session);
      if (previous !== null) await sessions.end(previous);
      await sessions.sweep();
      const setCookies = [
        challenges.ended,
        cookies.removal(cookies.names.challenge),
        cookies.keep(cookies.names.session, token, STAFF_SESSION.seconds),
        ...(await parts.devices.remember(visitor.cookies, { userId: user.id })),
      ];
      return { outcome: 'signed_in', setCookies };
    },

    async beginAdding(_, { id, email, name }) {
      const { generateRegistrationOptions } = await import('@simplewebauthn/server');
      const known = await listPasskeys(await database(), id);
      const options = await generateRegistrationOptions({
        rpName: appName,
        rpID: party.id,
        userID: new TextEncoder().encode(id),
        userName: email,
        userDisplayName: name,
        attestationType: 'none',
        excludeCredentials: known.map(({ credentialId }) => ({ id: credentialId })),
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      });
      const { challenge } = options;
      return {
        options: JSON.stringify(options),
        setCookies: [challenges.keep({ challenge, purpose: 'add', userId: id })],
      };
    },

    async finishAdding(visitor, { user, name, response }) {
      const token = cookies.read(visitor.cookies, cookies.names.session);
      const expected = await challenges.take(visitor.cookies, 'add');
      if (typeof expected === 'string') return refused(expected, user);
      if (token === null || expected.userId !== user.id) return refused('request', user);
      return attempts.inSession(token, 'code', {
        async run() {
          const credential = await newCredential(response, expected.challenge, party);
          if (credential === null) return refused('response', user);
          const db = await database();
          const passkey = await insertPasskey(db, { userId: user.id, name, ...credential }, { clock, kind });
          if (passkey === 'refused') return refused('passkey', user);
          if (passkey === 'too_many') return { outcome: 'too_many' as const };
          return { outcome: 'added' as const, passkey, setCookies: [challenges.ended] };
        },
        isWrong,
      });
    },

    remove: async (userId, passkeyId) => deletePasskey(await database(), userId, passkeyId),
  };
}

function refused(check: PasskeyCheck, user: User | null = null): PasskeyRefused {
  return { outcome: 'refused', check, user };
}

/** Parses the JSON of a credential; null if it has no id. The library checks the rest. */
function answerIn(response: string): { readonly id: string } | null {
  try {
    const answer = JSON.parse(response) as { readonly id?: unknown } | null;
    return typeof answer?.id === 'string' ? { ...answer, id: answer.id } : null;
  } catch {
    return null;
  }
}

/** Returns whether the authenticator names this user, as passkeys do, or no user. */
function isHandleOf(user: User, answer: object): boolean {
  const { userHandle } = (answer as Partial<AuthenticationResponseJSON>).response ?? {};
  return userHandle === undefined || userHandle === Buffer.from(user.id).toString('base64url');
}

/** Returns the signature counter of a valid answer; null for an invalid one. */
async function verifiedCounter(
  answer: { readonly id: string },
  { credentialId, publicKey }: StoredPasskey,
  expectedChallenge: string,
  { id, origin }: RelyingParty,
): Promise<number | null> {
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server');
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: answer as AuthenticationResponseJSON,
      expectedChallenge,
      expectedOrigin: origin,
      expectedRPID: id,
      requireUserVerification: true,
      // The caller compares the counters once the signature is verified.
      credential: { id: credentialId, publicKey: Buffer.from(publicKey, 'base64url'), counter: 0 },
    });
    return verified ? authenticationInfo.newCounter : null;
  } catch {
    // The library throws for each check that fails.
    return null;
  }
}

/** Returns the credential of a valid answer; null for an invalid one. */
async function newCredential(
  response: string,
  expectedChallenge: string,
  { id, origin }: RelyingParty,
): Promise<{ credentialId: string; publicKey: string; counter: number } | null> {
  const answer = answerIn(response);
  if (answer === null) return null;
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server');
  try {
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: answer as RegistrationResponseJSON,
      expectedChallenge,
      expectedOrigin: origin,
      expectedRPID: id,
      requireUserVerification: true,
    });
    if (!verified) return null;
    const { id: credentialId, publicKey, counter } = registrationInfo.credential;
    return { credentialId, publicKey: Buffer.from(publicKey).toString('base64url'), counter };
  } catch {
    // The library throws for each check that fails.
    return null;
  }
}
