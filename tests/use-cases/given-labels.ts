import type { SubjectAccess, Verification } from '@countersign/domain';
import type { IndexEntry, Sealing, TransferSource } from '@countersign/domain/storage';
import { createMemoryStorage } from '@countersign/memory';
import { createKeyRing, createSealing } from '@countersign/sealing';
import { answerSteps } from '@countersign/test-support/service/answers';
import { type givenClient, givenService, type Service } from '@countersign/test-support/service/service';

const KYC = ['consent', 'document', 'person', 'selfie', 'address', 'attestation'] as const;
const KYB = [
  'consent',
  'business',
  'addresses',
  'ownership',
  'documents',
  'representative',
  'attestation',
] as const;

export const SECRET_KEY: Uint8Array = new Uint8Array(32).fill(7);
export const sealing: Sealing = createSealing({ keys: createKeyRing([SECRET_KEY]) });

/** A service whose stored labels can be read. */
export interface LabelledService extends Service {
  readonly transfer: TransferSource;
}

export function givenLabelled(ports: Parameters<typeof givenService>[0] = {}): LabelledService {
  const storage = createMemoryStorage();
  return { ...givenService({ ...ports, storage }), transfer: storage.transfer };
}

type Principal = Awaited<ReturnType<typeof givenClient>>['principal'];

/** A verification of the client with the usual answers, not submitted yet. */
export async function givenAnswers(
  { countersign }: LabelledService,
  principal: Principal,
  { reference, type = 'kyc' }: { readonly reference: string; readonly type?: 'kyc' | 'kyb' },
): Promise<SubjectAccess> {
  const body = { subjectType: type, subjectReference: reference };
  const { verification } = await countersign.verifications.create(principal, body);
  const { access } = await countersign.subject.open(verification.verificationUrl.split('/').at(-1) as string);
  for (const step of type === 'kyc' ? KYC : KYB) await answerSteps(countersign, access, [step]);
  return access;
}

/** A verification with the usual answers, submitted. */
export async function givenSubmitted(
  service: LabelledService,
  principal: Principal,
  reference: string,
): Promise<Verification> {
  return service.countersign.subject.submit(await givenAnswers(service, principal, { reference }));
}

/** The stored labels, without those of files, of which each verification has its own. */
export async function entriesIn({ transfer }: LabelledService): Promise<readonly IndexEntry[]> {
  const entries = await transfer.read('indexEntries', null, 1_000);
  return entries.filter(({ purpose }) => purpose !== 'file');
}

/** Lists the labels of a verification. */
export const labelsOf = (entries: readonly IndexEntry[], id: string): readonly string[] =>
  entries.filter(({ verificationId }) => verificationId === id).map(({ purpose, label }) => `${purpose} ${label}`);
