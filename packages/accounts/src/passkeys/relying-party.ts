import { isIP } from 'node:net';

/** This service as authenticators know it (WebAuthn, "Relying Party"). */
export interface RelyingParty {
  /** The domain that passkeys belong to. */
  readonly id: string;
  readonly origin: string;
}

/**
 * Returns the relying party of the service's address. Null where browsers allow no passkeys: at an IP address, and without TLS
 * except on `localhost`.
 */
export function relyingPartyOf(publicBaseUrl: string): RelyingParty | null {
  const { protocol, hostname, origin } = new URL(publicBaseUrl);
  const isAddress = isIP(hostname.replaceAll(/[[\]]/g, '')) !== 0;
  const isSecure = protocol === 'https:' || hostname === 'localhost' || hostname.endsWith('.localhost');
  return isAddress || !isSecure ? null : { id: hostname, origin };
}
