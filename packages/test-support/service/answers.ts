import type { Countersign, JsonObject, SubjectAccess, Verification } from '@countersign/domain';
import type { EvidenceKind } from '@countersign/domain/evidence';
import { type StepKey, stepOf } from '@countersign/domain/flows';
import { type SampleContext, sampleFilesOf, sampleOf } from '@countersign/domain/testing';

/** Answers that tests look for. All others are samples. */
const OWN_ANSWERS: Readonly<Partial<Record<StepKey, JsonObject>>> = {
  consent: { version: '2026-01', locale: 'de-DE' },
  document: { number: 'C01X00T47' },
  person: { firstName: 'Ada', lastName: 'Lovelace', dateOfBirth: '1990-12-10', nationalities: ['GB'] },
};

/**
 * Makes valid answers to a step. Uploads the files that they name first, one for each kind.
 * @param own answers in place of samples
 */
export async function sampleAnswers(
  { flow, requestedAt }: Pick<Verification, 'flow' | 'requestedAt'>,
  step: StepKey,
  upload: (kind: EvidenceKind) => Promise<string>,
  own?: (context: SampleContext) => JsonObject,
): Promise<JsonObject> {
  const definition = stepOf(flow, step);
  if (definition === null) throw new Error(`The flow has no step ${step}`);
  const { fields, sample } = definition;
  const sampled = {
    fields,
    sample: (context: SampleContext) => ({ ...sample?.(context), ...OWN_ANSWERS[step], ...own?.(context) }),
  };
  const context = { now: requestedAt, minimumAge: 18 };
  const files = new Map<EvidenceKind, string>();
  for (const kind of sampleFilesOf(sampled, context)) files.set(kind, await upload(kind));
  return sampleOf(sampled, { ...context, fileIdOf: (kind) => files.get(kind) ?? '' });
}

/** Completes one step with valid answers. */
export function answerStep(countersign: Countersign, access: SubjectAccess, step: StepKey): Promise<void> {
  return answerSteps(countersign, access, [step]);
}

/** Completes steps together with valid answers. Only the first one may take files. */
export async function answerSteps(
  { subject }: Countersign,
  access: SubjectAccess,
  steps: readonly StepKey[],
): Promise<void> {
  const verification = await subject.read(access);
  const answered: { step: StepKey; input: unknown }[] = [];
  for (const step of steps)
    answered.push({ step, input: await sampleAnswers(verification, step, uploadFor(step)) });
  await subject.completeSteps(access, answered);

  function uploadFor(step: StepKey): (kind: EvidenceKind) => Promise<string> {
    return async (kind) => {
      const { files } = await subject.read(access);
      // The same in two services that a test compares.
      const sha256 = Buffer.from(`${kind} ${files.length}`).toString('hex').padEnd(64, '0').slice(0, 64);
      const content = { contentType: 'image/jpeg', size: 1000, sha256 } as const;
      return (await subject.attachFile(access, { step, kind, ...content })).file.id;
    };
  }
}
