import type { EvidenceKind } from '../evidence/evidence-file.ts';
import type { JsonObject, JsonValue } from '../input/json.ts';
import { type FlowAsks, isAsked } from './conditions.ts';
import type { Field, FieldList, Purpose, TextField } from './field.ts';
import { isJsonObject, valueAt } from './paths.ts';
import { placesOf } from './placed-fields.ts';

/** What sample answers depend on. */
export interface SampleContext {
  readonly now: Date;
  readonly minimumAge: number;
  /** What the client asks for; default everything. */
  readonly asks?: FlowAsks | undefined;
  /** Id of the uploaded file that an answer names. */
  readonly fileIdOf: (kind: EvidenceKind) => string;
}

/** The fields of a step, and sample values where its rules need more than the defaults. */
export interface SampledFields {
  readonly fields: FieldList;
  readonly sample: ((context: SampleContext) => JsonObject) | undefined;
}

/** Returns made-up answers to a step: every field that is asked and not optional, the first of each choice. */
export function sampleOf({ fields, sample }: SampledFields, context: SampleContext): JsonObject {
  return sampleFields(fields, context, sample?.(context) ?? {});
}

/** Lists the kinds of files that the sample answers to a step name. */
export function sampleFilesOf(
  step: SampledFields,
  context: Omit<SampleContext, 'fileIdOf'>,
): readonly EvidenceKind[] {
  const answers = sampleOf(step, { ...context, fileIdOf: (kind) => kind });
  return placesOf(step.fields).flatMap(({ path, evidence }) =>
    valueAt(answers, path) === undefined ? [] : [evidence],
  );
}

function sampleFields(fields: FieldList, context: SampleContext, fixed: JsonObject = {}): JsonObject {
  const answers: Record<string, JsonValue> = {};
  for (const [key, field] of Object.entries(fields)) {
    const isNeeded = field.optional !== true && field.by !== 'server' && isAsked(field, answers, context.asks);
    const given = fixed[key];
    const value = given ?? (isNeeded ? sampleValue(field, context) : undefined);
    const isPart = field.kind === 'group' && isJsonObject(given);
    if (value !== undefined) answers[key] = isPart ? sampleFields(field.fields, context, given) : value;
  }
  return answers;
}

/** Values that no real person has. `example.org` is reserved (RFC 2606), and so is the number (NANP 555-01XX). */
const BY_PURPOSE: Readonly<Partial<Record<Purpose, string>>> = {
  'given-name': 'Sandbox',
  'family-name': 'Sample',
  organization: 'Sandbox Sample GmbH',
  'organization-title': 'Director',
  'address-line1': '1 Sandbox Street',
  'address-level2': 'Sampletown',
};

/** Years by which a sample person is older than the minimum age. */
const MARGIN_YEARS = 10;
const YEARS_AGO = 5;
const COUNTRY = 'DE';

function sampleValue(field: Field, context: SampleContext): JsonValue {
  switch (field.kind) {
    case 'text':
      return sampleText(field);
    case 'email':
      return 'sandbox@example.org';
    case 'phone':
      return '+12025550100';
    case 'website':
      return 'https://example.org';
    case 'language':
      return 'en';
    case 'id':
      return 'sandbox';
    case 'timestamp':
      return context.now.toISOString();
    case 'date':
      return sampleDay(
        context.now,
        field.purpose === 'birth-date' ? -context.minimumAge - MARGIN_YEARS : -YEARS_AGO,
      );
    case 'country':
      return COUNTRY;
    case 'file':
      return context.fileIdOf(field.evidence);
    case 'choice':
      return field.of[0] ?? '';
    case 'number':
      return field.max ?? field.min ?? 1;
    case 'statement':
      return true;
    case 'flag':
      return false;
    case 'list':
      // Choices are distinct.
      if (field.each.kind === 'choice') return field.each.of.slice(0, field.min ?? 0);
      return Array.from({ length: field.min ?? 0 }, () => sampleValue(field.each, context));
    case 'rows':
      return Array.from({ length: field.min ?? 0 }, () => sampleFields(field.fields, context));
    case 'group':
      return sampleFields(field.fields, context);
    default:
      return field satisfies never;
  }
}

function sampleText({ purpose, shape, max }: TextField): string {
  const word = shape === 'code' ? 'SANDBOX000' : 'Sandbox sample';
  const text = purpose === undefined ? word : (BY_PURPOSE[purpose] ?? word);
  return text.slice(0, max);
}

/** Returns the first of January, this many years from now. */
export function sampleDay(now: Date, years: number): string {
  return `${String(now.getUTCFullYear() + years).padStart(4, '0')}-01-01`;
}
