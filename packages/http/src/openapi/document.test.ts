import { LIST_LIMIT_DEFAULT, LIST_LIMIT_MAX, listQuerySchema, SUBJECT_TYPES } from '@countersign/domain';
import {
  BUILT_IN_FLOWS,
  currentFlow,
  type Flow,
  type Flows,
  placedFields,
  stepOf,
  stepsOf,
} from '@countersign/domain/flows';
import { WEBHOOK_TYPES, webhookBodyOf } from '@countersign/domain/webhooks';
import { readDocument } from '@countersign/test-support/api/documented-answers';
import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, it } from 'vitest';
import { givenApi, givenClient } from '../../test-support/api.ts';
import { type ApiErrorCode, ERRORS, type ErrorEntry, messageOf } from '../errors.ts';
import { apiRoutes } from '../routes.ts';
import { openApiDocument } from './document.ts';
import { VERIFICATION_ID } from './examples.ts';
import { LIST_PARAMETERS } from './operations.ts';

interface Example {
  readonly value: { readonly code?: string };
}
interface Content {
  /** Absent in the response of a file. */
  readonly 'application/json'?: { readonly schema: unknown; readonly examples: Record<string, Example> };
}
interface Operation {
  readonly description: string;
  readonly security?: readonly unknown[];
  readonly parameters?: readonly {
    name: string;
    description: string;
    schema: Record<string, unknown>;
    example: unknown;
  }[];
  readonly requestBody?: { content: Content };
  readonly responses: Record<string, { description: string; headers: Record<string, unknown>; content: Content }>;
}
interface Document {
  readonly paths: Record<string, Record<string, Operation>>;
  readonly webhooks: Record<string, { readonly post: Operation }>;
  readonly components: { readonly headers: Record<string, { example: unknown; description: string }> };
}

const entries = Object.entries(ERRORS) as [ApiErrorCode, ErrorEntry][];

const plain = openApiDocument({ serverUrl: '/api/v1', strict: true }) as Record<string, unknown> & Document;
const document = readDocument(plain);

const operations = Object.entries(plain.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => {
    const pointer = `/paths/${path.replaceAll('/', '~1')}/${method}`;
    return { name: `${method} ${path}`, pointer, operation };
  }),
);

