import {
  type ApiDocument,
  type DocumentedResponse,
  type JsonSchema,
  nameIn,
  operationsOf,
} from './api-document.ts';

/** Where the reference describes each component of the document: once, at the first operation that sends or receives it. */
export interface Components {
  /** @throws Error if the document has no such component */
  schemaOf(name: string): JsonSchema;
  /** Returns the address of the description of a component, within the page. */
  addressOf(name: string): string;
  /** Whether the component is described at the body or response with this id: `createVerification.201`. */
  isDescribedAt(name: string, id: string): boolean;
  /** Components that no operation sends or receives as a whole. */
  readonly others: readonly string[];
  /** Headers of every response, and of errors. */
  readonly sharedHeaders: readonly string[];
  /** Headers of a success beside those of every response. */
  ownHeadersOf(response: DocumentedResponse): readonly string[];
}

/** Assigns each component of the document to its place. */
export function placeComponents(document: ApiDocument): Components {
  const { schemas, headers } = document.components;
  const places = new Map<string, string>();
  const operations = operationsOf(document);
  for (const { operationId, requestBody, responses } of operations) {
    const body = requestBody?.content['application/json'].schema;
    place(body, `${operationId}.body`);
    for (const [status, { content }] of Object.entries(responses)) {
      place(content?.['application/json']?.schema.properties?.data, `${operationId}.${status}`);
    }
  }

  function place(schema: JsonSchema | undefined, id: string): void {
    const name = schema === undefined ? undefined : nameIn(schema);
    if (name !== undefined && !places.has(name)) places.set(name, id);
  }

  const webhookBodies = Object.values(document.webhooks).map(({ post }) =>
    nameIn(post.requestBody?.content['application/json'].schema ?? {}),
  );
  const allResponses = operations.flatMap(({ responses }) => Object.values(responses));
  const ofEvery = Object.keys(headers).filter((name) =>
    allResponses.every((response) => Object.hasOwn(response.headers ?? {}, name)),
  );

  const ownHeadersOf = (response: DocumentedResponse): readonly string[] =>
    Object.keys(response.headers ?? {}).filter((name) => !ofEvery.includes(name));
  const ofSuccesses = operations.flatMap(({ responses }) =>
    Object.entries(responses).flatMap(([status, response]) =>
      status.startsWith('2') ? ownHeadersOf(response) : [],
    ),
  );

  return {
    schemaOf(name) {
      const schema = schemas[name];
      if (schema === undefined) throw new Error(`The OpenAPI document has no schema ${name}`);
      return schema;
    },
    addressOf: (name) => `#${name}`,
    isDescribedAt: (name, id) => places.get(name) === id,
    others: Object.keys(schemas).filter((name) => !places.has(name) && !webhookBodies.includes(name)),
    sharedHeaders: Object.keys(headers).filter((name) => !ofSuccesses.includes(name)),
    ownHeadersOf,
  };
}
