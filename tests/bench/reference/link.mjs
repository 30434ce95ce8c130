import { createHmac, createSecretKey } from 'node:crypto';

/**
 * Returns a function that builds verification links.
 * @param {{ secret: Uint8Array, publicBaseUrl: string }} options
 * @returns {(id: string, version: number) => string}
 */
export function createLinks({ secret, publicBaseUrl }) {
  const key = createSecretKey(secret);
  return (id, version) => {
    const token = createHmac('sha256', key).update(`${id}.${version}`).digest('base64url');
    return `${publicBaseUrl}/verify/${id}.${token}`;
  };
}
