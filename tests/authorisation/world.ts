import { type AuditEntry, type Caller, type Countersign, createCountersign } from '@countersign/domain';
import { type ActionEntry, createWebhook, holdVerification } from '@countersign/domain/actions';
import type { EvidenceKind } from '@countersign/domain/evidence';
import type { StaffSession, User } from '@countersign/domain/staff';
import type { Storage, StoragePart } from '@countersign/domain/storage';
import { createApi } from '@countersign/http';
import {
  createCountingIds,
  createCountingSecrets,
  createFixedClock,
  createMemoryAccounts,
  createMemoryEvidenceStore,
  createMemoryRateLimiter,
  createMemoryStorage,
  createTrustingIntake,
  type FixedClock,
  type MemoryAccounts,
} from '@countersign/memory';
import { sampleAnswers } from '@countersign/test-support/service/answers';
import { newJpeg } from '@countersign/test-support/service/new-files';
import { createWeb } from '@countersign/web';
import { Hono } from 'hono';
import { TEST_DASHBOARD } from './guards.ts';

const ORIGIN = 'https://verify.example';
export const API_PATH = '/api/v1';
const ADDRESS = '192.0.2.1';
/** What the endpoint answers to a test. */
const RECEIVED = {
  status: 204,
  verdict: 'accepted',
  retryAfterSeconds: null,
  text: '',
  fault: null,
  durationMs: 1,
} as const;
const DAY_MS = 24 * 60 * 60 * 1000;

/** A name that only the first client's verification holds. No refused page may show it. */
export const SECRET_NAME = 'Philippa';

/** Users who sign in. */
const USERS: readonly (Pick<User, 'id' | 'role' | 'teamRole'> & {
  readonly client: 'own' | 'other' | null;
})[] = [
  { id: 'owner', role: 'client', teamRole: 'owner', client: 'own' },
  { id: 'agent', role: 'client', teamRole: 'agent', client: 'own' },
  { id: 'viewer', role: 'client', teamRole: 'viewer', client: 'own' },
  { id: 'foreign', role: 'client', teamRole: 'owner', client: 'other' },
  { id: 'reviewer', role: 'reviewer', teamRole: null, client: null },
  { id: 'operator', role: 'operator', teamRole: null, client: null },
];

export type KeyName = 'create' | 'read' | 'all' | 'revoked' | 'expired' | 'other client' | 'no subscription';
export type SubjectName = 'current' | 'expired' | 'foreign';

/** The whole service in one process, on storage in memory, with two clients and all that routes are about. */
export interface World {
  readonly app: Hono;
  /** The pages, for their routes. */
  readonly pages: Hono;
  /** Makes the pages on the same data for a storage that lacks parts. */
  pagesWithout(missing: readonly StoragePart[]): Hono;
  readonly countersign: Countersign;
  readonly clock: FixedClock;
  /** API keys by what is special about them. */
  readonly keys: Readonly<Record<KeyName, string>>;
  /** Paths of links. */
  readonly links: Readonly<Record<SubjectName, string>>;
  /** Values of the parameters of routes: ids of the first client. */
  readonly parameters: Readonly<Record<string, string>>;
  /** The same in test mode: ids of the first client's test twin. */
  readonly testParameters: Readonly<Record<string, string>>;
  readonly verificationId: string;
  /** Begins a session. Returns its `Cookie` header. */
  signIn(userId: string, options: { withSecondFactor: boolean; isConfirmed: boolean }): string;
  /** Returns the session of a `Cookie` header. */
  session(cookie: string): Promise<StaffSession | null>;
  /** What the catalogue says about a caller. */
  may(session: StaffSession, action: ActionEntry): 'yes' | 'after_confirmation' | 'no';
  /** Returns the sequence number of the newest entry of the audit log. */
  auditHead(): Promise<number>;
  /** Returns the entries after a sequence number. */
  audit(after: number): Promise<readonly AuditEntry[]>;
}

