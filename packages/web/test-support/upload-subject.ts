import {
  type Countersign,
  createCountersign,
  type EvidenceIntake,
  type EvidenceStore,
  type SubjectAccess,
  type Verification,
} from '@countersign/domain';
import {
  createCountingIds,
  createCountingSecrets,
  createFixedClock,
  createMemoryEvidenceStore,
  createMemoryRateLimiter,
  createMemoryStorage,
  createTrustingIntake,
} from '@countersign/memory';
import type { Hono } from 'hono';
import { createWeb } from '../src/web.tsx';
import { BOUNDARY } from './upload-body.ts';

export const ORIGIN = 'https://verify.example';
const BASE = '/countersign';

/** A subject who has opened the link in a browser, over storage in memory at a moment that stands still. */
export interface GivenSubject {
  readonly app: Hono;
  readonly countersign: Countersign;
  readonly clock: ReturnType<typeof createFixedClock>;
  readonly id: string;
  readonly access: SubjectAccess;
  readonly cookie: string;
  readonly faults: readonly unknown[];
  /** The same subject with the link as it is now, which a reviewer may have renewed. */
  reopened(): Promise<GivenSubject>;
  /** How many contents of files are kept. */
  storedFiles(): Promise<number>;
  /** The verification as it is now. */
  read(): Promise<Verification>;
  /** A GET of a page below the verification's address, in English unless headers say otherwise. */
  get(page: string, headers?: Record<string, string>): Promise<Response>;
  /** Sends a multipart form. */
  upload(
    page: string,
    body: Uint8Array<ArrayBuffer> | ReadableStream,
    headers?: Record<string, string>,
  ): Promise<Response>;
  /** Sends a plain form. */
  post(page: string, fields: Record<string, string>): Promise<Response>;
}

export interface GivenSubjectOptions {
  readonly type?: 'kyc' | 'kyb';
  readonly intake?: EvidenceIntake;
}

export async function givenSubject(options: GivenSubjectOptions = {}): Promise<GivenSubject> {
  const { type = 'kyc', intake = createTrustingIntake() } = options;
  const clock = createFixedClock();
  const secrets = createCountingSecrets();
  const store: EvidenceStore = createMemoryEvidenceStore();
  const countersign = createCountersign(
    {
      storage: createMemoryStorage(),
      rateLimiter: createMemoryRateLimiter(clock),
      clock,
      ids: createCountingIds(),
      secrets,
      evidence: { store, intake },
    },
    { publicBaseUrl: ORIGIN + BASE },
  );
  const { client } = await countersign.clients.create({ name: 'Acme', plan: 'standard' });
  const key = await countersign.apiKeys.issue(client.id, { permissions: ['*'] });
  const principal = await countersign.authenticate(key.value);
  const { verification } = await countersign.verifications.create(principal, {
    subjectType: type,
    subjectReference: 'user_1',
  });
  const { id } = verification;

  const faults: unknown[] = [];
  const app = createWeb({
    countersign,
    signIn: {
      signInPath: '/account/sign-in',
      signOutPath: '/account/sign-out',
      confirmPath: '/account/confirm',
      identify: async () => null,
      nameOf: async () => null,
    },
    secrets,
    clock,
    publicBaseUrl: ORIGIN + BASE,
    clientAddress: () => '192.0.2.1',
    onFault: (fault) => void faults.push(fault),
  });
  const at = (page: string) => `/verify/${id}/${page}`;

  async function open(): Promise<GivenSubject> {
    const { verificationUrl } = await countersign.verifications.get(principal, id);
    const reference = verificationUrl.slice(verificationUrl.lastIndexOf('/') + 1);
    const { access } = await countersign.subject.open(reference);
    const opened = await app.request(`/verify/${reference}`);
    const cookie = (opened.headers.get('Set-Cookie') ?? '').split(';')[0] ?? '';
    const common = { Cookie: cookie, 'Accept-Language': 'en' };
    const own = { ...common, Origin: ORIGIN, 'Sec-Fetch-Site': 'same-origin' };

    return {
      app,
      countersign,
      clock,
      id,
      access,
      cookie,
      faults,
      reopened: open,
      async storedFiles() {
        let count = 0;
        for await (const _ of store.listWrittenBefore(new Date(8.64e15))) count += 1;
        return count;
      },
      read: () => countersign.subject.read(access),
      get: async (page, headers = {}) => app.request(at(page), { headers: { ...common, ...headers } }),
      upload: async (page, body, headers = {}) =>
        app.request(at(page), {
          method: 'POST',
          headers: { ...own, 'Content-Type': `multipart/form-data; boundary=${BOUNDARY}`, ...headers },
          body,
          // Node asks for it with a body that is a stream.
          ...(body instanceof ReadableStream && { duplex: 'half' }),
        }),
      post: async (page, fields) =>
        app.request(at(page), {
          method: 'POST',
          headers: { ...own, 'Content-Type': 'application/x-www-form-urlencoded' },
          body: new URLSearchParams(fields),
        }),
    };
  }

  return open();
}
