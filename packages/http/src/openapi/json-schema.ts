import { z } from 'zod';

/** A schema as an OpenAPI 3.1 document holds it: JSON Schema, draft 2020-12. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** What a schema accepts (`input`) or gives (`output`) on the wire. */
export function toJsonSchema(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, override: ({ jsonSchema }) => plain(jsonSchema) });
  return rest;
}

/** Schemas by name as they stand in the components of a document, each of them referring to the others. */
export function toComponents(schemas: Readonly<Record<string, z.ZodType>>): Record<string, JsonSchema> {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(schemas)) registry.add(schema, { id });
  const made = z.toJSONSchema(registry, {
    io: 'output',
    uri: (id) => `#/components/schemas/${id}`,
    override: ({ jsonSchema }) => plain(jsonSchema),
  });
  const entries = Object.entries(made.schemas).map(([name, { $schema: _, $id: __, ...schema }]) => [name, schema]);
  return Object.fromEntries(entries) as Record<string, JsonSchema>;
}

/** Takes out what a reader of the document has no use for. */
function plain(schema: z.core.JSONSchema.BaseSchema): void {
  // A format says it already: the pattern of a date-time is 300 characters long.
  if (schema.format !== undefined) delete schema.pattern;
  // The names of a JSON object are texts anyway.
  delete schema.propertyNames;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
}
