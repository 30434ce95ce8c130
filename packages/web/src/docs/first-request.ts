import type { ApiOperation } from './api-document.ts';
import { type Docs, operationOf } from './docs.ts';
import { bodyOf, curlOf, literal } from './samples.ts';

/** A sample of code. */
export interface CodeSample {
  readonly id: string;
  /** The language, as its name is written. */
  readonly title: string;
  readonly text: string;
}

/** Stands for a key where none is known. */
const PLACEHOLDER = 'csk_…';

/** Sets the variables that every sample reads: the base address of the API, and the key. */
export function variablesSample({ baseUrl }: Pick<Docs, 'baseUrl'>, key: string = PLACEHOLDER): CodeSample {
  return { id: 'first-request.variables', title: 'Shell', text: `export BASE=${baseUrl}\nexport KEY=${key}` };
}

/** The languages of the samples, and how each writes the request. */
const PROGRAMS: readonly {
  readonly id: string;
  readonly title: string;
  readonly text: (request: Request) => string;
}[] = [
  { id: 'curl', title: 'curl', text: ({ create, keyHeader, body }) => curlOf(create, keyHeader, body) },
  { id: 'typescript', title: 'TypeScript', text: typescript },
  { id: 'python', title: 'Python', text: python },
  { id: 'php', title: 'PHP', text: php },
];

export const FIRST_REQUEST_LANGUAGES: readonly string[] = PROGRAMS.map(({ title }) => title);

/**
 * Returns programs that create a verification and print the subject's link, one in each language. Each has a subject reference of its
 * own: a second active verification of one subject would be refused.
 */
export function firstRequestSamples(docs: Pick<Docs, 'operations' | 'keyHeader'>): readonly CodeSample[] {
  const create = operationOf(docs, 'createVerification');
  const example = bodyOf(create) as Body;
  return PROGRAMS.map(({ id, title, text }, index) => {
    const body = { ...example, subjectReference: `user_${index + 1}` };
    const request: Request = { create, path: create.path, keyHeader: docs.keyHeader, body };
    return { id: `first-request.${id}`, title, text: text(request) };
  });
}

/** Names and texts only: they are written alike in JSON, Python and PHP. */
type Body = Readonly<Record<string, string>>;

interface Request {
  readonly create: ApiOperation;
  readonly path: string;
  readonly keyHeader: string;
  readonly body: Body;
}

function typescript({ body }: Request): string {
  return `import { createClient } from '@countersign/client';

const client = createClient({
  baseUrl: process.env.BASE ?? '',
  apiKey: process.env.KEY ?? '',
});

const { id, verificationUrl } = await client.verifications.create(${literal(body)});
console.log(verificationUrl);
const { status } = await client.verifications.get(id);`;
}

/** Needs the standard library only. */
function python({ path, keyHeader, body }: Request): string {
  return `import json
import os
from urllib.request import Request, urlopen

request = Request(
    os.environ["BASE"] + "${path}",
    data=json.dumps(${pairs(body, ([name, value]) => `"${name}": "${value}"`, ['{', '}'])}).encode(),
    headers={"${keyHeader}": os.environ["KEY"], "Content-Type": "application/json"},
)
with urlopen(request) as response:
    verification = json.load(response)["data"]
print(verification["verificationUrl"])`;
}

/** Needs PHP's curl extension. */
function php({ path, keyHeader, body }: Request): string {
  return `<?php
$request = curl_init(getenv('BASE') . '${path}');
curl_setopt_array($request, [
    CURLOPT_RETURNTRANSFER => true,
    CURLOPT_HTTPHEADER => ['${keyHeader}: ' . getenv('KEY'), 'Content-Type: application/json'],
    CURLOPT_POSTFIELDS => json_encode(${pairs(body, ([name, value]) => `'${name}' => '${value}'`, ['[', ']'])}),
]);
$response = json_decode(curl_exec($request), true);
echo $response['data']['verificationUrl'] ?? $response['error'], PHP_EOL;`;
}

function pairs(
  body: Body,
  write: (entry: [name: string, value: string]) => string,
  [open, close]: readonly [string, string],
): string {
  return `${open}${Object.entries(body).map(write).join(', ')}${close}`;
}
