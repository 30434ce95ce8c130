import type { Verification } from '@countersign/domain';
import { type EvidenceFile, namedFiles } from '@countersign/domain/evidence';
import { type StepKey, stepOf, stepsOf } from '@countersign/domain/flows';

/** What the film strip of a case shows: a picture, a drawn page of a PDF, or a PDF without one. */
export interface Shot {
  /** Its place, from 1. */
  readonly number: number;
  readonly file: EvidenceFile;
  /** The page of a PDF, from 1. */
  readonly page?: number;
  /** The step whose answers stand beside it; undefined while the file is only a draft. */
  readonly step: StepKey | undefined;
}

/** Pictures that are compared with each other, in their order. */
const FIRST: readonly string[] = ['document_front', 'document_back', 'selfie'];

/** Lists the files of the current answers and drafts: the document and the face first. */
export function shotsOf(verification: Verification): readonly Shot[] {
  const standing = namedFiles(verification);
  const rank = ({ kind }: EvidenceFile): number => (FIRST.indexOf(kind) + FIRST.length + 1) % (FIRST.length + 1);
  const files = verification.files.filter(({ id }) => standing.has(id)).sort((a, b) => rank(a) - rank(b));
  const steps = stepsByFile(verification);
  const document = files.map(({ id }) => steps.get(id)).find((step) => step !== undefined);
  const shots = files.flatMap((file): Omit<Shot, 'number'>[] => {
    // A face is compared with the document, whose answers say how old the person is.
    const step = file.kind === 'selfie' ? document : steps.get(file.id);
    const { pages = 0 } = file;
    return pages === 0
      ? [{ file, step }]
      : Array.from({ length: pages }, (_, index) => ({ file, step, page: index + 1 }));
  });
  return shots.map((shot, index) => ({ ...shot, number: index + 1 }));
}

/** Lists files that were replaced or never used. */
export function earlierFiles(verification: Verification): readonly EvidenceFile[] {
  const standing = namedFiles(verification);
  return verification.files.filter(({ id }) => !standing.has(id));
}

export function isPicture({ contentType }: EvidenceFile): boolean {
  return contentType !== 'application/pdf';
}

function stepsByFile({ flow, steps }: Verification): ReadonlyMap<string, StepKey> {
  return new Map(
    stepsOf(flow).flatMap((step) =>
      (stepOf(flow, step)?.filesOf(steps[step]?.answers ?? {}) ?? []).map(({ fileId }) => [fileId, step] as const),
    ),
  );
}
