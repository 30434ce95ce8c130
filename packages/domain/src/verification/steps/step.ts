import { z } from 'zod';
import { type Issue, invalidParameters } from '../../errors.ts';
import type { EvidenceFile, EvidenceKind } from '../../evidence/evidence-file.ts';
import { canonicalJson, type JsonObject } from '../../json.ts';
import { issuesOf } from '../../parse.ts';
import { isWithin, type Partly, withoutPaths } from './partly.ts';
import { mergedDraft, type StepPart } from './step-part.ts';

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
  /**
   * Checks a part of the answers beside what is drafted already, and gives the new draft.
   * @throws CountersignError `INVALID_PARAMETERS` with every issue that lies within the part
   */
  acceptPart(draft: JsonObject, part: StepPart, context: StepContext): JsonObject;
  /** Whether two accepted answers say the same. What the server added, such as when, is not looked at. */
  isSame(answers: JsonObject, others: JsonObject): boolean;
  /** The files that answers or a draft of this step name. */
  filesOf(answers: JsonObject): readonly FileReference[];
}

/** What a step is made of: its fields, rules that fields cannot say by themselves, and the files that they name. */
export interface StepDefinition<A> {
  readonly fields: { readonly [K in keyof A]-?: z.ZodType<A[K]> };
  /** Is also asked about answers that are not complete or partly wrong, without what is wrong. */
  readonly rules?: (answers: Partly<A>, context: StepContext) => readonly Issue[];
  readonly fileKinds?: readonly EvidenceKind[];
  readonly files?: (answers: Partly<A>) => readonly FileReference[];
  /** What the server adds to the answers. */
  readonly stamp?: (answers: A, now: Date) => object;
}

/** Makes a step of its definition. */
export function defineStep<A extends object>(definition: StepDefinition<A>): Step {
  const { rules, fileKinds = [], files, stamp } = definition;
  const schema = z.strictObject(definition.fields) as unknown as z.ZodType<A>;

  function ruleIssues(answers: Partly<A>, context: StepContext): Issue[] {
    const references = files?.(answers) ?? [];
    return [
      ...(rules?.(answers, context) ?? []),
      ...references.flatMap((reference) => missingFile(reference, context.files)),
    ];
  }

  /** Every issue: those of the fields, and those that the rules find in all that is left without the wrong ones. */
  function issuesIn(input: unknown, context: StepContext): Issue[] {
    const { error } = schema.safeParse(input);
    if (error === undefined) return ruleIssues(input as Partly<A>, context);
    const wrong = issuesOf(error, input);
    const paths = new Set(wrong.map(({ path }) => path));
    const rest = withoutPaths(input, paths) as Partly<A> | undefined;
    if (rest === undefined) return wrong;
    const told = (path: string) => [...paths].some((outer) => isWithin(path, outer));
    return [...wrong, ...ruleIssues(rest, context).filter(({ path }) => !told(path))];
  }

  /** As the subject gave them. */
  const given = (answers: JsonObject): JsonObject =>
    Object.fromEntries(Object.entries(answers).filter(([field]) => Object.hasOwn(definition.fields, field)));

  return {
    fileKinds,
    isSame: (answers, others) => canonicalJson(given(answers)) === canonicalJson(given(others)),
    filesOf: (answers) => files?.(answers as unknown as Partly<A>) ?? [],

    accept(input, context) {
      const { data } = schema.safeParse(input);
      const issues = data === undefined ? issuesIn(input, context) : ruleIssues(data as Partly<A>, context);
      if (data === undefined || issues.length > 0) throw invalidParameters(issues);
      return withoutUndefined(stamp === undefined ? data : stamp(data, context.now));
    },

    acceptPart(draft, part, context) {
      const next = mergedDraft(schema, draft, part);
      const issues = issuesIn(next, context).filter(({ path }) =>
        part.fields.some((field) => isWithin(path, field)),
      );
      if (issues.length > 0) throw invalidParameters(issues);
      return withoutUndefined(next);
    },
  };
}

function missingFile({ path, fileId, kind }: FileReference, uploaded: readonly EvidenceFile[]): Issue[] {
  if (uploaded.some((file) => file.id === fileId && file.kind === kind)) return [];
  const message = `no file of kind ${kind} with this id was uploaded for this step`;
  return [{ path, message, code: 'file_missing' }];
}

/** The answers as JSON will carry them: a field that was left out does not appear. */
function withoutUndefined(answers: object): JsonObject {
  return JSON.parse(JSON.stringify(answers)) as JsonObject;
}

/** The reference of a file that may have been left out. */
export function reference(path: string, fileId: string | undefined, kind: EvidenceKind): FileReference[] {
  return fileId === undefined ? [] : [{ path, fileId, kind }];
}