export async function givenWorld(): Promise<World> {
  const clock = createFixedClock('2026-03-01T10:00:00.000Z');
  const ids = createCountingIds();
  const secrets = createCountingSecrets();
  const accounts = createMemoryAccounts({ clock, ids });
  const storage = createMemoryStorage();
  const ports = {
    storage,
    sealing: 'none' as const,
    rateLimiter: createMemoryRateLimiter(clock),
    clock,
    ids,
    secrets,
    evidence: { store: createMemoryEvidenceStore({ now: clock.now }), intake: createTrustingIntake() },
    logos: createTrustingIntake(),
    staff: accounts.staff,
    webhookSender: { send: async () => RECEIVED },
  };
  const countersign = createCountersign(ports, { publicBaseUrl: ORIGIN });
  const own = (await countersign.clients.create({ name: 'Acme', plan: 'enterprise' })).client.id;
  const other = (await countersign.clients.create({ name: 'Other', plan: 'enterprise' })).client.id;
  const lapsed = (await countersign.clients.create({ name: 'Lapsed', plan: 'none' })).client.id;
  for (const id of [own, other, lapsed]) await countersign.clients.setFileAccess(id, true);
  const addUser = addUserTo(accounts, { own, other });
  for (const user of USERS) addUser(user);
  const target = await accounts.staff.create({
    email: 'target@example.org',
    name: 'Target',
    role: 'client',
    clientId: own,
    teamRole: 'viewer',
  });
  if (target.outcome === 'exists') throw new Error('The e-mail address is in use');

  const issue = async (clientId: string, permissions: readonly string[], expiresInDays?: 30) =>
    await countersign.apiKeys.issue(clientId, { permissions: [...permissions] as ['*'], expiresInDays });
  const expired = await issue(own, ['*'], 30);
  const expiredLink = await createFor(countersign, expired.value, 'expired');
  clock.advance(31 * DAY_MS);
  const all = await issue(own, ['*']);
  const revoked = await issue(own, ['*']);
  await countersign.apiKeys.revoke(own, revoked.key.id);
  const otherAll = await issue(other, ['*']);

  const testTwin = (await countersign.clients.testTwin(own)).id;
  const testKey = await issue(testTwin, ['*']);
  const cookie = accounts.signedIn('owner', { withSecondFactor: true, confirmedAt: clock.now() });
  const session = await accounts.identify(cookie);
  if (session === null) throw new Error('The owner is not signed in');
  const service = { countersign, storage, clock };
  const owner = userCaller(session);
  const ofLive = await givenDelivery(service, { clientId: own, key: all.value, owner });
  const ownerInTestMode = { ...owner, mode: 'test' } as const;
  const ofTest = await givenDelivery(service, {
    clientId: testTwin,
    key: testKey.value,
    owner: ownerInTestMode,
  });
  const { current } = ofLive;

  const foreign = await createFor(countersign, otherAll.value, 'foreign');
  const fileId = await answerFirstSteps(countersign, current.reference);
  const testFileId = await answerFirstSteps(countersign, ofTest.current.reference);

  const onFault = (fault: unknown): never => {
    throw fault;
  };
  const api = createApi(countersign, { clientAddress: () => ADDRESS, newRequestId: () => ids.next(), onFault });
  const pagesOf = (core: Countersign): Hono =>
    createWeb({
      countersign: core,
      signIn: accounts,
      accounts,
      secrets,
      clock,
      publicBaseUrl: ORIGIN,
      clientAddress: () => ADDRESS,
      requireSecondFactor: true,
      onFault,
    });
  const pages = pagesOf(countersign);

  return {
    app: new Hono().route(API_PATH, api).route('/', pages),
    pages,
    pagesWithout(missing) {
      const lacking = { ...storage, ...Object.fromEntries(missing.map((part) => [part, undefined])) };
      const settings = { publicBaseUrl: ORIGIN, withoutErasure: missing.includes('retention') };
      return pagesOf(createCountersign({ ...ports, storage: lacking }, settings));
    },
    countersign,
    clock,
    keys: {
      create: (await issue(own, ['verifications:create'])).value,
      read: (await issue(own, ['verifications:read'])).value,
      all: all.value,
      revoked: revoked.value,
      expired: expired.value,
      'other client': otherAll.value,
      'no subscription': (await issue(lapsed, ['*'])).value,
    },
    links: { current: current.path, expired: expiredLink.path, foreign: foreign.path },
    parameters: {
      id: current.id,
      verificationId: current.id,
      fileId,
      clientId: own,
      keyId: all.key.id,
      endpointId: ofLive.endpointId,
      eventId: ofLive.eventId,
      // A user of the first client's team who has not joined yet.
      userId: target.user.id,
      token: await accounts.invite(target.user.id),
      slug: 'consent',
      page: '1',
      link: 'unknown.link',
      code: '0'.repeat(32),
    },
    testParameters: {
      verificationId: ofTest.current.id,
      fileId: testFileId,
      keyId: testKey.key.id,
      endpointId: ofTest.endpointId,
      eventId: ofTest.eventId,
      page: '1',
    },
    verificationId: current.id,
    signIn: (userId, { withSecondFactor, isConfirmed }) =>
      accounts.signedIn(userId, { withSecondFactor, confirmedAt: isConfirmed ? clock.now() : null }),
    session: (cookie) => accounts.identify(cookie),
    may: (session, action) => countersign.as(userCaller(session)).may(action),
    auditHead: async () => (await storage.audit.head())?.sequence ?? 0,
    audit: (after) => storage.audit.read(after, 100_000),
  };
}

