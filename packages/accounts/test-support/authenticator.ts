import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

/** What an authenticator does otherwise than it should. */
export interface Deviation {
  readonly origin?: string;
  readonly rpId?: string;
  readonly challenge?: string;
  /** Whether it has verified the user (default). */
  readonly verifiesUser?: boolean;
  /** The counter that it sends in place of the next one. */
  readonly counter?: number;
  /** The key that it signs with in place of its own. */
  readonly key?: KeyObject;
  /** Default: the handle of its user. `null` leaves it out. */
  readonly userHandle?: string | null;
}

/** An authenticator in software with one passkey (ES256, no attestation). */
export interface Authenticator {
  /** Creates the passkey. @param options JSON of the service. Returns the JSON of the credential. */
  create(options: string, deviation?: Deviation): string;
  /** Signs a challenge. */
  get(options: string, deviation?: Deviation): string;
}

const [PRESENT, VERIFIED, WITH_CREDENTIAL] = [0x01, 0x04, 0x40];

export function newAuthenticator(origin = 'https://verify.example'): Authenticator {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const id = randomBytes(32);
  let counter = 0;
  let user = '';

  function clientData(type: string, options: { challenge: string }, deviation: Deviation): Buffer {
    const challenge = deviation.challenge ?? options.challenge;
    return Buffer.from(
      JSON.stringify({ type, challenge, origin: deviation.origin ?? origin, crossOrigin: false }),
    );
  }

  function authenticatorData(rpId: string, more: number, deviation: Deviation, credential = Buffer.alloc(0)) {
    const counted = Buffer.alloc(4);
    counter += 1;
    counted.writeUInt32BE(deviation.counter ?? counter);
    const flags = PRESENT | (deviation.verifiesUser === false ? 0 : VERIFIED) | more;
    return Buffer.concat([sha256(deviation.rpId ?? rpId), Buffer.from([flags]), counted, credential]);
  }

  const credentialOf = (response: Record<string, string>): string =>
    JSON.stringify({
      id: id.toString('base64url'),
      rawId: id.toString('base64url'),
      type: 'public-key',
      clientExtensionResults: {},
      response,
    });

  return {
    create(json, deviation = {}) {
      const options = JSON.parse(json) as { challenge: string; rp: { id: string }; user: { id: string } };
      user = options.user.id;
      const client = clientData('webauthn.create', options, deviation);
      const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
      // COSE: kty EC2, alg ES256, crv P-256, x, y.
      const key = Buffer.concat([
        Buffer.from('a5010203262001215820', 'hex'),
        Buffer.from(x, 'base64url'),
        Buffer.from('225820', 'hex'),
        Buffer.from(y, 'base64url'),
      ]);
      const credential = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, key]);
      const data = authenticatorData(options.rp.id, WITH_CREDENTIAL, deviation, credential);
      // CBOR: {"fmt": "none", "attStmt": {}, "authData": bytes}.
      const attestation = Buffer.concat([
        Buffer.from('a363666d74646e6f6e656761747453746d74a0686175746844617461', 'hex'),
        Buffer.from([0x58, data.length]),
        data,
      ]);
      return credentialOf({
        clientDataJSON: client.toString('base64url'),
        attestationObject: attestation.toString('base64url'),
      });
    },

    get(json, deviation = {}) {
      const options = JSON.parse(json) as { challenge: string; rpId: string };
      const client = clientData('webauthn.get', options, deviation);
      const data = authenticatorData(options.rpId, 0, deviation);
      const signed = Buffer.concat([data, createHash('sha256').update(client).digest()]);
      return credentialOf({
        clientDataJSON: client.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: sign('sha256', signed, deviation.key ?? privateKey).toString('base64url'),
        ...(deviation.userHandle !== null && { userHandle: deviation.userHandle ?? user }),
      });
    },
  };
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
