import { HEADERS } from './headers.ts';
import { toComponents } from './json-schema.ts';
import { newVerificationJsonSchema, PATHS } from './operations.ts';
import { errorResponse } from './responses.ts';
import {
  createdVerificationSchema,
  verificationDetailsSchema,
  verificationPageSchema,
  verificationSchema,
} from './schemas.ts';

const DESCRIPTION = `Identity verification of individuals (KYC) and businesses (KYB).

Create a verification for a subject, send the subject to its \`verificationUrl\`, and read how it goes.

Every answer is JSON: \`{ "success": true, "data": … }\`, or \`{ "success": false, "error": "for people", "code": "FOR_PROGRAMS" }\`.
Every request counts toward the rate limit, also one that is refused: with a valid key for its client (100 a minute on
Standard, 500 on Enterprise), else for its network address. \`HEAD\` works wherever \`GET\` does. An unknown path answers
404 \`NOT_FOUND\`, an unknown method 405 \`METHOD_NOT_ALLOWED\`, both in the same envelope.`;

/**
 * The OpenAPI 3.1 document of the API, made of the schemas that the wire is checked against.
 * @param options.serverUrl where clients reach the mount point: `https://verify.example/api/v1`, or just `/api/v1`
 */
export function openApiDocument({ serverUrl }: { serverUrl: string }): object {
  return {
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
      { name: 'Verifications', description: 'Creating and reading verifications.' },
      { name: 'Description', description: 'What this interface says about itself.' },
    ],
    paths: PATHS,
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
        NotFound: errorResponse(['NOT_FOUND']),
        MethodNotAllowed: errorResponse(['METHOD_NOT_ALLOWED']),
      },
      schemas: {
        NewVerification: newVerificationJsonSchema,
        ...toComponents({
          CreatedVerification: createdVerificationSchema,
          Verification: verificationSchema,
          VerificationPage: verificationPageSchema,
          VerificationDetails: verificationDetailsSchema,
        }),
      },
    },
  };
}
