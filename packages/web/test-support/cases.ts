import {
  type Countersign,
  type CountersignPorts,
  type CountersignSettings,
  createCountersign,
  type JsonObject,
  type Principal,
  type SealingSecrets,
  type SubjectAccess,
  type SubjectType,
} from '@countersign/domain';
import type { EvidenceIntake, EvidenceKind, EvidenceWarning } from '@countersign/domain/evidence';
import { type StepKey, stepsOf } from '@countersign/domain/flows';
import type { SampleContext } from '@countersign/domain/testing';
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
import { newDigest, newJpeg } from '@countersign/test-support/service/new-files';
import { type Operations, reviewAs } from '@countersign/test-support/service/operations';

/** A service with one client, whose subjects answer each step. */
export interface GivenCases {
  /** The users who sign in, which the core also manages. */
  readonly accounts: MemoryAccounts;
  readonly ports: CountersignPorts & { readonly clock: FixedClock; readonly secrets: SealingSecrets };
  readonly countersign: Countersign;
  readonly principal: Principal;
  /** The actions of a reviewer. */
  readonly review: Operations['review'];
  /** Creates a submitted verification. `answers` replace single fields, by step. */
  submitted(options?: CaseOptions): Promise<string>;
  /** Creates a pending verification. */
  pending(options?: CaseOptions): Promise<string>;
  /** Answers the open steps and submits. */
  redo(verificationId: string, options?: CaseOptions): Promise<void>;
  /** Opens the subject's link. */
  accessTo(verificationId: string): Promise<SubjectAccess>;
}

export interface CaseOptions {
  readonly type?: SubjectType;
  readonly subjectReference?: string;
  readonly locale?: string | undefined;
  readonly answers?: Readonly<Partial<Record<StepKey, object>>>;
  /** Warnings about the next pictures. */
  readonly flags?: readonly EvidenceWarning[];
}

export const BASE_URL = 'https://verify.example/kyc';

export async function givenCases(
  clientName = 'Acme Bank',
  settings: Partial<CountersignSettings> = {},
  more: Partial<
    Pick<
      CountersignPorts,
      'webhookSender' | 'mailer' | 'numberChecks' | 'reader' | 'recentRequests' | 'serviceStatus'
    >
  > = {},
): Promise<GivenCases> {
  const clock = createFixedClock();
  const flags: EvidenceWarning[] = [];
  const ids = createCountingIds();
  const accounts = createMemoryAccounts({ clock, ids });
  const ports = {
    storage: createMemoryStorage(),
    sealing: 'none' as const,
    rateLimiter: createMemoryRateLimiter(clock),
    clock,
    ids,
    secrets: createCountingSecrets(),
    evidence: { store: createMemoryEvidenceStore(), intake: flaggingIntake(flags) },
    logos: createTrustingIntake(),
    staff: accounts.staff,
    recipients: accounts.staff,
    ...more,
  };
  const countersign = createCountersign(ports, { publicBaseUrl: BASE_URL, ...settings });
  const { client } = await countersign.clients.create({ name: clientName, plan: 'standard' });
  const { value } = await countersign.apiKeys.issue(client.id, { name: 'tests', permissions: ['*'] });
  const principal = await countersign.authenticate(value, { countRequest: false });
  let count = 0;

  async function accessTo(verificationId: string): Promise<SubjectAccess> {
    const { verificationUrl } = await countersign.verifications.get(principal, verificationId);
    return (await countersign.subject.open(verificationUrl.slice(`${BASE_URL}/verify/`.length))).access;
  }

  async function pending({
    type = 'kyc',
    subjectReference = `user_${++count}`,
    locale,
  }: CaseOptions = {}): Promise<string> {
    return (
      await countersign.verifications.create(principal, {
        subjectType: type,
        subjectReference,
        ...(locale !== undefined && { locale }),
      })
    ).verification.id;
  }

  async function redo(
    verificationId: string,
    { answers = {}, flags: shown = [] }: CaseOptions = {},
  ): Promise<void> {
    flags.splice(0, flags.length, ...shown);
    const access = await accessTo(verificationId);
    const before = await countersign.subject.read(access);
    const asked = before.status === 'action_needed' ? before.awaiting : stepsOf(before.flow);
    for (const step of asked) {
      const upload = async (kind: EvidenceKind) =>
        (await countersign.subject.uploadFile(access, { step, kind }, contentOf(kind))).file.id;
      const samples = await sampleAnswers(before, step, upload, OWN_ANSWERS[step]);
      await countersign.subject.completeStep(access, step, { ...samples, ...answers[step] });
    }
    await countersign.subject.submit(access);
  }

  async function submitted(options: CaseOptions = {}): Promise<string> {
    const id = await pending(options);
    await redo(id, options);
    return id;
  }

  const review = reviewAs(countersign);
  return { accounts, ports, countersign, principal, review, submitted, pending, redo, accessTo };
}

/** Accepts every upload, with the current warnings. A PDF has two drawn pages. */
function flaggingIntake(flags: readonly EvidenceWarning[]): EvidenceIntake {
  const trusting = createTrustingIntake();
  return {
    async receive(...upload) {
      const file = await trusting.receive(...upload);
      const pages = file.contentType === 'application/pdf' ? DRAWN_PAGES : [];
      return { ...file, pages, warnings: [...flags] };
    },
  };
}

/** What stands for the drawn pages of a PDF. */
export const DRAWN_PAGES: readonly Uint8Array[] = ['the first page', 'the second page'].map((text) =>
  Uint8Array.from([0xff, 0xd8, 0xff, 0xe0, ...new TextEncoder().encode(text)]),
);

/** Yields the first bytes of a new picture, or of a PDF for an extract. */
async function* contentOf(kind: EvidenceKind): AsyncGenerator<Uint8Array> {
  yield kind === 'registration_extract'
    ? new TextEncoder().encode(`%PDF-1.7 extract ${newDigest().slice(-3)}`)
    : newJpeg();
}

const grace = { firstName: 'Grace', lastName: 'Hopper', dateOfBirth: '1986-12-09', nationality: 'US' };
const idCard = { type: 'id_card', number: 'L01X00T47', expiresOn: '2031-05-31' };

/** Answers that tests expect on the pages. All others are samples. */
const OWN_ANSWERS: Readonly<Partial<Record<StepKey, (context: SampleContext) => JsonObject>>> = {
  person: () => ({
    dateOfBirth: '1990-02-28',
    placeOfBirth: { city: 'Kraków', country: 'PL' },
    nationalities: ['PL', 'JP'],
  }),
  address: ({ fileIdOf }) => ({ proofFileId: fileIdOf('proof_of_address') }),
  document: () => idCard,
  ownership: () => ({
    directors: [grace],
    beneficialOwners: [{ ...grace, ownershipPercent: 33.3, controlType: 'direct_shares', country: 'DE' }],
  }),
  representative: () => ({ document: idCard }),
};
