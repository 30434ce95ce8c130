import { REASON_CODES, STATUSES, type Status } from '@countersign/domain';
import {
  RETRY_WAITS_MS,
  WEBHOOK_TYPES,
  type WebhookBody,
  type WebhookTestBody,
  type WebhookType,
} from '@countersign/domain/webhooks';
import { z } from 'zod';
import { VERIFICATION_ID } from './examples.ts';
import type { Wire } from './schemas.ts';

const timestamp = z.iso.datetime().meta({ description: 'Time of the event, UTC.' });

const verificationWebhook: z.ZodType<Wire<WebhookBody>> = z
  .strictObject({
    type: z.enum(WEBHOOK_TYPES),
    timestamp,
    data: z.strictObject({
      verificationId: z.string().meta({ description: 'Read the verification by this id to learn more.' }),
      status: z.enum(STATUSES).meta({ description: 'The status after the change.' }),
      sequence: z.int().min(1).meta({
        description:
          'Grows with each change of the verification. Ignore a webhook whose number is lower than one that was handled.',
      }),
      reasonCodes: z.array(z.enum(REASON_CODES)).meta({
        description: 'Why it was rejected, or which steps have to be redone; empty for other types.',
      }),
    }),
  })
  .meta({ description: 'The body of a webhook. It has no personal data.' });

const testWebhook: z.ZodType<Wire<WebhookTestBody>> = z
  .strictObject({
    type: z.literal('webhook.test'),
    timestamp,
    data: z.strictObject({ endpointId: z.string() }),
  })
  .meta({ description: 'The body of a test that a user sends from the dashboard or the command line.' });

/** The schemas of bodies of webhooks, by component name. */
export const WEBHOOK_SCHEMAS: Readonly<Record<string, z.ZodType>> = {
  VerificationWebhook: verificationWebhook,
  TestWebhook: testWebhook,
  Webhook: z
    .union([verificationWebhook, testWebhook])
    .meta({ description: 'The body of any webhook. More types may come: ignore unknown ones.' }),
};

interface Described {
  readonly summary: string;
  readonly status: Status;
  readonly sequence: number;
  readonly reasonCodes: WebhookBody['data']['reasonCodes'];
}

const DESCRIBED: Readonly<Record<WebhookType, Described>> = {
  'verification.created': {
    summary: 'A verification was created.',
    status: 'pending',
    sequence: 1,
    reasonCodes: [],
  },
  'verification.submitted': {
    summary: 'The subject completed every open step.',
    status: 'submitted',
    sequence: 8,
    reasonCodes: [],
  },
  'verification.action_needed': {
    summary: 'A reviewer asks the subject to redo steps.',
    status: 'action_needed',
    sequence: 10,
    reasonCodes: ['document_unreadable'],
  },
  'verification.approved': {
    summary: 'The verification was approved.',
    status: 'approved',
    sequence: 13,
    reasonCodes: [],
  },
  'verification.rejected': {
    summary: 'The verification was rejected or withdrawn, or it expired.',
    status: 'rejected',
    sequence: 13,
    reasonCodes: ['selfie_mismatch'],
  },
  'verification.link_renewed': {
    summary: 'The subject has a new link, and the earlier one ended.',
    status: 'pending',
    sequence: 2,
    reasonCodes: [],
  },
  'verification.data_restricted': {
    summary: 'The erasure of the data was requested. It is hidden until the law, or a hold, allows the erasure.',
    status: 'approved',
    sequence: 15,
    reasonCodes: [],
  },
  'verification.data_erased': {
    summary: 'The data was erased, on request or at the end of its period.',
    status: 'approved',
    sequence: 17,
    reasonCodes: [],
  },
};

const TO_A_WEBHOOK = {
  '2XX': { description: 'The webhook is received.' },
  '410': { description: 'The endpoint wants no more webhooks. It is disabled.' },
  default: { description: `The webhook is sent again, up to ${RETRY_WAITS_MS.length} times.` },
};

/** A test changes no endpoint and is not repeated. */
const TO_A_TEST = {
  '2XX': { description: 'The test is received.' },
  default: { description: 'The test failed. It is not sent again.' },
};

const AT = '2026-03-01T10:00:00.000Z';
const EVENT_ID = '01993d4c-5a80-7cc5-b4b4-3c1f0ae1a604';

/** The headers of a webhook. */
const HEADERS_SENT: readonly object[] = [
  header('webhook-id', 'Id of the event, the same for each attempt: use it to handle an event once.', EVENT_ID),
  header('webhook-timestamp', 'When this attempt was sent: Unix time in seconds.', '1772359200'),
  header(
    'webhook-signature',
    'Standard Webhooks: `v1,` and the base64 of an HMAC-SHA256, one for each secret, separated by spaces.',
    'v1,W83WgPsj6KXxPIkyEE2ln+sKL363gpSJpyb34rWQY5g=',
  ),
];

/** The `webhooks` of the OpenAPI document: the requests that this service sends. */
export const WEBHOOKS: Readonly<Record<string, object>> = {
  ...Object.fromEntries(
    WEBHOOK_TYPES.map((type) => {
      const { summary, ...data } = DESCRIBED[type];
      const body: WebhookBody = { type, timestamp: AT, data: { verificationId: VERIFICATION_ID, ...data } };
      return [type, describe(summary, 'VerificationWebhook', body)];
    }),
  ),
  'webhook.test': describe('A user sent a test from the dashboard or the command line.', 'TestWebhook', {
    type: 'webhook.test',
    timestamp: AT,
    data: { endpointId: '01993d4c-5a80-7cc5-b4b4-3c1f0ae1a603' },
  } satisfies WebhookTestBody),
};

/**
 * The callback of a creation: the webhooks that it causes, at an address that stands for the client's endpoints. Generators that start at
 * `paths` (oapi-codegen for Go) drop schemas that only `webhooks` uses, and then their output does not compile. It is no component,
 * because openapi-python-client refuses a reference to one.
 */
export const WEBHOOK_CALLBACK: object = {
  webhook: {
    'https://your-server.example/webhooks': {
      post: {
        operationId: 'receiveWebhook',
        summary: "Any webhook, sent to the client's endpoints, which are set in the dashboard.",
        tags: ['Webhooks'],
        security: [],
        parameters: HEADERS_SENT,
        requestBody: {
          required: true,
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Webhook' } } },
        },
        responses: TO_A_WEBHOOK,
      },
    },
  },
};

function describe(summary: string, schema: string, value: WebhookBody | WebhookTestBody): object {
  return {
    post: {
      operationId: value.type,
      summary,
      tags: ['Webhooks'],
      security: [],
      parameters: HEADERS_SENT,
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: { $ref: `#/components/schemas/${schema}` },
            examples: { sent: { value } },
          },
        },
      },
      responses: value.type === 'webhook.test' ? TO_A_TEST : TO_A_WEBHOOK,
    },
  };
}

function header(name: string, description: string, example: string): object {
  return { name, in: 'header', required: true, description, schema: { type: 'string' }, example };
}
