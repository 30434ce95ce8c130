/** JSON Schema as the document holds it: the keywords that the pages show. */
export interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string;
  readonly description?: string;
  readonly format?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | JsonSchema;
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
}

export interface Example {
  readonly summary?: string;
  readonly value: unknown;
}

/** A parameter or a header. */
export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly description: string;
  readonly schema: JsonSchema;
  readonly example: unknown;
}

/** Bodies by their type. A file has types of its own, without `application/json`. */
export interface Content {
  readonly 'application/json': {
    readonly schema: JsonSchema;
    readonly examples: Readonly<Record<string, Example>>;
  };
}

export interface RequestBody {
  readonly required: boolean;
  readonly description?: string;
  readonly content: Content;
}

export interface DocumentedResponse {
  readonly description: string;
  readonly headers?: Readonly<Record<string, { readonly $ref: string }>>;
  /** Absent in a response to a webhook, whose body is not read. */
  readonly content?: Partial<Content>;
  /** The status of a response that belongs to no operation. */
  readonly 'x-status'?: number;
}

export interface DocumentedOperation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description?: string;
  /** Empty if the operation needs no key. */
  readonly security?: readonly unknown[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: RequestBody;
  readonly responses: Readonly<Record<string, DocumentedResponse>>;
}

type PathItem = Readonly<Record<string, DocumentedOperation>>;

/** Webhooks by their type. */
type Webhooks = Readonly<Record<string, { readonly post: DocumentedOperation }>>;

/** The OpenAPI 3.1 document, as far as the pages read it. */
export interface ApiDocument {
  readonly openapi: string;
  readonly info: { readonly description: string };
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, PathItem>>;
  /** Absent if the service sends none. */
  readonly webhooks?: Webhooks;
  readonly components: {
    readonly securitySchemes: {
      readonly apiKey: { readonly name: string; readonly description: string };
    };
    readonly headers: Readonly<Record<string, Omit<Parameter, 'name' | 'in'>>>;
    readonly responses: Readonly<Record<string, DocumentedResponse>>;
    readonly schemas: Readonly<Record<string, JsonSchema>>;
  };
}

/** An operation with its place in the interface. */
export interface ApiOperation extends DocumentedOperation {
  /** `GET`, `POST` and so on. */
  readonly method: string;
  /** Below the base address, such as `/verifications/{id}`. */
  readonly path: string;
  readonly needsKey: boolean;
}

/** Lists the operations in the order of the document. */
export function operationsOf({ paths }: ApiDocument): readonly ApiOperation[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      ...operation,
      method: method.toUpperCase(),
      path,
      needsKey: operation.security?.length !== 0,
    })),
  );
}

/** Returns the title of an operation: its summary, without the full stop. */
export function operationTitle({ summary }: Pick<DocumentedOperation, 'summary'>): string {
  return summary.replace(/\.$/, '');
}

/** Returns the name in a reference: `Verification` for `#/components/schemas/Verification`; undefined without one. */
export function nameIn({ $ref }: { readonly $ref?: string }): string | undefined {
  return $ref?.split('/').at(-1);
}

/** A code of an error, as the document shows it. */
export interface DocumentedError {
  readonly status: string;
  readonly code: string;
  readonly meaning: string;
  /** The whole response. */
  readonly value: ErrorValue;
}

interface ErrorValue {
  readonly success: false;
  readonly error: string;
  readonly code: string;
  readonly data?: object;
}

function isErrorValue(value: unknown): value is ErrorValue {
  return typeof value === 'object' && value !== null && 'success' in value && value.success === false;
}

/** Lists the errors of an operation by status, in the order of the document. */
export function errorsOf({ responses }: DocumentedOperation): ReadonlyMap<string, readonly DocumentedError[]> {
  const errors = Object.entries(responses).flatMap(([status, response]) => errorsIn(status, response));
  return Map.groupBy(errors, ({ status }) => status);
}

/** Lists every error of the document by code: those of operations, and those of requests that reach none. */
export function allErrors(document: ApiDocument): ReadonlyMap<string, DocumentedError> {
  const ofOperations = operationsOf(document).flatMap((operation) => [...errorsOf(operation).values()].flat());
  const ofNone = Object.values(document.components.responses).flatMap((response) =>
    errorsIn(String(response['x-status']), response),
  );
  const byStatus = [...ofOperations, ...ofNone].sort((one, other) => Number(one.status) - Number(other.status));
  return new Map(byStatus.map((error) => [error.code, error]));
}

/** Lists the errors of one response. Of two examples of a code, the later one, with data, stays. */
function errorsIn(status: string, { content }: DocumentedResponse): readonly DocumentedError[] {
  const errors = new Map<string, DocumentedError>();
  for (const { summary = '', value } of Object.values(content?.['application/json']?.examples ?? {})) {
    if (isErrorValue(value)) errors.set(value.code, { status, code: value.code, meaning: summary, value });
  }
  return [...errors.values()];
}
