import { openApiDocument } from '@countersign/http';
import openapiTypescript, { astToString, type OpenAPI3 } from 'openapi-typescript';
import { expect, it } from 'vitest';

const HEADER = `// Generated from the OpenAPI document of the API: do not edit. \`npm run client-types\` writes it again.

`;

type Paths = Record<string, Record<string, { responses?: Record<string, unknown> }>>;

/** Moves each response that several operations have to `components`, so that its type is written once. */
function withSharedResponses(document: OpenAPI3): OpenAPI3 {
  const paths = { ...document.paths, ...document.webhooks } as Paths;
  const operations = Object.values(paths).flatMap((path) => Object.values(path));
  const uses = operations.flatMap(({ responses = {} }) =>
    Object.keys(responses).map((status) => ({ responses, status })),
  );
  const equal = Map.groupBy(uses, ({ responses, status }) => JSON.stringify([status, responses[status]]));
  const shared = { ...document.components?.responses };
  for (const [text, places] of equal) {
    if (places.length === 1) continue;
    const [status, response] = JSON.parse(text);
    const variant = Object.keys(shared).filter((name) => name.startsWith(`Response${status}`)).length + 1;
    const name = variant === 1 ? `Response${status}` : `Response${status}Variant${variant}`;
    shared[name] = response;
    for (const { responses } of places) responses[status] = { $ref: `#/components/responses/${name}` };
  }
  return { ...document, components: { ...document.components, responses: shared } };
}

it('api-types.ts has the types that the OpenAPI document gives: npm run client-types writes them', async () => {
  const document = openApiDocument({ serverUrl: '/api/v1' }) as OpenAPI3;
  const types = await openapiTypescript(withSharedResponses(structuredClone(document)));
  await expect(HEADER + astToString(types)).toMatchFileSnapshot('./api-types.ts');
});