describe('the OpenAPI document', () => {
  it('documents every code of the table that a route of the API raises, and no other', () => {
    const inPaths = operations.flatMap(({ operation }) =>
      Object.values(operation.responses).flatMap(({ content }) =>
        Object.values(content['application/json']?.examples ?? {}),
      ),
    );
    const documented = new Set([
      'NOT_FOUND',
      'METHOD_NOT_ALLOWED',
      ...inPaths.flatMap(({ value }) => value.code ?? []),
    ]);
    const raised = entries.filter(([, { coreOnly }]) => coreOnly !== true).map(([code]) => code);
    expect([...documented].toSorted()).toEqual(raised.toSorted());
  });

  it('describes each route of the API with the permission that it needs, and no other', () => {
    const routes = apiRoutes(givenApi().countersign).flatMap(({ access, template, operations: byMethod }) =>
      Object.entries(byMethod).map(([method, operation]) => {
        const permission = access === 'key' ? (operation as { permission: string }).permission : null;
        return [`${method.toLowerCase()} ${template}`, permission];
      }),
    );
    const described = operations.map(({ name, operation: { description, security } }) => {
      const [, permission = null] = /^Needs the permission `([^`]+)`/.exec(description) ?? [];
      expect(security?.length === 0, name).toBe(permission === null);
      return [name, permission];
    });
    expect(Object.fromEntries(described)).toEqual(Object.fromEntries(routes));
  });

  it('the OpenAPI document is valid OpenAPI 3.1', async () => {
    expect(await new Validator().validate(structuredClone(plain))).toEqual({ valid: true });
  });

  it('the OpenAPI document is plain JSON and names the server URL', () => {
    expect(JSON.parse(JSON.stringify(plain))).toEqual(plain);
    expect(openApiDocument({ serverUrl: 'https://a.example/api/v1' })).toMatchObject({
      servers: [{ url: 'https://a.example/api/v1' }],
    });
  });

  it('every constant has a type: without one, generated clients in Go read any value', () => {
    const constants: object[] = [];
    JSON.stringify(plain, (key, value: unknown) => {
      if (key !== 'example' && typeof value === 'object' && value !== null && 'const' in value)
        constants.push(value);
      return value;
    });
    expect(constants.length).toBeGreaterThan(5);
    expect(constants.filter((schema) => !('type' in schema))).toEqual([]);
  });

  it('every header has a description and an example that fits its schema', () => {
    for (const [name, { example, description }] of Object.entries(plain.components.headers)) {
      expect(document.problemsOfValue(example, `/components/headers/${name}/schema`), name).toEqual([]);
      expect(description).toMatch(/\S/);
    }
  });

  it('GET /verifications: each query parameter of the schema is documented and read by its kind', () => {
    const names = plain.paths['/verifications']?.get?.parameters?.map(({ name }) => name);
    expect(names).toEqual(Object.keys(listQuerySchema.shape));
    const integers = Object.keys(LIST_PARAMETERS).filter((name) => LIST_PARAMETERS[name] === 'integer');
    expect([Object.keys(LIST_PARAMETERS), integers]).toEqual([names, ['page', 'limit']]);
  });

  it('the OpenAPI document has the defaults and bounds that the domain applies to GET /verifications', () => {
    const parameters = plain.paths['/verifications']?.get?.parameters ?? [];
    const schemas = new Map(parameters.map(({ name, schema }) => [name, schema]));
    const defaults = [...schemas].flatMap(([name, schema]) =>
      'default' in schema ? [[name, schema.default]] : [],
    );
    expect(Object.fromEntries(defaults)).toEqual(listQuerySchema.parse({}));
    expect(schemas.get('limit')).toEqual({
      type: 'integer',
      minimum: 1,
      maximum: LIST_LIMIT_MAX,
      default: LIST_LIMIT_DEFAULT,
    });
    expect(schemas.get('subjectReference')).toEqual({ type: 'string', minLength: 1, maxLength: 256 });
  });
});

describe('the published document', () => {
  type Json = Record<string, unknown>;
  const published = openApiDocument({ serverUrl: '/api/v1' }) as Json & Document;
  const { schemas } = published.components as unknown as Record<string, Json>;

  /** Lists the objects in a part of the document, the components to which it refers included. */
  function reached(part: unknown, found = new Set<object>()): Set<object> {
    if (typeof part !== 'object' || part === null || found.has(part)) return found;
    found.add(part);
    for (const [key, held] of Object.entries(part)) {
      reached(
        key === '$ref' ? schemas?.[/^#\/components\/schemas\/(\w+)$/.exec(String(held))?.[1] ?? ''] : held,
        found,
      );
    }
    return found;
  }

  it('the published document is the strict one without additionalProperties: false, which would forbid fields of later versions', () => {
    const text = JSON.stringify(plain);
    expect(text.match(/"additionalProperties":false/g)?.length).toBeGreaterThan(100);
    const open: unknown = JSON.parse(text, (_, value: Json) => {
      if (value?.additionalProperties === false) delete value.additionalProperties;
      return value;
    });
    expect(published).toEqual(open);
  });

  it('reaches each schema of a webhook from its paths: generated clients in Go drop the others', () => {
    const fromPaths = reached(published.paths);
    const used = reached(published.webhooks);
    const dropped = Object.keys(schemas ?? {}).filter((name) => {
      const schema = schemas?.[name] as object;
      return used.has(schema) && !fromPaths.has(schema);
    });
    expect(dropped).toEqual([]);
    expect(fromPaths.has(schemas?.VerificationWebhook as object)).toBe(true);
  });

  it('no field of a request has a default: generated types would require it', () => {
    const bodies = operations.flatMap(({ operation }) => operation.requestBody ?? []);
    const fields = [...reached(bodies.map(({ content }) => content['application/json']?.schema))];
    expect(fields.length).toBeGreaterThan(10);
    expect(fields.filter((field) => 'default' in field)).toEqual([]);
  });
});

describe('the documented submittedData', () => {
  const schemas = (plain as unknown as { components: { schemas: Record<string, Schema> } }).components.schemas;

  interface Schema {
    readonly $ref?: string;
    readonly properties?: Record<string, Schema>;
    readonly items?: Schema;
    readonly anyOf?: readonly Schema[];
  }

  /** Follows references and the items of lists down to the properties. */
  function within(schema: Schema | undefined, key: string): Schema | undefined {
    const name = schema?.$ref?.split('/').at(-1);
    const found = name === undefined ? schema : schemas[name];
    return (found?.items ?? found)?.properties?.[key];
  }

  const documented = SUBJECT_TYPES.flatMap((type) =>
    stepsOf(currentFlow(type)).flatMap((step) =>
      placedFields(stepOf(currentFlow(type), step)?.fields ?? {}).map(({ path }) => [type, step, path] as const),
    ),
  );

  it.each(documented)('%s %s: has the field %s', (type, step, path) => {
    const flow: Schema = { $ref: `#/components/schemas/${type === 'kyc' ? 'Kyc' : 'Kyb'}SubmittedData` };
    const found = [step, ...path.split('.')].reduce<Schema | undefined>(within, flow);
    expect(found).toBeDefined();
  });

  it('the documented submittedData is one object with the steps of all flows, so that generated clients drop no step', () => {
    const all = Object.keys(schemas.SubmittedData?.properties ?? {});
    expect(all.toSorted()).toEqual([...new Set(documented.map(([, step]) => step))].toSorted());
    const reading = schemas.Verification?.properties?.submittedData;
    expect(reading).toEqual({ $ref: '#/components/schemas/SubmittedData' });
    // A generated client takes the first that fits.
    const consents = schemas.SubmittedData?.properties?.consent?.anyOf?.map(({ $ref }) => $ref);
    expect(consents).toEqual(['#/components/schemas/KybConsent', '#/components/schemas/KycConsent']);
  });

  it('the documented submittedData has a schema for each version of a flow; a step that they share has one', () => {
    const [first] = BUILT_IN_FLOWS.kyc as readonly [Flow];
    const second = {
      ...first,
      version: 2,
      steps: { ...first.steps, selfie: stepOf(first, 'document') ?? undefined },
    };
    const flows = { ...BUILT_IN_FLOWS, kyc: [first, second] } as Flows;
    const { components } = openApiDocument({ serverUrl: '/', flows }) as typeof plain & {
      components: { schemas: object };
    };
    const names = Object.keys(components.schemas).filter((name) => name.startsWith('Kyc'));
    expect(names).toEqual(
      expect.arrayContaining(['KycSubmittedData', 'KycSubmittedDataV1', 'KycSelfieV1', 'KycPerson']),
    );
    expect(names).not.toContain('KycPersonV1');
  });

  it('a step whose newest version only makes fields optional has one schema', () => {
    const person = schemas.KycPerson as { required?: string[] } | undefined;
    expect(Object.keys(schemas)).not.toContain('KycPersonV1');
    expect(person?.required).toEqual(['lastName', 'dateOfBirth', 'nationalities']);
  });
});

