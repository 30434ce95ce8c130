import {
  type Countersign,
  type CountersignPorts,
  type CountersignSettings,
  createCountersign,
  type EvidenceIntake,
  type EvidenceKind,
  type EvidenceWarning,
  type Principal,
  type StepKey,
  type SubjectAccess,
  type SubjectType,
  stepsOf,
} from '@countersign/domain';
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

/** Test data: a service with one client, whose subjects answer whatever they are given. */
export interface GivenCases {
  /** Whoever signs in. The core manages the same people. */
  readonly accounts: MemoryAccounts;
  readonly ports: CountersignPorts & { readonly clock: FixedClock };
  readonly countersign: Countersign;
  readonly principal: Principal;
  /** A case that waits for a decision. `answers` replace single fields of the good answers, by step. */
  submitted(options?: CaseOptions): Promise<string>;
  /** A case that the subject has just received. */
  pending(options?: CaseOptions): Promise<string>;
  /** The subject answers every step that is open, and hands it in. */
  redo(verificationId: string, options?: CaseOptions): Promise<void>;
  /** What the subject's pages are made of. */
  accessTo(verificationId: string): Promise<SubjectAccess>;
}

export interface CaseOptions {
  readonly type?: SubjectType;
  readonly subjectReference?: string;
  readonly answers?: Readonly<Partial<Record<StepKey, object>>>;
  /** What the next pictures are said to show. */
  readonly flags?: readonly EvidenceWarning[];
}

export const BASE_URL = 'https://verify.example/kyc';

export async function givenCases(
  clientName = 'Acme Bank',
  settings: Partial<CountersignSettings> = {},
): Promise<GivenCases> {
  const clock = createFixedClock();
  const flags: EvidenceWarning[] = [];
  const ids = createCountingIds();
  const accounts = createMemoryAccounts({ clock, ids });
  const ports = {
    storage: createMemoryStorage(),
    rateLimiter: createMemoryRateLimiter(clock),
    clock,
    ids,
    secrets: createCountingSecrets(),
    evidence: { store: createMemoryEvidenceStore(), intake: flaggingIntake(flags) },
    staff: accounts.staff,
  };
  const countersign = createCountersign(ports, { publicBaseUrl: BASE_URL, ...settings });
  const { client } = await countersign.clients.create({ name: clientName, plan: 'standard' });
  const { value } = await countersign.apiKeys.issue(client.id, { name: 'tests', permissions: ['*'] });
  const principal = await countersign.authenticate(value);
  let count = 0;

  async function accessTo(verificationId: string): Promise<SubjectAccess> {
    const { verificationUrl } = await countersign.verifications.get(principal, verificationId);
    return (await countersign.subject.open(verificationUrl.slice(`${BASE_URL}/verify/`.length))).access;
  }

  async function pending({
    type = 'kyc',
    subjectReference = `user_${++count}`,
  }: CaseOptions = {}): Promise<string> {
    return (await countersign.verifications.create(principal, { subjectType: type, subjectReference }))
      .verification.id;
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
      const files = new Map<EvidenceKind, string>();
      for (const kind of FILES_OF[step] ?? []) {
        const { file } = await countersign.subject.uploadFile(access, { step, kind }, contentOf(kind));
        files.set(kind, file.id);
      }
      const good = goodAnswers(before.type, step, (kind) => files.get(kind));
      await countersign.subject.completeStep(access, step, { ...good, ...answers[step] });
    }
    await countersign.subject.submit(access);
  }

  async function submitted(options: CaseOptions = {}): Promise<string> {
    const id = await pending(options);
    await redo(id, options);
    return id;
  }

  return { accounts, ports, countersign, principal, submitted, pending, redo, accessTo };
}

/** Judges as @countersign/memory does, and says of pictures what it is told to. */
function flaggingIntake(flags: readonly EvidenceWarning[]): EvidenceIntake {
  const trusting = createTrustingIntake();
  return { receive: async (...upload) => ({ ...(await trusting.receive(...upload)), warnings: [...flags] }) };
}

/** The first bytes of a picture; of an extract, those of a PDF. */
async function* contentOf(kind: EvidenceKind): AsyncGenerator<Uint8Array> {
  yield kind === 'registration_extract'
    ? new TextEncoder().encode('%PDF-1.7 an extract')
    : Uint8Array.from([0xff, 0xd8, 0xff, 0xe0, ...new TextEncoder().encode(kind)]);
}

const FILES_OF: Readonly<Partial<Record<StepKey, readonly EvidenceKind[]>>> = {
  address: ['proof_of_address'],
  document: ['document_front', 'document_back'],
  selfie: ['selfie'],
  documents: ['registration_extract'],
  representative: ['document_front', 'document_back', 'selfie'],
};

function goodAnswers(
  type: SubjectType,
  step: StepKey,
  fileOf: (kind: EvidenceKind) => string | undefined,
): object {
  const address = { line1: 'Unter den Linden 1', city: 'Berlin', postalCode: '10117', country: 'DE' };
  const ada = { firstName: 'Ada', lastName: 'Lovelace' };
  const grace = { firstName: 'Grace', lastName: 'Hopper', dateOfBirth: '1986-12-09', nationality: 'US' };
  const document = {
    type: 'id_card',
    issuingCountry: 'DE',
    number: 'L01X00T47',
    expiresOn: '2031-05-31',
    frontFileId: fileOf('document_front'),
    backFileId: fileOf('document_back'),
  };
  switch (step) {
    case 'consent': {
      const consent = { accepted: true, version: '2026-01', locale: 'de' };
      const representative = { ...ada, role: 'Director', email: 'ada@example.org' };
      return type === 'kyc' ? consent : { ...consent, representative };
    }
    case 'person':
      return {
        ...ada,
        dateOfBirth: '1990-02-28',
        placeOfBirth: { city: 'Kraków', country: 'PL' },
        nationalities: ['PL', 'JP'],
      };
    case 'address':
      return { ...address, proofFileId: fileOf('proof_of_address') };
    case 'document':
      return document;
    case 'selfie':
      return { fileId: fileOf('selfie') };
    case 'business':
      return {
        legalName: 'Müller & Söhne GmbH',
        tradingNames: [],
        legalForm: 'GmbH',
        countryOfIncorporation: 'DE',
        registrationNumber: 'HRB 12345',
        activity: 'Machine tools',
      };
    case 'addresses':
      return { registered: address };
    case 'ownership':
      return {
        directors: [grace],
        beneficialOwners: [{ ...grace, ownershipPercent: 33.3, controlType: 'direct_shares', country: 'DE' }],
      };
    case 'documents':
      return { registrationExtractFileId: fileOf('registration_extract') };
    case 'representative':
      return { document, selfieFileId: fileOf('selfie') };
    case 'attestation':
      return { accepted: true };
    default:
      return step satisfies never;
  }
}
