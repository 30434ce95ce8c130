import {
  type ApiDocument,
  type DocumentedResponse,
  type JsonSchema,
  nameIn,
  operationsOf,
} from './api-document.ts';
import { OBJECTS, referencePath, WEBHOOKS } from './reference-paths.ts';

/**
 * Where the reference describes each component of the document: at every operation that sends or receives it, once on its page.
 * Links lead to the first.
 */
export interface Components {
  readonly names: readonly string[];
  /** @throws Error if the document has no such component */
  schemaOf(name: string): JsonSchema;
  /** Returns the path of the description of a component: on this page of the reference, or on the first that has one. */
  addressOf(name: string, page?: string): string;
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
  const operations = operationsOf(document);
  /** The body or response that describes a component, by page and component. */
  const described = new Map<string, string>();
  /** The first page that describes each component. */
  const pages = new Map<string, string>();

  function place(page: string, schema: JsonSchema | undefined, id: string): void {
    const name = nameIn(schema ?? {});
    if (name === undefined || described.has(`${page} ${name}`)) return;
    described.set(`${page} ${name}`, id);
    if (!pages.has(name)) pages.set(name, page);
  }

  for (const { operationId, requestBody, responses } of operations) {
    place(operationId, requestBody?.content['application/json'].schema, `${operationId}.body`);
    for (const [status, { content }] of Object.entries(responses)) {
      place(operationId, content?.['application/json']?.schema.properties?.data, `${operationId}.${status}`);
    }
  }
  for (const { post } of Object.values(document.webhooks ?? {})) {
    place(WEBHOOKS, post.requestBody?.content['application/json'].schema, WEBHOOKS);
  }
  const others = Object.keys(schemas).filter((name) => !pages.has(name));
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
    names: Object.keys(schemas),
    addressOf(name, page) {
      const isHere = page !== undefined && described.has(`${page} ${name}`);
      return `${referencePath(isHere ? page : (pages.get(name) ?? OBJECTS))}#${name}`;
    },
    isDescribedAt: (name, id) => described.get(`${id.split('.', 1)[0]} ${name}`) === id,
    others,
    sharedHeaders: Object.keys(headers).filter((name) => !ofSuccesses.includes(name)),
    ownHeadersOf,
  };
}
