import {
  type CreatedVerification,
  DATA_ERRORS,
  ORIGINS,
  REASON_CODES,
  STATUSES,
  STEP_STATES,
  SUBJECT_TYPES,
  type VerificationDetails,
  type VerificationPage,
  type VerificationView,
  WARNING_CODES,
} from '@countersign/domain';
import { EVIDENCE_CONTENT_TYPES, EVIDENCE_KINDS, EVIDENCE_MAX_BYTES } from '@countersign/domain/evidence';
import { STEP_KEYS } from '@countersign/domain/flows';
import { DATA_STATES, type DataState } from '@countersign/domain/retention';
import { z } from 'zod';

/** JSON Schema, draft 2020-12, as an OpenAPI 3.1 document holds it. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** A value of the domain as JSON carries it: dates become text. Ties the schemas below to the types of the domain. */
export type Wire<T> = T extends Date
  ? string
  : T extends readonly (infer Item)[]
    ? readonly Wire<Item>[]
    : T extends object
      ? string extends keyof T
        ? Readonly<Record<string, unknown>>
        : { readonly [K in keyof T]: Wire<T[K]> }
      : T;

const dateTime = z.iso.datetime();
const step = z.enum(STEP_KEYS);
const reasonCode = z.enum(REASON_CODES);
const anyObject = z.record(z.string(), z.unknown());

const createdFields = {
  id: z.string().meta({ description: 'Identifier of the verification, assigned by the service: a UUID.' }),
  type: z.enum(SUBJECT_TYPES).meta({ description: 'The `subjectType` sent at creation.' }),
  subjectReference: z.string().meta({ description: "The client's own identifier for the subject, as sent." }),
  status: z.enum(STATUSES),
  requestedAt: dateTime.meta({ description: 'Time of creation, UTC.' }),
  currentStep: z.int().min(0).meta({ description: 'How many leading steps are complete; 0 at creation.' }),
  verificationUrl: z.url().meta({ description: 'Where to send the subject to complete the verification.' }),
};

const createdVerification: z.ZodType<Wire<CreatedVerification>> = z
  .strictObject({
    ...createdFields,
    status: z.literal('pending'),
    currentStep: z.literal(0).meta({ type: 'integer' }),
  })
  .meta({ description: 'The verification that was created.' });

const stepView = z.strictObject({
  key: step,
  status: z.enum(STEP_STATES).meta({ description: '`action_needed`: a reviewer asked for the step again.' }),
  completedAt: dateTime.nullable().meta({ description: 'When the current answers were given.' }),
});

const actionNeeded = z.strictObject({
  message: z.string().nullable(),
  items: z.array(
    z.strictObject({
      step,
      reasonCode,
      note: z.string().nullable().meta({ description: 'The note that the subject sees.' }),
      field: z.string().optional().meta({
        description: 'The field to redo, as a path in the answers of the step. Absent for the whole step.',
      }),
    }),
  ),
});

const decision = z.strictObject({
  outcome: z.enum(['approved', 'rejected']),
  reasonCodes: z.array(reasonCode).meta({
    description:
      '`withdrawn`: the client or the operator withdrew the verification. `expired`: it was not completed in time.',
  }),
  message: z.string().nullable(),
  decidedAt: dateTime,
});

const document = z.strictObject({
  id: z.string(),
  step: z.string(),
  kind: z.enum(EVIDENCE_KINDS),
  contentType: z.enum(EVIDENCE_CONTENT_TYPES),
  size: z.int().min(1).max(EVIDENCE_MAX_BYTES).meta({ description: 'Size in bytes.' }),
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .meta({ description: 'SHA-256 of the content, in hexadecimal.' }),
  uploadedAt: dateTime,
});

const historyEntry = z.strictObject({
  status: z.enum(STATUSES),
  at: dateTime,
  actor: z.enum(['client', 'subject', 'reviewer', 'operator', 'system']),
});

const pagination = z.strictObject({
  page: z.int().min(1),
  limit: z.int().min(1),
  totalCount: z.int().min(0).meta({ description: 'Exact number of matching verifications.' }),
  totalPages: z.int().min(0),
  hasMore: z.boolean().meta({ description: 'Whether further pages follow.' }),
});

const dataState: z.ZodType<Wire<DataState>> = z
  .strictObject({
    state: z.enum(DATA_STATES).meta({
      description:
        '`kept`: it can be read. `restricted`: its erasure was requested; it is hidden, and erased once the law allows that. ' +
        '`held`: a hold prevents the erasure. `erased`: it is gone.',
    }),
    until: dateTime.nullable().meta({
      description:
        'When it is erased; of a hold, when that ends. Null if this is not known yet, and once the data is erased.',
    }),
  })
  .meta({ description: 'The state of the data of a verification.' });

