import { listQuerySchema } from '@countersign/domain';
import { creationMessage } from '../creation-message.ts';
import { BODY_MAX_BYTES } from '../request-context.ts';
import type { QueryParameters } from '../request-target.ts';
import { endRelationship, eraseData } from './data-operations.ts';
import * as examples from './examples.ts';
import { exportData, readFile } from './file-operations.ts';
import { ANYWHERE, idParameter, needs, WITH_KEY } from './operation-parts.ts';
import { describeErrors, describeSuccess, successEnvelope } from './responses.ts';
import { type JsonSchema, toJsonSchema } from './schemas.ts';
import { WEBHOOK_CALLBACK } from './webhooks.ts';

const idempotencyKeyParameter: JsonSchema = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Makes a request safe to repeat: the same key with the same body gets the first answer again and counts nothing.',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x20-\\x7e]+$' },
  example: 'b7a3c1de-2f64-4f0e-9d0c-5a4f7f0f3f11',
};

/** One parameter for each field of the list's query. */
const listParameters = (): readonly JsonSchema[] =>
  Object.entries(listQuerySchema.shape).map(([name, field]) => {
    const { description, example, ...schema } = toJsonSchema(field, 'input');
    return { name, in: 'query', required: false, description, schema, example };
  });

/** The kinds of the list's query parameters, for reading a URL: `integer` if the schema accepts a number, otherwise `text`. The domain checks their values. */
export const LIST_PARAMETERS: QueryParameters = Object.fromEntries(
  Object.entries(listQuerySchema.shape).map(([name, field]) => [
    name,
    field.safeParse(1).success ? 'integer' : 'text',
  ]),
);

const create = () => ({
  operationId: 'createVerification',
  tags: ['Verifications'],
  summary: 'Creates a verification.',
  description: `${needs('verifications:create')} Send the subject to its \`verificationUrl\`. A client has at most one active verification for a \`subjectReference\`. Only a 201 counts toward the monthly limit.`,
  parameters: [idempotencyKeyParameter],
  requestBody: {
    required: true,
    description: `At most ${BODY_MAX_BYTES} bytes of JSON in UTF-8.`,
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/NewVerification' },
        examples: {
          individual: { summary: 'An individual.', value: examples.newIndividual },
          business: { summary: 'A business, with metadata.', value: examples.newBusiness },
          withReturn: {
            summary: 'An individual, with a way back to the client and a language.',
            value: examples.newWithReturn,
          },
        },
      },
    },
  },
  responses: {
    '201': describeSuccess('Created now, or earlier with the same `Idempotency-Key`.', {
      data: successEnvelope('CreatedVerification', { message: true }),
      headers: ['Location', 'Idempotent-Replayed'],
      examples: {
        created: { value: { success: true, data: examples.created, message: creationMessage({}) } },
        live: {
          summary: 'With `metadata.sandboxOutcome` and a key of live mode.',
          value: {
            success: true,
            data: examples.created,
            message: creationMessage({}, { sandboxOutcomeIgnored: true }),
          },
        },
      },
    }),
    ...describeErrors([
      ...WITH_KEY,
      'INVALID_JSON',
      'INVALID_SUBJECT_TYPE',
      'MISSING_SUBJECT_REFERENCE',
      'NO_ACTIVE_SUBSCRIPTION',
      'LIMIT_EXCEEDED',
      'DUPLICATE_SUBJECT_REFERENCE',
      'PAYLOAD_TOO_LARGE',
      'UNSUPPORTED_MEDIA_TYPE',
      'IDEMPOTENCY_KEY_REUSED',
    ]),
  },
  callbacks: WEBHOOK_CALLBACK,
});

const list = () => ({
  operationId: 'listVerifications',
  tags: ['Verifications'],
  summary: 'Lists verifications, page by page.',
  description: needs('verifications:read'),
  parameters: listParameters(),
  responses: {
    '200': describeSuccess('One page.', {
      data: successEnvelope('VerificationPage'),
      examples: {
        some: { value: { success: true, data: examples.page() } },
        unreadable: {
          summary: 'The stored data of one verification cannot be read.',
          value: { success: true, data: examples.pageWithUnreadable() },
        },
        none: { summary: 'No verification matches.', value: { success: true, data: examples.emptyPage } },
      },
    }),
    ...describeErrors(WITH_KEY),
  },
});