describe('the documented webhooks', () => {
  it('the documented webhooks are every type and the test, each with an example that fits its schema', () => {
    expect(Object.keys(plain.webhooks)).toEqual([...WEBHOOK_TYPES, 'webhook.test']);
    for (const [type, { post }] of Object.entries(plain.webhooks)) {
      const example = post.requestBody?.content['application/json']?.examples.sent?.value;
      expect(example).toMatchObject({ type });
      const schema = `/webhooks/${type}/post/requestBody/content/application~1json/schema`;
      expect(document.problemsOfValue(example, schema), type).toEqual([]);
      expect(document.problemsOfValue({ ...example, email: 'a@b.example' }, schema), type).not.toEqual([]);
    }
  });

  it('say that a test is not repeated and disables nothing, and give each request an id of its event', () => {
    const statusesOf = (type: string) => Object.keys(plain.webhooks[type]?.post.responses ?? {});
    expect(statusesOf('verification.created')).toEqual(['410', '2XX', 'default']);
    expect(statusesOf('webhook.test')).toEqual(['2XX', 'default']);
    for (const { post } of Object.values(plain.webhooks)) {
      const id = post.parameters?.find(({ name }) => name === 'webhook-id');
      expect(id?.example).not.toBe(VERIFICATION_ID);
    }
  });

  it('fit the body that the domain makes of an event', () => {
    const body = webhookBodyOf({
      id: 'event-1',
      clientId: 'client-1',
      verificationId: 'verification-1',
      version: 7,
      status: 'rejected',
      at: new Date('2026-03-01T10:00:00.000Z'),
      actor: { kind: 'system', id: null },
      type: 'verification.expired',
      data: { reasonCodes: ['expired'] },
    });
    expect(document.problemsOfValue(body, '/components/schemas/VerificationWebhook')).toEqual([]);
  });
});

