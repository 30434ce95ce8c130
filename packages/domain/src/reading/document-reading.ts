import { z } from 'zod';
import type { DateField, Field } from '../fields/field.ts';
import { READ_FIELDS, type ReadField } from '../fields/read-fields.ts';
import { schemaOfField } from '../fields/schema.ts';
import { isPlainLine } from '../input/text.ts';

/**
 * What came of a reading. `read`: the picture shows a document's machine-readable part. `nothing`: it shows none. `failed`: the reader
 * broke off. `off`: the reader did not try, for example because it is switched off or too many pictures wait.
 */
export const READING_OUTCOMES = ['read', 'nothing', 'failed', 'off'] as const;
/** What came of a reading: one of `READING_OUTCOMES`. */
export type ReadingOutcome = (typeof READING_OUTCOMES)[number];

/** A value as it was read. Only one that is `sure` is offered as read; names never are. */
export interface ReadValue {
  /** A date is `YYYY-MM-DD`, a country an ISO 3166-1 alpha-2 code. */
  readonly value: string;
  readonly sure: boolean;
}

/** Where the machine-readable zone lies, in fractions of the picture's width and height. */
export interface MrzBox {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** Clockwise, in fractions of a turn. */
  readonly rotation: number;
  /** The width of the picture divided by its height. Without it, the portrait is not shown. */
  readonly aspect?: number | undefined;
}

/** What was read from a picture of a document. It has neither sex nor the text of the machine-readable zone. */
export interface DocumentReading {
  readonly outcome: ReadingOutcome;
  readonly readerVersion: string;
  readonly fields: { readonly [F in ReadField]?: ReadValue };
  /** The type of the document, a choice of the field that is `readAs: 'type'`. */
  readonly type?: string;
  /** The state that issued the document, also where it is not sure. ISO 3166-1 alpha-2. */
  readonly issuer?: string;
  /** Whether all check digits fit. */
  readonly digitsFit?: boolean;
  readonly mrzBox?: MrzBox;
  /** What the picture looks like, in 256 bits as hexadecimal digits: those of pictures that look alike differ in few. */
  readonly pictureHash?: string;
}

/** No living person was born earlier. */
const birthDate: DateField = { kind: 'date', notBefore: '1900-01-01' };

const NAME: Field = { kind: 'text', max: 100, shape: 'label' };

/** The rules that every read value must follow. The field that it fills in may be stricter. */
const RULES: Readonly<Record<ReadField, Field>> = {
  documentNumber: { kind: 'text', max: 50, shape: 'label' },
  dateOfBirth: birthDate,
  expiresOn: { kind: 'date', notBefore: '1970-01-01' },
  issuingCountry: { kind: 'country' },
  nationality: { kind: 'country' },
  lastName: NAME,
  firstName: NAME,
};

const NEVER_SURE: readonly ReadField[] = ['lastName', 'firstName'];

/** Whether values of this kind can be sure: names cannot, because they have no check digit. */
export function canBeSure(field: ReadField): boolean {
  return !NEVER_SURE.includes(field);
}

/** Returns the rule that values read for this must follow. */
export function ruleOfRead(field: ReadField): Field {
  return RULES[field];
}

/** Lists what was read, by name. A reader may name the issuing state only as the issuer: it is listed all the same. */
export function readTexts({ fields, issuer }: Pick<DocumentReading, 'fields' | 'issuer'>): [ReadField, string][] {
  const texts = new Map(READ_FIELDS.flatMap((name) => (fields[name] ? [[name, fields[name].value]] : [])));
  if (issuer !== undefined && !texts.has('issuingCountry')) texts.set('issuingCountry', issuer);
  return [...texts];
}

const SHORT_MAX = 40;
const shortText = z.string().min(1).max(SHORT_MAX).refine(isPlainLine);
const fraction = z.number().min(0).max(1);
const boxSchema = z.object({
  x: fraction,
  y: fraction,
  width: fraction,
  height: fraction,
  rotation: z.number().min(0).lt(1),
  aspect: z.number().min(0.01).max(100).optional(),
});

const valueSchemaOf = (field: ReadField) =>
  z.object({ value: schemaOfField(ruleOfRead(field)) as z.ZodType<string>, sure: z.boolean() });

const readingSchema = z.object({
  outcome: z.enum(READING_OUTCOMES),
  readerVersion: shortText,
  fields: z.record(z.string(), z.unknown()).catch({}),
  type: shortText.optional().catch(undefined),
  issuer: (schemaOfField({ kind: 'country' }) as z.ZodType<string>).optional().catch(undefined),
  digitsFit: z.boolean().optional().catch(undefined),
  mrzBox: boxSchema.optional().catch(undefined),
  pictureHash: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .optional()
    .catch(undefined),
});

/** A reading that failed in the reader, or whose result is none. */
const BROKEN: DocumentReading = { outcome: 'failed', readerVersion: 'unknown', fields: {} };

/**
 * Returns the reading that a reader's result means. The reader is not trusted: what fails its rule is dropped, and a result without
 * an outcome is a failed reading. Without the outcome `read`, no value is kept; of a picture without a document, its hash is.
 */
export function acceptReading(result: unknown): DocumentReading {
  const { data } = readingSchema.safeParse(result);
  if (data === undefined) return BROKEN;
  const { outcome, readerVersion, fields, ...found } = data;
  if (outcome !== 'read') {
    const { pictureHash } = found;
    return {
      outcome,
      readerVersion,
      fields: {},
      ...(outcome === 'nothing' && pictureHash !== undefined && { pictureHash }),
    };
  }
  const accepted = READ_FIELDS.flatMap((field) => {
    const value = valueSchemaOf(field).safeParse(Object.hasOwn(fields, field) ? fields[field] : undefined).data;
    return value === undefined ? [] : [[field, { ...value, sure: value.sure && canBeSure(field) }] as const];
  });
  const present = Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined));
  return { outcome, readerVersion, fields: Object.fromEntries(accepted), ...present };
}
