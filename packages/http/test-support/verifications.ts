import type { As, Countersign, SubjectAccess } from '@countersign/domain';
import type { EvidenceKind } from '@countersign/domain/evidence';
import { currentFlow, type StepKey, stepsOf } from '@countersign/domain/flows';
import { sampleAnswers } from '@countersign/test-support/service/answers';
import { newDigest } from '@countersign/test-support/service/new-files';
import type { GivenApi, GivenClient } from './api.ts';

/** Metadata of every uploaded file. */
export const UPLOADED = {
  contentType: 'image/jpeg',
  size: 1000,
  warnings: ['blur'],
} as const;

/** Creates a pending KYC verification. */
export async function givenPending({ countersign }: GivenApi, client: GivenClient): Promise<string> {
  const body = { subjectType: 'kyc', subjectReference: 'user_1', metadata: { tenant: 'acme' } };
  return (await countersign.verifications.create(client.principal, body)).verification.id;
}

/** Opens the link of a verification as its subject. */
export async function subjectOf(
  { countersign }: GivenApi,
  client: GivenClient,
  id: string,
): Promise<SubjectAccess> {
  const { verificationUrl } = await countersign.verifications.get(client.principal, id);
  return (await countersign.subject.open(verificationUrl.slice(verificationUrl.lastIndexOf('/') + 1))).access;
}

/** Creates a submitted KYC verification; returns its version too, which decisions need. */
export async function givenSubmitted(
  api: GivenApi,
  client: GivenClient,
): Promise<{ id: string; version: number }> {
  const id = await givenPending(api, client);
  const { countersign, clock } = api;
  const access = await subjectOf(api, client, id);
  for (const step of stepsOf(currentFlow('kyc'))) await answerStep(countersign, access, step);
  clock.advance(60_000);
  return { id, version: (await countersign.subject.submit(access)).version };
}

/** The actions of a signed-in reviewer. */
export function reviewerOf({ countersign }: GivenApi, id: string): As {
  const user = {
    id,
    email: `${id}@example.com`,
    name: id,
    role: 'reviewer',
    clientId: null,
    teamRole: null,
  } as const;
  const session = { user, signedInAt: new Date(0), withSecondFactor: true, confirmedAt: null };
  return countersign.as({ kind: 'user', session, from: '192.0.2.1' });
}

/** Completes a step with valid answers; uploads their files first. */
export async function answerStep(
  { subject }: Pick<Countersign, 'subject'>,
  access: SubjectAccess,
  step: StepKey,
): Promise<void> {
  const upload = async (kind: EvidenceKind) =>
    (await subject.attachFile(access, { step, kind, ...UPLOADED, sha256: newDigest() })).file.id;
  await subject.completeStep(access, step, await sampleAnswers(await subject.read(access), step, upload));
}
