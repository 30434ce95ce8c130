import type { ApiOperation, Parameter } from './api-document.ts';

/** Returns the body of an operation's first example; undefined if it needs none. */
export function bodyOf({ requestBody }: ApiOperation): unknown {
  if (requestBody?.required !== true) return undefined;
  return Object.values(requestBody.content['application/json'].examples)[0]?.value;
}

function parametersIn(operation: ApiOperation, place: Parameter['in']): readonly Parameter[] {
  return operation.parameters?.filter((parameter) => parameter.in === place) ?? [];
}

/** Quotes a text for a POSIX shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Whether a success is a file, not JSON. */
function sendsFile({ responses }: ApiOperation): boolean {
  return Object.entries(responses).some(
    ([status, { content }]) => status.startsWith('2') && content !== undefined && !('application/json' in content),
  );
}

/** Writes an operation as a curl command, with its first example as body. `$BASE` is the base address, `$KEY` the API key. */
export function curlOf(operation: ApiOperation, keyHeader: string, body: unknown = bodyOf(operation)): string {
  const { method, needsKey } = operation;
  const path = parametersIn(operation, 'path').reduce(
    (url, { name, example }) => url.replace(`{${name}}`, encodeURIComponent(String(example))),
    operation.path,
  );
  const lines = [
    `curl -sS ${sendsFile(operation) ? '-fOJ ' : ''}${method === 'GET' ? '' : `-X ${method} `}"$BASE${path}"`,
    ...(needsKey ? [`-H "${keyHeader}: $KEY"`] : []),
    ...parametersIn(operation, 'header').map(({ name, example }) => `-H ${quoted(`${name}: ${String(example)}`)}`),
    ...(body === undefined ? [] : [`-H 'Content-Type: application/json'`, `-d ${quoted(JSON.stringify(body))}`]),
  ];
  return lines.join(' \\\n  ');
}

/** Writes an operation as a call of `client.http` of @countersign/client, which has every path of the document. */
export function typescriptOf(operation: ApiOperation): string {
  const path = Object.fromEntries(parametersIn(operation, 'path').map(({ name, example }) => [name, example]));
  const body = bodyOf(operation);
  const options = {
    ...(Object.keys(path).length === 0 ? {} : { params: { path } }),
    ...(body === undefined ? {} : { body }),
    ...(sendsFile(operation) ? { parseAs: 'blob' } : {}),
  };
  const argument = Object.keys(options).length === 0 ? '' : `, ${literal(options)}`;
  return `const { data } = await client.http.${operation.method}('${operation.path}'${argument});`;
}

const NAME = /^(\s*)"([A-Za-z_$][\w$]*)":/gm;
const TEXT = /"(?:[^"\\]|\\.)*"/g;

/** Writes a JSON value as TypeScript does: names without quotes, plain texts in single ones. */
export function literal(value: unknown): string {
  return JSON.stringify(value, null, 2)
    .replaceAll(NAME, '$1$2:')
    .replaceAll(TEXT, (text) => (/[\\']/.test(text) ? text : `'${text.slice(1, -1)}'`));
}
