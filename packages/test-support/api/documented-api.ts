import { openApiDocument } from '@countersign/http';
import type { Answer } from './api-client.ts';
import { readDocument as readAnswers } from './documented-answers.ts';

type Json = Readonly<Record<string, unknown>>;

/** An example value in the document. */
export interface Example {
  readonly value: unknown;
}

export interface DocumentedParameter extends Example {
  readonly parameter: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
}

export interface DocumentedOperation {
  readonly method: string;
  readonly path: string;
  readonly bodies: readonly Example[];
  readonly parameters: readonly DocumentedParameter[];
}

/** An OpenAPI 3.1 document with its examples and validators. */
export interface DocumentedApi {
  readonly operations: readonly DocumentedOperation[];
  /** Lists how a response differs from the operation's documented responses. */
  problemsOfAnswer(operation: Pick<DocumentedOperation, 'method' | 'path'>, answer: Answer): string[];
}

/** Headers of HTTP itself. */
const TRANSPORT = ['content-length', 'date', 'keep-alive', 'transfer-encoding'];
const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

/** Reads the document of a server in its strict form: then a field that it does not describe is a problem of a response. */
export async function readStrictDocument({ baseUrl }: { readonly baseUrl: string }): Promise<DocumentedApi> {
  const { servers } = (await (await fetch(`${baseUrl}/openapi.json`)).json()) as { servers: { url: string }[] };
  const serverUrl = servers[0]?.url ?? '';
  return readDocument(openApiDocument({ serverUrl, strict: true }) as Json);
}

function readDocument(document: Json): DocumentedApi {
  const operations = Object.entries(document.paths as Record<string, Record<string, Json>>).flatMap(
    ([path, item]) =>
      METHODS.filter((method) => method in item).map((method) => operationAt(document, method, path)),
  );
  return {
    operations,
    problemsOfAnswer: readAnswers(document, TRANSPORT).problemsOfAnswer,
  };
}

function operationAt(document: Json, method: string, path: string): DocumentedOperation {
  const pointer = pointerOf(method, path);
  const parameters = (at(document, `${pointer}/parameters`) ?? []) as unknown as readonly Json[];
  const body = `${pointer}/requestBody/content/application~1json`;
  return {
    method,
    path,
    bodies: examplesAt(document, body),
    parameters: parameters.flatMap((parameter, index) => {
      const name = String(parameter.name);
      const kind = { parameter: name, in: parameter.in as 'query', required: parameter.required === true };
      return examplesAt(document, `${pointer}/parameters/${index}`).map((example) => ({ ...example, ...kind }));
    }),
  };
}

/** Reads `example` and `examples` beside a schema (OpenAPI 3.1, Media Type Object and Parameter Object). */
function examplesAt(document: Json, pointer: string): Example[] {
  const { example, examples = {} } = at(document, pointer) ?? {};
  const named = Object.values(examples as Record<string, Example>).map(({ value }) => ({ value }));
  return example === undefined ? named : [{ value: example }, ...named];
}

function pointerOf(method: string, path: string): string {
  return `/paths/${path.replaceAll('~', '~0').replaceAll('/', '~1')}/${method}`;
}

/** Resolves a JSON pointer (RFC 6901). */
function at(document: Json, pointer: string): Json | undefined {
  let value: unknown = document;
  for (const part of pointer.split('/').slice(1)) {
    value = (value as Json | undefined)?.[part.replaceAll('~1', '/').replaceAll('~0', '~')];
  }
  return value as Json | undefined;
}
