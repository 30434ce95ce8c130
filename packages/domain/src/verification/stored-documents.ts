import { z } from 'zod';
import type { EvidenceFile } from '../evidence/evidence-file.ts';
import { storedTime } from '../fields/schema.ts';
import type { JsonObject } from '../input/json.ts';
import type { ActionRequest, Decision, InternalNote } from './decision.ts';
import type { Flow, ScreenPart, StepKey } from './flow.ts';
import type { Notify } from './notify.ts';
import type { CompletedSteps, Drafts, EarlierAnswers, FilePlace, Hold, Opening } from './verification.ts';

/** The content of a record's `answers`. */
export interface Answers {
  readonly steps?: CompletedSteps;
  readonly earlier?: readonly EarlierAnswers[];
  readonly drafts?: Drafts;
}

/** `warnings` is absent in files stored before pictures were checked. */
type StoredFile = Omit<EvidenceFile, 'warnings'> & Partial<Pick<EvidenceFile, 'warnings'>>;

/** The content of a record's `reviewData`. */
export interface ReviewData {
  readonly files?: readonly StoredFile[];
  readonly internalNotes?: readonly InternalNote[];
  readonly request?: ActionRequest;
  readonly awaiting?: readonly StepKey[];
  readonly refusedPlaces?: readonly FilePlace[];
  readonly emptiedPages?: readonly ScreenPart[];
  readonly decision?: Decision;
  readonly hold?: Hold;
  readonly openings?: readonly Opening[];
}

/**
 * The schemas check kinds, not bounds, and keep unknown keys: a bound that is tightened later never makes stored documents
 * unreadable. A document without `formatVersion` has version 1; one of a higher version is refused.
 */
const FORMAT_VERSION = 1;

const text = z.string();
const document = z.looseObject({});
const formatVersion = z.int().min(1).max(FORMAT_VERSION).optional();

/** Parses replaced answers by the fields of the step that they name, as the current answers are parsed. */
function earlierAnswersSchema(steps: ReadonlyMap<string, z.ZodType>): z.ZodType {
  return z
    .looseObject({
      step: text,
      answers: document,
      completedAt: storedTime,
      version: z.int(),
      replacedAt: storedTime,
    })
    .superRefine(({ step, answers }, context) => {
      for (const { path, message } of steps.get(step)?.safeParse(answers).error?.issues ?? []) {
        context.addIssue({ code: 'custom', message, path: ['answers', ...path] });
      }
    });
}

/** One schema for each flow, made when it is first needed. */
const ANSWERS_SCHEMAS = new WeakMap<Flow, z.ZodType>();

/** The answers and drafts of a step are parsed by the kinds of its fields; those of a step the flow lacks are kept as they are. */
function answersSchemaOf(flow: Flow): z.ZodType {
  const known = ANSWERS_SCHEMAS.get(flow);
  if (known !== undefined) return known;
  const schemas = Object.entries(flow.steps).map(([key, { storedSchema }]) => [key, storedSchema] as const);
  const completed = (answers: z.ZodType) => z.looseObject({ answers, completedAt: storedTime, version: z.int() });
  const steps = schemas.map(([key, answers]) => [key, completed(answers).optional()] as const);
  const drafts = schemas.map(([key, answers]) => [key, answers.optional()] as const);
  const schema = z.looseObject({
    formatVersion,
    steps: z.object(Object.fromEntries(steps)).catchall(completed(document)).optional(),
    earlier: z.array(earlierAnswersSchema(new Map(schemas))).optional(),
    drafts: z.object(Object.fromEntries(drafts)).catchall(document).optional(),
  });
  ANSWERS_SCHEMAS.set(flow, schema);
  return schema;
}

const reviewDataSchema = z.looseObject({
  formatVersion,
  files: z
    .array(
      z.looseObject({
        id: text,
        step: text,
        kind: text,
        contentType: text,
        size: z.number(),
        sha256: text,
        warnings: z.array(text).optional(),
        pages: z.int().min(0).optional(),
        thumbnail: z.looseObject({ size: z.number(), sha256: text }).optional(),
        uploadedAt: storedTime,
        isKeptByHold: z.literal(true).optional(),
        isUnchanged: z.literal(true).optional(),
      }),
    )
    .optional(),
  internalNotes: z.array(z.looseObject({ text, reviewerId: text.nullable(), writtenAt: storedTime })).optional(),
  request: z
    .looseObject({
      message: text.nullable(),
      items: z.array(
        z.looseObject({ step: text, reasonCode: text, note: text.nullable(), field: text.optional() }),
      ),
      requestedAt: storedTime,
      requestedBy: text.nullable(),
    })
    .optional(),
  awaiting: z.array(text).optional(),
  refusedPlaces: z.array(z.looseObject({ step: text, path: text })).optional(),
  emptiedPages: z.array(z.looseObject({ step: text, page: text })).optional(),
  decision: z
    .looseObject({
      outcome: z.enum(['approved', 'rejected']),
      reasonCodes: z.array(text),
      message: text.nullable(),
      decidedAt: storedTime,
    })
    .optional(),
  hold: z
    .looseObject({
      reason: text,
      setBy: z.enum(['team_member', 'operator']),
      holdsOfTeam: z.int().min(0).optional(),
    })
    .optional(),
  openings: z.array(z.looseObject({ reason: text, userId: text.nullable(), at: storedTime })).optional(),
});

/**
 * Parses the `answers` column of a record.
 * @param flow the version of the flow that the verification began with
 * @throws Error that names the place that is wrong and never quotes a value
 */
export function parseStoredAnswers(stored: JsonObject, flow: Flow): Answers {
  return parseDocument('answers', answersSchemaOf(flow), stored) as Answers;
}

/**
 * Parses the `reviewData` column of a record.
 * @throws Error that names the place that is wrong and never quotes a value
 */
export function parseStoredReviewData(stored: JsonObject): ReviewData {
  return parseDocument('reviewData', reviewDataSchema, stored) as ReviewData;
}

const storedNotifySchema = z.looseObject({ formatVersion, email: text });

/**
 * Parses the `notify` column of a record.
 * @throws Error that names the place that is wrong and never quotes a value
 */
export function parseStoredNotify(stored: JsonObject | null): Notify | null {
  return stored === null ? null : { email: (parseStored('notify', storedNotifySchema, stored) as Notify).email };
}

/** No key of a document is required, and most verifications that are read are new. */
function parseDocument(column: string, schema: z.ZodType, stored: JsonObject): unknown {
  return Object.keys(stored).length === 0 ? stored : parseStored(column, schema, stored);
}

function parseStored(column: string, schema: z.ZodType, stored: JsonObject): unknown {
  const parsed = schema.safeParse(stored);
  if (parsed.success) return parsed.data;
  const places = parsed.error.issues.map(({ path }) => [column, ...path].join('.'));
  throw new Error(`${[...new Set(places)].join(', ')} cannot be read`);
}
