import { openApiDocument } from '@countersign/http';
import { Ajv2020 } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';
import type { Answer } from './api-client.ts';

type Json = Readonly<Record<string, unknown>>;

/** An example value in the document and the place of its schema. */
export interface Example {
  /** Names the test: `post /verifications, body individual`. */
  readonly name: string;
  readonly value: unknown;
  /** JSON pointer. */
  readonly schema: string;
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

/** HTTP headers that the document need not describe. */
const TRANSPORT = ['connection', 'content-length', 'content-type', 'date', 'keep-alive', 'transfer-encoding'];
const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

/** Reads the document of a server in its strict form: then a field that it does not describe is a problem of a response. */
export async function readStrictDocument({ baseUrl }: { readonly baseUrl: string }): Promise<DocumentedApi> {
  const { servers } = (await (await fetch(`${baseUrl}/openapi.json`)).json()) as { servers: { url: string }[] };
  const serverUrl = servers[0]?.url ?? '';
  return readDocument(openApiDocument({ serverUrl, strict: true }) as Json);
}

function readDocument(document: Json): DocumentedApi {
  // Not strict: the document has keywords of OpenAPI that ajv does not know.
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  ajvFormats.default(ajv);
  ajv.addSchema(document, 'document');

  const problemsOf = ({ value, schema }: Pick<Example, 'value' | 'schema'>): string[] => {
    // Encoded twice: as a JSON pointer and as a URL fragment.
    const validate = ajv.compile({ $ref: `document#${encodeURI(schema)}` });
    if (validate(value)) return [];
    return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
  };
  const problemsOfResponse = (pointer: string, { status, headers, body }: Answer): string[] => {
    const response = at(document, pointer);
    if (response === undefined) return [`${status} is not documented`];
    const content = `${pointer}/content/application~1json/schema`;
    const type = headers.get('content-type') ?? 'none';
    const ofBody = (): string[] => {
      if (!(type in ((response.content ?? {}) as Json))) return [`the type ${type} is not documented`];
      return type === 'application/json' ? problemsOf({ value: body, schema: content }) : [];
    };
    const documented = new Map(
      Object.entries((response.headers ?? {}) as Json).map(([name, header]) => [
        name.toLowerCase(),
        header as Json,
      ]),
    );
    return [
      ...ofBody(),
      ...[...documented].flatMap(([name, header]) => problemsOfHeader(name, header, headers.get(name))),
      ...[...headers.keys()]
        .filter((name) => !documented.has(name) && !TRANSPORT.includes(name))
        .map((name) => `${name} is not documented`),
    ];
  };
  const problemsOfHeader = (name: string, header: Json, text: string | null): string[] => {
    const pointer = (header as { $ref: string }).$ref.slice(1);
    const { required, schema } = at(document, pointer) ?? {};
    if (text === null) return required === true ? [`${name} is missing`] : [];
    const value = (schema as Json).type === 'integer' && /^\d+$/.test(text) ? Number(text) : text;
    return problemsOf({ value, schema: `${pointer}/schema` }).map((problem) => `${name}${problem}`);
  };

  const operations = Object.entries(document.paths as Record<string, Record<string, Json>>).flatMap(
    ([path, item]) =>
      METHODS.filter((method) => method in item).map((method) => operationAt(document, method, path)),
  );
  return {
    operations,
    problemsOfAnswer: ({ method, path }, answer) =>
      problemsOfResponse(`${pointerOf(method, path)}/responses/${answer.status}`, answer),
  };
}

function operationAt(document: Json, method: string, path: string): DocumentedOperation {
  const pointer = pointerOf(method, path);
  const parameters = (at(document, `${pointer}/parameters`) ?? []) as unknown as readonly Json[];
  const body = `${pointer}/requestBody/content/application~1json`;
  return {
    method,
    path,
    bodies: examplesAt(document, body, `${method} ${path}, body`),
    parameters: parameters.flatMap((parameter, index) => {
      const name = String(parameter.name);
      const kind = { parameter: name, in: parameter.in as 'query', required: parameter.required === true };
      return examplesAt(document, `${pointer}/parameters/${index}`, `${method} ${path}, ${name}`).map(
        (example) => ({ ...example, ...kind }),
      );
    }),
  };
}

/** Reads `example` and `examples` beside a schema (OpenAPI 3.1, Media Type Object and Parameter Object). */
function examplesAt(document: Json, pointer: string, name: string): Example[] {
  const { example, examples = {} } = at(document, pointer) ?? {};
  const schema = `${pointer}/schema`;
  const named = Object.entries(examples as Record<string, Json>).map(([key, { value }]) => ({
    name: `${name} ${key}`,
    value,
    schema,
  }));
  return example === undefined ? named : [{ name, value: example, schema }, ...named];
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
