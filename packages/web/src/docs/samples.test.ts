import { describe, expect, it } from 'vitest';
import { realDocument } from '../../test-support/docs-site.ts';
import { type ApiOperation, operationsOf } from './api-document.ts';
import { FIRST_REQUEST_LANGUAGES, firstRequestSamples, variablesSample } from './first-request.ts';
import { curlOf, typescriptOf } from './samples.ts';
import { boundsOf, typesOf } from './schema-words.ts';

function operation(id: string): ApiOperation {
  const found = operationsOf(realDocument()).find(({ operationId }) => operationId === id);
  if (found === undefined) throw new Error(id);
  return found;
}

const ID = '01993d4c-5a80-7cc5-b4b4-3c1f0ae1a602';

describe('curlOf', () => {
  it('sends the first example of a body, with the key from a variable', () => {
    expect(curlOf(operation('endRelationship'), 'X-API-Key')).toBe(
      [
        `curl -sS -X PUT "$BASE/verifications/${ID}/relationship-end"`,
        '-H "X-API-Key: $KEY"',
        "-H 'Content-Type: application/json'",
        `-d '{"endedAt":"2026-09-30T16:00:00.000Z"}'`,
      ].join(' \\\n  '),
    );
  });

  it('sends no key where none is needed, and no optional query', () => {
    expect(curlOf(operation('getOpenApiDocument'), 'X-API-Key')).toBe('curl -sS "$BASE/openapi.json"');
    expect(curlOf(operation('eraseVerificationData'), 'X-API-Key')).not.toContain('withdraw');
  });

  it('quotes an apostrophe for the shell', () => {
    const create = operation('createVerification');
    const content = { schema: {}, examples: { first: { value: { subjectReference: "o'neill" } } } };
    const changed = { ...create, requestBody: { required: true, content: { 'application/json': content } } };
    expect(curlOf(changed, 'X-API-Key')).toContain(`-d '{"subjectReference":"o'\\''neill"}'`);
  });
});

describe('typescriptOf', () => {
  it('calls the path of the client with parameters and body', () => {
    expect(
      typescriptOf(operation('endRelationship')),
    ).toBe(`const { data } = await client.http.PUT('/verifications/{id}/relationship-end', {
  params: {
    path: {
      id: '${ID}'
    }
  },
  body: {
    endedAt: '2026-09-30T16:00:00.000Z'
  }
});`);
    expect(typescriptOf(operation('listVerifications'))).toBe(
      `const { data } = await client.http.GET('/verifications');`,
    );
  });
});

describe('firstRequestSamples', () => {
  it('creates a verification in each language, with the address and key of the variables', () => {
    const docs = { operations: operationsOf(realDocument()), keyHeader: 'X-API-Key' };
    expect(variablesSample({ baseUrl: 'https://verify.example/kyc/api/v1' }, 'csk_1').text).toBe(
      'export BASE=https://verify.example/kyc/api/v1\nexport KEY=csk_1',
    );
    const samples = new Map(firstRequestSamples(docs).map(({ title, text }) => [title, text]));
    expect([...samples.keys()]).toEqual(FIRST_REQUEST_LANGUAGES);
    expect(samples.get('PHP')).toBe(`<?php
$request = curl_init(getenv('BASE') . '/verifications');
curl_setopt_array($request, [
    CURLOPT_RETURNTRANSFER => true,
    CURLOPT_HTTPHEADER => ['X-API-Key: ' . getenv('KEY'), 'Content-Type: application/json'],
    CURLOPT_POSTFIELDS => json_encode(['subjectType' => 'kyc', 'subjectReference' => 'user_4']),
]);
$response = json_decode(curl_exec($request), true);
echo $response['data']['verificationUrl'] ?? $response['error'], PHP_EOL;`);
    // All can be run one after the other.
    const references = [...samples.values()].map((text) => /user_\d/.exec(text)?.[0]);
    expect(references).toEqual(['user_1', 'user_2', 'user_3', 'user_4']);
  });
});

describe('words of a schema', () => {
  it.each([
    [{ type: 'string', minLength: 1, maxLength: 256 }, 'string', ['1 to 256 characters']],
    [{ type: 'integer', minimum: 0 }, 'integer', []],
    [{ type: 'number', exclusiveMinimum: 0, maximum: 100 }, 'number', ['at most 100', 'more than 0']],
    [{ type: 'array', minItems: 2, maxItems: 2, items: { type: 'string' } }, 'array of string', ['2 items']],
    [{ anyOf: [{ type: 'string', format: 'date-time' }, { type: 'null' }] }, 'string (date-time) or null', []],
    [{ type: 'boolean', const: true }, 'true', []],
    [{ type: 'object', additionalProperties: {} }, 'object of any JSON value', []],
    [{ type: 'integer', default: 20 }, 'integer', ['default `20`']],
  ])('%j', (schema, type, bounds) => {
    const words = typesOf(schema).map(({ before, component = '' }) => before + component);
    expect([words.join(' or '), boundsOf(schema)]).toEqual([type, bounds]);
  });
});
