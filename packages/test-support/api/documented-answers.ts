import { Ajv2020 } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';
import type { Answer } from './api-client.ts';

type Json = Readonly<Record<string, unknown>>;

/** Checks answers and examples against an OpenAPI document. */
export interface DocumentedAnswers {
  /** Lists why a value does not fit the schema at a JSON pointer; empty if it fits. */
  problemsOfValue(value: unknown, pointer: string): string[];
  /** Lists how an answer differs from what the document describes for the request. `path` is below the mount point. */
  problemsOfAnswer(
    request: { method: string; path: string },
    answer: Pick<Answer, 'status' | 'headers'> & { readonly body: unknown },
  ): string[];
}

/** @param transport names of headers that the document need not describe, besides those of the media type and the connection */
export function readDocument(document: Json, transport: readonly string[] = []): DocumentedAnswers {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  ajvFormats.default(ajv);
  ajv.addSchema(document, 'document');

  function problemsOfValue(value: unknown, pointer: string): string[] {
    const validate = ajv.getSchema(`document#${encodeURI(pointer)}`);
    if (validate === undefined) return [`there is no schema at ${pointer}`];
    if (validate(value) === true) return [];
    return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
  }

  function problemsOfHeader(name: string, reference: Json, text: string | null): string[] {
    const pointer = String(reference.$ref).slice(1);
    const { required, schema } = valueAt(document, pointer) as { required: boolean; schema: Json };
    if (text === null) return required ? [`${name} is missing`] : [];
    const value = schema.type === 'integer' ? Number(text) : text;
    return problemsOfValue(value, `${pointer}/schema`).map((problem) => `${name}: ${problem}`);
  }

  return {
    problemsOfValue,
    problemsOfAnswer({ method, path }, { status, headers, body }) {
      const pointer = responsePointer(document, { method, path, status });
      const response = valueAt(document, pointer) as { headers: Record<string, Json>; content: Json } | undefined;
      if (response === undefined) return [`${status} is not documented for ${method} ${path}`];
      const type = headers.get('content-type') ?? '';
      const problemsOfBody = (): string[] => {
        if (!(type in response.content)) return [`the type ${type} is not documented`];
        if (type !== 'application/json') return [];
        return problemsOfValue(body, `${pointer}/content/application~1json/schema`);
      };
      const named = Object.keys(response.headers).map((name) => name.toLowerCase());
      const unnamed = [...headers.keys()].filter(
        (name) => !NOT_NAMED.includes(name) && !transport.includes(name) && !named.includes(name),
      );
      return [
        ...Object.entries(response.headers).flatMap(([name, header]) =>
          problemsOfHeader(name, header, headers.get(name)),
        ),
        ...unnamed.map((name) => `the header ${name} is not documented`),
        ...(method === 'HEAD' ? [] : problemsOfBody()),
      ];
    },
  };
}

/** Headers that OpenAPI does not describe: they belong to the media type or to HTTP. */
const NOT_NAMED = ['content-type', 'connection'];

/** Finds where the document describes an answer; for an unknown path or method, in its components. */
function responsePointer(document: Json, request: { method: string; path: string; status: number }): string {
  const { method, path, status } = request;
  const below = path.replace(/[?#].*$/, '');
  const templates = Object.keys(document.paths as Json);
  const template = templates.find((candidate) => matches(candidate, below));
  if (status === 405) return '/components/responses/MethodNotAllowed';
  if (template === undefined && status === 404) return '/components/responses/NotFound';
  // Errors before routing are the same for all operations.
  const operations = valueAt(document, `/paths/${escaped(template ?? '/verifications')}`) as Json;
  const name = method === 'HEAD' ? 'get' : method.toLowerCase();
  const operation = name in operations ? name : Object.keys(operations)[0];
  return `/paths/${escaped(template ?? '/verifications')}/${operation}/responses/${status}`;
}

/** Compares segments; any text matches `{id}`. */
function matches(template: string, path: string): boolean {
  const [parts, segments] = [template.split('/'), path.split('/')];
  return (
    parts.length === segments.length &&
    parts.every((part, at) => part === segments[at] || (/^\{\w+\}$/.test(part) && segments[at] !== ''))
  );
}

const escaped = (part: string): string => part.replaceAll('~', '~0').replaceAll('/', '~1');

/** Returns the value at a JSON pointer (RFC 6901). */
function valueAt(document: Json, pointer: string): unknown {
  const parts = pointer.split('/').slice(1);
  return parts.reduce<unknown>((value, part) => {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
    return (value as Json | undefined)?.[name];
  }, document);
}