const origin = z
  .strictObject({
    origin: z.enum(ORIGINS).meta({
      description:
        '`read`: the value had been read from the document when the subject answered. `edited`: another value had been read. `typed`: ' +
        'none had been read, it is for reviewers only, or it cannot be compared.',
    }),
    read: z.string().exactOptional().meta({ description: 'With `edited`: the value that was read.' }),
  })
  .meta({ description: 'Where an answer comes from.' });

/** Makes the schemas of successful responses, by component name. */
export function responseSchemas(submittedData: z.ZodType<JsonSchema>): Readonly<Record<string, z.ZodType>> {
  const viewFields = {
    ...createdFields,
    resolvedAt: dateTime.nullable().meta({ description: 'Time of resolution, UTC; null while unresolved.' }),
    submittedData,
    metadata: anyObject.meta({
      description: 'The metadata sent at creation, unchanged; empty if none was sent.',
    }),
    returnUrl: z.string().exactOptional().meta({ description: 'Present if it was sent at creation.' }),
    locale: z.string().exactOptional().meta({ description: 'Present if it was sent at creation.' }),
  };

  const verification: z.ZodType<Wire<VerificationView>> = z
    .strictObject(viewFields)
    .meta({ description: 'A verification.' });

  const details: z.ZodType<Wire<VerificationDetails>> = z
    .strictObject({
      ...viewFields,
      totalSteps: z.int().min(1),
      steps: z.array(stepView).meta({ description: 'All steps, in their order.' }),
      actionNeeded: actionNeeded
        .nullable()
        .meta({ description: 'What a reviewer asked for; null in other states than `action_needed`.' }),
      decision: decision.nullable().meta({ description: 'The decision; null while unresolved.' }),
      documents: z.array(document).meta({
        description:
          'The files of completed steps, as long as they are kept, without those that the subject replaced after a request for action.',
      }),
      history: z.array(historyEntry).meta({ description: 'The changes of status, oldest first.' }),
      data: dataState,
      origins: z
        .partialRecord(z.enum(STEP_KEYS), z.record(z.string(), origin))
        .exactOptional()
        .meta({
          description:
            'Where answers come from for which a value was read from the document, by step and by its place in the answers of ' +
            'the step. Any other answer was typed. Absent if no document was read. Readings advise; they decide nothing.',
        }),
      warnings: z
        .array(z.string())
        .exactOptional()
        .meta({
          description:
            'Codes of the warnings that reviewers get about the last submission, each once. They decide nothing, and later versions may add ' +
            'codes. Do not show them to the subject. Absent unless the client switched them on, until they are computed, and once the data ' +
            `is hidden or erased. Codes: ${WARNING_CODES.map((code) => `\`${code}\``).join(', ')}.`,
        }),
    })
    .meta({
      description: 'A verification with its steps, decision, documents, history and the state of its data.',
    });

  const listed = z.strictObject({
    ...viewFields,
    dataError: z
      .enum(DATA_ERRORS)
      .exactOptional()
      .meta({
        description:
          'Present if the stored data of this verification cannot be read: `submittedData` is empty then. `UNREADABLE`: the ' +
          'data is damaged. `UNAVAILABLE`: the server lacks the secret that sealed it; try again later.',
      }),
  });

  const page: z.ZodType<Wire<VerificationPage>> = z
    .strictObject({ verifications: z.array(listed), pagination })
    .meta({ description: 'One page of a list.' });

  return {
    CreatedVerification: createdVerification,
    Verification: verification,
    VerificationPage: page,
    VerificationDetails: details,
    DataState: dataState,
  };
}

/** Converts a schema to what it accepts (`input`) or gives (`output`) on the wire. */
export function toJsonSchema(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io,
    override: ({ jsonSchema }) => simplify(jsonSchema),
  });
  return rest;
}

/** Converts named schemas to components of a document that refer to each other. */
export function toComponents(schemas: Readonly<Record<string, z.ZodType>>): Record<string, JsonSchema> {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(schemas)) registry.add(schema, { id });
  const made = z.toJSONSchema(registry, {
    io: 'output',
    uri: (id) => `#/components/schemas/${id}`,
    override: ({ jsonSchema }) => simplify(jsonSchema),
  });
  const entries = Object.entries(made.schemas).map(([name, { $schema: _, $id: __, ...schema }]) => [name, schema]);
  return Object.fromEntries(entries) as Record<string, JsonSchema>;
}

/** Removes what a reader of the document does not need. */
function simplify(schema: z.core.JSONSchema.BaseSchema): void {
  // JSON Schema lacks this format: the pattern says it.
  if (schema.format === 'e164') delete schema.format;
  // The format says the same: the pattern of a date-time has 300 characters.
  if (schema.format !== undefined) delete schema.pattern;
  // Keys of a JSON object are always text.
  delete schema.propertyNames;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
}
