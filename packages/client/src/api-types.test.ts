import { openApiDocument } from '@countersign/http';
import openapiTypescript, { astToString, type OpenAPI3 } from 'openapi-typescript';
import { expect, it } from 'vitest';

const HEADER = `// Generated from the OpenAPI document of the API: do not edit. \`npm run client-types\` writes it again.

`;

it('api-types.ts has the types that the OpenAPI document gives: npm run client-types writes them', async () => {
  const document = openApiDocument({ serverUrl: '/api/v1' }) as OpenAPI3;
  const types = await openapiTypescript(structuredClone(document));
  await expect(HEADER + astToString(types)).toMatchFileSnapshot('./api-types.ts');
});