const get = () => ({
  operationId: 'getVerification',
  tags: ['Verifications'],
  summary: 'Gets a verification.',
  description: needs('verifications:read'),
  parameters: [idParameter],
  responses: {
    '200': describeSuccess('The verification.', {
      data: successEnvelope('Verification'),
      examples: {
        pending: { value: { success: true, data: examples.pending() } },
        withReturn: { value: { success: true, data: examples.pendingWithReturn() } },
      },
    }),
    ...describeErrors([...WITH_KEY, 'VERIFICATION_NOT_FOUND']),
  },
});

const details = () => ({
  operationId: 'getVerificationDetails',
  tags: ['Verifications'],
  summary: 'Gets the full details of a verification.',
  description: `${needs('verifications:read')} Adds steps, requested actions, decision, documents, history and the state of the data.`,
  parameters: [idParameter],
  responses: {
    '200': describeSuccess('The full details.', {
      data: successEnvelope('VerificationDetails'),
      examples: {
        pending: { value: { success: true, data: examples.pendingDetails() } },
        action_needed: { value: { success: true, data: examples.actionNeededDetails() } },
        rejected: {
          summary: 'Rejected by a reviewer.',
          value: { success: true, data: examples.rejectedDetails() },
        },
        expired: { summary: 'Not completed in time.', value: { success: true, data: examples.expiredDetails() } },
        erased: { summary: 'Its data was erased.', value: { success: true, data: examples.erasedDetails() } },
      },
    }),
    ...describeErrors([...WITH_KEY, 'VERIFICATION_NOT_FOUND']),
  },
});

const withdraw = () => ({
  operationId: 'withdrawVerification',
  tags: ['Verifications'],
  summary: 'Withdraws a verification.',
  description: `${needs('verifications:create')} Ends a verification that is \`pending\` or \`action_needed\`: it becomes \`rejected\` with the reason \`withdrawn\`, for good, and its \`subjectReference\` is free again. It still counts toward the month it was created in. A verification that is withdrawn already is returned unchanged, so the request can be repeated. Without \`verifications:read\`, \`submittedData\` is empty.`,
  parameters: [idParameter],
  requestBody: {
    required: false,
    description: 'No body, an empty JSON object, or `null`.',
    content: {
      'application/json': {
        schema: { type: 'object', properties: {}, additionalProperties: false },
        examples: { empty: { value: {} } },
      },
    },
  },
  responses: {
    '200': describeSuccess('Withdrawn, now or earlier.', {
      data: successEnvelope('Verification', { message: true }),
      examples: {
        withdrawn: { value: { success: true, data: examples.withdrawn(), message: 'Verification withdrawn' } },
      },
    }),
    ...describeErrors([
      ...WITH_KEY,
      'INVALID_JSON',
      'VERIFICATION_NOT_FOUND',
      'ILLEGAL_TRANSITION',
      'VERSION_CONFLICT',
      'PAYLOAD_TOO_LARGE',
      'UNSUPPORTED_MEDIA_TYPE',
    ]),
  },
});

const document = () => ({
  operationId: 'getOpenApiDocument',
  tags: ['Description'],
  summary: 'Gets this document.',
  description: 'Needs no key. Counts toward the rate limit of the network address.',
  security: [],
  responses: {
    '200': describeSuccess('An OpenAPI 3.1 document.', {
      data: {
        type: 'object',
        properties: { openapi: { type: 'string', const: '3.1.1' } },
        required: ['openapi', 'info', 'paths'],
      },
      headers: ['Vary', 'Content-Encoding'],
      examples: { shortened: { value: { openapi: '3.1.1', info: {}, paths: {} } } },
    }),
    ...describeErrors(ANYWHERE),
  },
});

/** Makes the paths of the document. A function, because a server starts without them. */
export const paths = (): Readonly<Record<string, JsonSchema>> => ({
  '/verifications': { get: list(), post: create() },
  '/verifications/{id}': { get: get() },
  '/verifications/{id}/details': { get: details() },
  '/verifications/{id}/files/{fileId}': { get: readFile() },
  '/verifications/{id}/export': { get: exportData() },
  '/verifications/{id}/withdraw': { post: withdraw() },
  '/verifications/{id}/relationship-end': { put: endRelationship() },
  '/verifications/{id}/data': { delete: eraseData() },
  '/openapi.json': { get: document() },
});
