import { openApiDocument } from '@countersign/http';
import openapiTypescript, { astToString, type OpenAPI3 } from 'openapi-typescript';
import { expect, it } from 'vitest';

const HEADER = `// Generated from the OpenAPI document of the API: do not edit. \`npm run client-types\` writes it again.

`;

const capitalised = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

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
    const base = `Response${capitalised(status)}`;
    const variant = Object.keys(shared).filter((name) => name.startsWith(base)).length + 1;
    const name = variant === 1 ? base : `${base}Variant${variant}`;
    shared[name] = response;
    for (const { responses } of places) responses[status] = { $ref: `#/components/responses/${name}` };
  }
  return { ...document, components: { ...document.components, responses: shared } };
}

/** Writes a type that stands in several places once, with a name. Shorter ones than five lines stay. */
function withNamedTypes(source: string): string {
  const names = new Map<string, string>();
  const declarations: string[] = [];
  const blockAt = (lines: readonly string[], at: number) => {
    const [, indent, key = ''] = /^( *)"?(\w+)"?\??: \{$/.exec(lines[at] ?? '') ?? [];
    const end = indent === undefined ? -1 : lines.indexOf(`${indent}};`, at);
    const body = lines.slice(at + 1, end).map((line) => line.slice(indent?.length));
    return end - at < 4 ? undefined : { key, end, body };
  };
  const all = source.split('\n');
  const uses = Map.groupBy(all.keys(), (at) => blockAt(all, at)?.body.join('\n'));
  const rewrite = (lines: readonly string[]): string[] => {
    const written: string[] = [];
    for (let at = 0; at < lines.length; at += 1) {
      const line = lines[at] ?? '';
      const block = blockAt(lines, at);
      const text = block?.body.join('\n') ?? '';
      if (block === undefined || (uses.get(text)?.length ?? 0) < 2) {
        written.push(line);
        continue;
      }
      const { key, end, body } = block;
      const base = `Shared${capitalised(key)}`;
      const taken = [...names.values()].filter((name) => name.replace(/_\d+$/, '') === base).length;
      const name = names.get(text) ?? (taken === 0 ? base : `${base}_${taken + 1}`);
      if (!names.has(text)) {
        names.set(text, name);
        declarations.push(`type ${name} = {`, ...rewrite(body), '};');
      }
      written.push(line.replace(/\{$/, `${name};`));
      at = end;
    }
    return written;
  };
  return [...rewrite(all), ...declarations, ''].join('\n');
}

it('api-types.ts has the types that the OpenAPI document gives: npm run client-types writes them', async () => {
  const document = openApiDocument({ serverUrl: '/api/v1' }) as OpenAPI3;
  const types = await openapiTypescript(withSharedResponses(structuredClone(document)));
  await expect(HEADER + withNamedTypes(astToString(types))).toMatchFileSnapshot('./api-types.ts');
});
