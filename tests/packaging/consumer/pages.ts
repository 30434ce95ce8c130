import { createCountersign } from '@countersign/domain';
import type { SignIn } from '@countersign/domain/staff';
import {
  createCountingIds,
  createCountingSecrets,
  createFixedClock,
  createMemoryEvidenceStore,
  createMemoryRateLimiter,
  createMemoryStorage,
  createTrustingIntake,
} from '@countersign/memory';
import { createWeb } from '@countersign/web';
import { Hono } from 'hono';

const publicBaseUrl = 'https://verify.example';
const clock = createFixedClock();
const secrets = createCountingSecrets();
const countersign = createCountersign(
  {
    storage: createMemoryStorage(),
    sealing: 'none',
    rateLimiter: createMemoryRateLimiter(clock),
    clock,
    ids: createCountingIds(),
    secrets,
    evidence: { store: createMemoryEvidenceStore(), intake: createTrustingIntake() },
  },
  { publicBaseUrl },
);

// Your own sign-in identifies the reviewer by its session, or by what a proxy in front of it sends.
const signIn: SignIn = {
  signInPath: '/login',
  signOutPath: '/logout',
  confirmPath: '/confirm',
  async identify(cookies) {
    if (cookies !== 'session=of-rita') return null;
    const user = {
      id: 'rita',
      email: 'rita@example.org',
      name: 'Rita',
      role: 'reviewer',
      clientId: null,
      teamRole: null,
    } as const;
    return { user, signedInAt: clock.now(), withSecondFactor: true, confirmedAt: null };
  },
  nameOf: async (userId) => (userId === 'rita' ? 'Rita' : null),
};

const app = new Hono()
  .get('/login', (context) => context.text('Our own sign-in'))
  .route(
    '/',
    createWeb({
      countersign,
      signIn,
      secrets,
      clock,
      publicBaseUrl,
      clientAddress: () => '192.0.2.1',
      onFault: (fault) => console.error(fault),
    }),
  );

const { client } = await countersign.clients.create({ name: 'Acme', plan: 'standard' });
const { value: key } = await countersign.apiKeys.issue(client.id, { permissions: ['*'] });
const { verification } = await countersign.verifications.create(await countersign.authenticate(key), {
  subjectType: 'kyc',
  subjectReference: 'user_1',
});

// The subject's link starts a session and redirects to the pages; a signed-in reviewer sees the console.
const opened = await app.request(verification.verificationUrl);
const Cookie = opened.headers.get('set-cookie') ?? '';
const page = await app.request(opened.headers.get('location') ?? '', { headers: { Cookie } });
const stranger = await app.request('/review');
const reviewer = await app.request('/review', { headers: { Cookie: 'session=of-rita' } });
console.log([opened, page, stranger, reviewer].map(({ status }) => status).join(' '));