/** Returns the path of a route with the ids of the world in it. */
export function pathOf({ parameters, testParameters }: World, template: string): string {
  const values = template.startsWith(`${TEST_DASHBOARD}/`) ? testParameters : parameters;
  return template.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '');
}

/** Creates an endpoint, a verification that an owner holds, and a delivery of its event. */
async function givenDelivery(
  { countersign, storage, clock }: { countersign: Countersign; storage: Storage; clock: FixedClock },
  { clientId, key, owner }: { clientId: string; key: string; owner: Caller },
) {
  const { endpoint } = await countersign.as({ kind: 'command_line' }).run(createWebhook, {
    clientId,
    name: 'shop',
    url: 'https://shop.example/hooks',
    types: ['verification.created'],
  });
  const current = await createFor(countersign, key, 'current');
  await countersign.as(owner).run(holdVerification, { verificationId: current.id, reason: 'a court order' });
  await storage.webhooks.fanOut({ now: clock.now(), limit: 10 });
  const log = { clientId, endpointId: endpoint.id, state: undefined, after: undefined, limit: 1 };
  const [delivery] = await storage.webhooks.deliveries(log);
  return { current, endpointId: endpoint.id, eventId: delivery?.eventId ?? '' };
}

function userCaller(session: StaffSession): Caller & { readonly kind: 'user' } {
  return { kind: 'user', session, from: ADDRESS };
}

function addUserTo(accounts: MemoryAccounts, clients: Readonly<Record<'own' | 'other', string>>) {
  return ({ id, role, teamRole, client }: (typeof USERS)[number]): void => {
    const clientId = client === null ? null : clients[client];
    accounts.add({ id, role, teamRole, clientId, email: `${id}@example.org`, name: id }, 'correct horse battery');
  };
}

async function createFor(countersign: Countersign, key: string, subjectReference: string) {
  const principal = await countersign.authenticate(key, { countRequest: false });
  const input = { subjectType: 'kyc', subjectReference };
  const { verification } = await countersign.verifications.create(principal, input);
  const path = verification.verificationUrl.slice(ORIGIN.length);
  return { id: verification.id, path, reference: path.slice('/verify/'.length) };
}

/** Answers the steps up to the person, whose name is the secret. Returns the id of an uploaded file. */
async function answerFirstSteps({ subject }: Countersign, reference: string): Promise<string> {
  const { access, verification } = await subject.open(reference);
  const upload = async (kind: EvidenceKind) =>
    (await subject.uploadFile(access, { step: 'document', kind }, jpeg())).file.id;
  for (const step of ['consent', 'document', 'person'] as const) {
    const answers = await sampleAnswers(verification, step, upload);
    if (step === 'document') await upload('document_back');
    const own = step === 'person' ? { firstName: SECRET_NAME } : null;
    await subject.completeStep(access, step, { ...answers, ...own });
  }
  return (await subject.read(access)).files[0]?.id ?? '';
}

async function* jpeg(): AsyncGenerator<Uint8Array> {
  yield newJpeg();
}
