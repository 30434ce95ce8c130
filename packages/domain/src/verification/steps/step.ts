import type { z } from 'zod';
import { type Issue, invalidParameters } from '../../errors.ts';
import type { EvidenceFile, EvidenceKind } from '../../evidence/evidence-file.ts';
import type { JsonObject } from '../../json.ts';
import { parseInput } from '../../parse.ts';

/** A place in the answers that names an uploaded file. */
export interface FileReference {
  /** Where in the answers, for example `document.frontFileId`. */
  readonly path: string;
  readonly fileId: string;
  /** What the file must have been uploaded as. */
  readonly kind: EvidenceKind;
}

/** What the rules of a step know beside the answers. */
export interface StepContext {
  readonly now: Date;
  /** In full years. */
  readonly minimumAge: number;
  /** Files that were uploaded for this step of this verification. */
  readonly files: readonly EvidenceFile[];
}

/** One step of a flow, with its answers as `A` inside and as plain JSON outside. */
export interface Step {
  /** Kinds of files that may be uploaded for this step. */
  readonly fileKinds: readonly EvidenceKind[];
  /**
   * Checks the answers and gives what is kept of them.
   * @throws CountersignError `INVALID_PARAMETERS` with every issue found
   */
  accept(input: unknown, context: StepContext): JsonObject;
}

/** What a step is made of: a shape, rules the shape cannot say, and the files that its answers name. */
export interface StepDefinition<A> {
  readonly schema: z.ZodType<A>;
  readonly rules?: (answers: A, context: StepContext) => readonly Issue[];
  readonly fileKinds?: readonly EvidenceKind[];
  readonly files?: (answers: A) => readonly FileReference[];
  /** What the server adds to the answers. */
  readonly stamp?: (answers: A, now: Date) => A;
}

/** Makes a step of its definition. */
export function defineStep<A extends object>(definition: StepDefinition<A>): Step {
  const { schema, rules, fileKinds = [], files, stamp } = definition;
  return {
    fileKinds,
    accept(input, context) {
      const answers = parseInput(schema, input);
      const issues = [
        ...(rules?.(answers, context) ?? []),
        ...(files?.(answers) ?? []).flatMap((reference) => missingFile(reference, context.files)),
      ];
      if (issues.length > 0) throw invalidParameters(issues);
      return withoutUndefined(stamp === undefined ? answers : stamp(answers, context.now));
    },
  };
}

function missingFile({ path, fileId, kind }: FileReference, uploaded: readonly EvidenceFile[]): Issue[] {
  const found = uploaded.some((file) => file.id === fileId && file.kind === kind);
  return found ? [] : [{ path, message: `no file of kind ${kind} with this id was uploaded for this step` }];
}

/** The answers as JSON will carry them: a field that was left out does not appear. */
function withoutUndefined(answers: object): JsonObject {
  return JSON.parse(JSON.stringify(answers)) as JsonObject;
}

/** The reference of a file that may have been left out. */
export function reference(path: string, fileId: string | undefined, kind: EvidenceKind): FileReference[] {
  return fileId === undefined ? [] : [{ path, fileId, kind }];
}
