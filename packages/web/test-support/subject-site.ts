import {
  type Countersign,
  createCountersign,
  type DocumentReader,
  type NewVerification,
  type SubjectType,
} from '@countersign/domain';
import type { EvidenceIntake } from '@countersign/domain/evidence';
import type { Storage, StoragePart } from '@countersign/domain/storage';
import {
  createCountingIds,
  createCountingSecrets,
  createFixedClock,
  createMemoryEvidenceStore,
  createMemoryRateLimiter,
  createMemoryStorage,
  createTrustingIntake,
  type FixedClock,
} from '@countersign/memory';
import { NO_SIGN_IN } from '@countersign/test-support/pages/no-sign-in';
import { askAll } from '@countersign/test-support/service/flow-settings';
import type { Hono } from 'hono';
import { createWeb } from '../src/web.tsx';

export const ORIGIN = 'https://verify.example';
export const BASE = '/countersign';

type Verifications = Storage['verifications'];

/** The pages with in-memory storage and one new verification. */
export interface SubjectSite {
  readonly app: Hono;
  readonly clock: FixedClock;
  readonly countersign: Countersign;
  readonly id: string;
  readonly clientId: string;
  readonly faults: readonly unknown[];
  /** Templates of the routes that answered. */
  readonly routes: readonly string[];
  /** Returns the reference of the current link, which a reviewer may have renewed. */
  reference(): Promise<string>;
  /** Counts the stored contents of files. */
  storedFiles(): Promise<number>;
}

export interface SubjectSiteOptions {
  readonly type?: SubjectType;
  /** The version of the flow that the verification began with; default the current one. */
  readonly flowVersion?: number | undefined;
  readonly intake?: EvidenceIntake;
  readonly acceptsHeic?: boolean;
  /** Whether the client's settings ask for everything that they can, as by default, or for nothing more, as for a new client. */
  readonly asksAll?: boolean | undefined;
  /** More fields of the creation. The client `Acme Bank` permits return URLs below `https://acme.example/kyc`. */
  readonly creation?: Pick<NewVerification, 'returnUrl' | 'locale'>;
  /** Reads the pictures of documents; by default, nothing is read. */
  readonly reader?: DocumentReader | undefined;
  /** Parts that the storage lacks; by default, none. */
  readonly missing?: readonly StoragePart[];
  /** Replaces operations of the storage. */
  readonly verifications?: (stored: Verifications) => Verifications;
}

export async function givenSubjectSite(options: SubjectSiteOptions = {}): Promise<SubjectSite> {
  const {
    type = 'kyc',
    flowVersion,
    intake = createTrustingIntake(),
    acceptsHeic,
    asksAll = true,
    creation,
    reader,
    missing = [],
    verifications = (stored) => stored,
  } = options;
  const clock = createFixedClock();
  const secrets = createCountingSecrets();
  const storage = createMemoryStorage();
  const store = createMemoryEvidenceStore();
  const ports = {
    storage: {
      ...storage,
      verifications: verifications(storage.verifications),
      ...Object.fromEntries(missing.map((part) => [part, undefined])),
    },
    sealing: 'none',
    rateLimiter: createMemoryRateLimiter(clock),
    clock,
    ids: createCountingIds(),
    secrets,
    evidence: { store, intake },
    logos: createTrustingIntake(),
    reader,
  } as const;
  const settings = { publicBaseUrl: ORIGIN + BASE, withoutErasure: missing.includes('retention') };
  const countersign = createCountersign(ports, settings);
  const { client } = await countersign.clients.create({ name: 'Acme Bank', plan: 'standard' });
  await countersign.clients.setReturnAddresses(client.id, ['https://acme.example/kyc']);
  if (asksAll) await askAll(countersign, client.id);
  const key = await countersign.apiKeys.issue(client.id, { permissions: ['*'] });
  const principal = await countersign.authenticate(key.value, { countRequest: false });
  // A server of before the later versions created it.
  const creator = createCountersign(ports, { ...settings, flowVersion });
  const { verification } = await creator.verifications.create(principal, {
    subjectType: type,
    subjectReference: 'user_1',
    ...creation,
  });
  const faults: unknown[] = [];
  const routes: string[] = [];
  const app = createWeb({
    countersign,
    signIn: NO_SIGN_IN,
    secrets,
    clock,
    publicBaseUrl: ORIGIN + BASE,
    clientAddress: () => '192.0.2.1',
    acceptsHeic,
    onFault: (fault) => void faults.push(fault),
    onResponse: ({ method, path }) => void routes.push(`${method} ${path}`),
  });
  return {
    app,
    clock,
    countersign,
    id: verification.id,
    clientId: client.id,
    faults,
    routes,
    async reference() {
      const { verificationUrl } = await countersign.verifications.get(principal, verification.id);
      return verificationUrl.slice(verificationUrl.lastIndexOf('/') + 1);
    },
    async storedFiles() {
      let count = 0;
      for await (const _ of store.listWrittenBefore(new Date(8.64e15))) count += 1;
      return count;
    },
  };
}