describe('the documented examples of invalid input', () => {
  it.each<[code: ApiErrorCode, path: string, body?: object]>([
    ['INVALID_PARAMETERS', '/verifications?limit=101'],
    ['INVALID_SUBJECT_TYPE', '/verifications', { subjectType: 'person', subjectReference: 'user_1' }],
    ['MISSING_SUBJECT_REFERENCE', '/verifications', { subjectType: 'kyc' }],
  ])('%s: the API answers the documented example word for word', async (code, path, body) => {
    const api = givenApi();
    const { key } = await givenClient(api);
    const answer = await (body === undefined ? api.request(path, { key }) : api.post(body, { key }));
    const { exampleValues, exampleData } = ERRORS[code];
    const error = messageOf(code, { values: exampleValues });
    expect(answer.body).toEqual({ success: false, error, code, data: exampleData });
  });
});

/** Whether a response is a file, which has no example. Everything else is JSON. */
const isFile = (content: Content): boolean => !('application/json' in content);

describe.each(operations)('$name', ({ operation, pointer }) => {
  it('each parameter and body has an example that fits its schema', () => {
    for (const [index, { name, example, description }] of (operation.parameters ?? []).entries()) {
      expect(document.problemsOfValue(example, `${pointer}/parameters/${index}/schema`), name).toEqual([]);
      expect(description).toMatch(/\S/);
    }
    const bodies = operation.requestBody?.content['application/json']?.examples ?? {};
    for (const [name, { value }] of Object.entries(bodies)) {
      const schema = `${pointer}/requestBody/content/application~1json/schema`;
      expect(document.problemsOfValue(value, schema), name).toEqual([]);
    }
  });

  it('each response has an example that fits its schema', () => {
    for (const [status, { content, headers }] of Object.entries(operation.responses)) {
      const examples = Object.entries(content['application/json']?.examples ?? {});
      if (!isFile(content)) expect(examples.length).toBeGreaterThan(0);
      for (const [name, { value }] of examples) {
        const schema = `${pointer}/responses/${status}/content/application~1json/schema`;
        expect(document.problemsOfValue(value, schema), name).toEqual([]);
      }
      expect(Object.keys(headers)).toEqual(
        expect.arrayContaining([
          'X-Request-Id',
          'X-RateLimit-Limit',
          'X-RateLimit-Remaining',
          'X-RateLimit-Reset',
        ]),
      );
    }
  });

  it('shows each code under its status and accepts no other code there', () => {
    for (const [status, { content }] of Object.entries(operation.responses)) {
      if (isFile(content)) continue;
      const schema = `${pointer}/responses/${status}/content/application~1json/schema`;
      const shown = Object.keys(content['application/json']?.examples ?? {});
      for (const [code, { status: own, exampleData: data }] of entries) {
        const value = { success: false, error: messageOf(code), code, ...(data && { data }) };
        const fits = document.problemsOfValue(value, schema).length === 0;
        expect(fits, `${code} under ${status}`).toBe(shown.includes(code));
        if (fits) expect(String(own)).toBe(status);
      }
    }
  });

  it('an undescribed field does not fit the schema of a response', () => {
    for (const [status, { content }] of Object.entries(operation.responses)) {
      if (pointer.includes('openapi.json') && status === '200') continue;
      const schema = `${pointer}/responses/${status}/content/application~1json/schema`;
      for (const { value } of Object.values(content['application/json']?.examples ?? {})) {
        expect(document.problemsOfValue({ ...value, more: 1 }, schema)).not.toEqual([]);
      }
    }
  });
});

describe('MetadataValue', () => {
  const send = async (value: string) => {
    const api = givenApi();
    const { key } = await givenClient(api);
    const body = `{"subjectType":"kyc","subjectReference":"user_1","metadata":{"a":${value}}}`;
    const { status } = await api.post(body, { key });
    return { status, problems: document.problemsOfValue(JSON.parse(body), '/components/schemas/NewVerification') };
  };

  it.each([
    '9007199254740991',
    '-9007199254740991',
    '0.1',
    '1e15',
    '"9007199254740993"',
    'null',
    '[[true, {"b": "é"}]]',
  ])('describes %s, which the API keeps', async (value) => {
    expect(await send(value)).toEqual({ status: 201, problems: [] });
  });

  it.each([
    '9007199254740992',
    '9007199254740993',
    '-9007199254740993',
    '1e300',
    '1e400',
    '[{"b": 9007199254740993}]',
    '"\\u0000"',
  ])('refuses %s, as the API does', async (value) => {
    const { status, problems } = await send(value);
    expect(status).toBe(400);
    expect(problems).not.toEqual([]);
  });
});
