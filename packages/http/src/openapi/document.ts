import { BUILT_IN_FLOWS, type Flows } from '@countersign/domain/flows';
import { relationshipEndSchema } from '@countersign/domain/retention';
import { PART_NAMES, type StoragePart } from '@countersign/domain/storage';
import { isServed } from '../needed-parts.ts';
import { metadataValueJsonSchema, newVerificationJsonSchema } from './new-verification.ts';
import { withOpenObjects } from './open-objects.ts';
import { paths } from './operations.ts';
import { describeErrorWithStatus, HEADERS } from './responses.ts';
import { responseSchemas, toComponents, toJsonSchema } from './schemas.ts';
import { submittedDataSchemas } from './submitted-data.ts';
import { WEBHOOK_SCHEMAS, WEBHOOKS } from './webhooks.ts';

const DESCRIPTION = `Identity verification of individuals (KYC) and businesses (KYB).

Create a verification for a subject, send the subject to its \`verificationUrl\`, and read the result.

Every response but a file is JSON: \`{ "success": true, "data": … }\`, or \`{ "success": false, "error": "for people", "code": "FOR_PROGRAMS" }\`.
Send the API key in the \`X-API-Key\` header; \`Authorization: Bearer\` is not read. Every request counts toward the rate
limit, refused ones included: with a valid key for its client, otherwise for its network address. \`X-RateLimit-Limit\`
says how many requests a minute are allowed. \`X-Countersign-Mode\` says whether the key is of \`live\` or \`test\` mode; without a valid key it is absent. \`HEAD\` works wherever \`GET\` does. An unknown path gets 404
\`NOT_FOUND\`, an unsupported method 405 \`METHOD_NOT_ALLOWED\`, both in the same envelope.`;

/**
 * Makes the OpenAPI 3.1 document of the API from the schemas and the table of errors that the API itself uses.
 *
 * @param options.flows the flows whose answers `submittedData` describes; default the built-in ones
 * @param options.parts the parts of the storage (`countersign.parts`); paths and webhooks that need others are left out. Default: all
 * @param options.serverUrl where clients reach the mount point: `https://verify.example/api/v1`, or just `/api/v1`
 * @param options.strict keeps `additionalProperties: false`, so that a test finds each field that is not described;
 *   default false: a published document leaves room for fields of later versions
 * @returns plain JSON
 *
 * @example
 * writeFileSync('openapi.json', JSON.stringify(openApiDocument({ serverUrl: 'https://verify.example/api/v1' })));
 */
export function openApiDocument({
  serverUrl,
  flows = BUILT_IN_FLOWS,
  parts = new Set(PART_NAMES),
  strict = false,
}: {
  readonly serverUrl: string;
  readonly flows?: Flows;
  readonly parts?: ReadonlySet<StoragePart>;
  readonly strict?: boolean;
}): object {
  const submittedData = submittedDataSchemas(flows);
  const document = {
    openapi: '3.1.1',
    info: {
      title: 'Countersign',
      version: '1.0.0',
      summary: 'Identity verification service',
      description: DESCRIPTION,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: serverUrl }],
    security: [{ apiKey: [] }],
    tags: [
      {
        name: 'Verifications',
        description: parts.has('retention')
          ? 'Create, read and withdraw verifications, and erase their data.'
          : 'Create, read and withdraw verifications.',
      },
      { name: 'Webhooks', description: 'Requests that this service sends to the endpoints of a client.' },
      { name: 'Description', description: 'The description of this interface.' },
    ],
    paths: Object.fromEntries(Object.entries(paths()).filter(([template]) => isServed(template, parts))),
    ...(parts.has('webhooks') && { webhooks: WEBHOOKS }),
    components: {
      securitySchemes: {
        apiKey: {
          type: 'apiKey',
          in: 'header',
          name: 'X-API-Key',
          description: '`csk_` and 64 lower-case hexadecimal characters.',
        },
      },
      headers: HEADERS,
      responses: {
        NotFound: describeErrorWithStatus('NOT_FOUND'),
        MethodNotAllowed: describeErrorWithStatus('METHOD_NOT_ALLOWED'),
      },
      schemas: {
        NewVerification: newVerificationJsonSchema(),
        MetadataValue: metadataValueJsonSchema,
        ...(parts.has('retention') && { RelationshipEnd: toJsonSchema(relationshipEndSchema, 'input') }),
        ...toComponents({
          ...responseSchemas(submittedData.schema),
          ...submittedData.components,
          ...(parts.has('webhooks') && WEBHOOK_SCHEMAS),
        }),
      },
    },
  };
  return strict ? document : withOpenObjects(document);
}
