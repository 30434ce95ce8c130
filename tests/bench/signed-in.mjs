import { randomBytes } from 'node:crypto';
import { countersign } from './programs.mjs';

/** Of the measured servers, which are reached by other addresses. */
export const PUBLIC_BASE_URL = 'https://verify.example';

/**
 * Creates a user and sets a password by the link of the invitation.
 * @param {{ port: number }} server on the database of the command line
 * @param {Record<string, string>} env of the command line
 * @param {readonly string[]} role options of `user create`
 * @returns {Promise<string>} the session as a `Cookie` header
 */
export async function signedIn({ port }, env, role) {
  const email = `${randomBytes(4).toString('hex')}@bench.example`;
  const { signInUrl = '' } = await countersign(
    { ...env, PUBLIC_BASE_URL },
    'user',
    'create',
    '--email',
    email,
    ...role,
  );
  const password = randomBytes(16).toString('hex');
  const response = await fetch(`http://127.0.0.1:${port}${new URL(signInUrl).pathname}`, {
    method: 'POST',
    redirect: 'manual',
    // On a busy machine, the command takes longer than the server keeps the connection of the call before.
    headers: { Origin: PUBLIC_BASE_URL, Connection: 'close' },
    body: new URLSearchParams({ password, repeat: password }),
  });
  if (response.status !== 303) throw new Error(`the invitation was answered with ${response.status}`);
  return cookiesOf(response);
}

/** @param {Response} response @returns {string} what it sets, as a `Cookie` header */
export function cookiesOf(response) {
  return response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';', 1)[0])
    .join('; ');
}
