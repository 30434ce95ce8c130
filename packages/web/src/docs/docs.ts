import type { StoragePart } from '@countersign/domain/storage';
import { DOCS_PATH } from '../site/paths.ts';
import type { Site } from '../site/site.ts';
import {
  type ApiDocument,
  type ApiOperation,
  allErrors,
  type DocumentedError,
  operationsOf,
} from './api-document.ts';
import { type Components, placeComponents } from './reference-components.ts';

export const GUIDES_PATH: string = `${DOCS_PATH}/guides`;

/** What every page of the documentation draws from: the document of the API, and the addresses of this installation. */
export interface Docs {
  readonly document: ApiDocument;
  readonly operations: readonly ApiOperation[];
  /** The parts that the storage has: what needs others is left out. */
  readonly parts: ReadonlySet<StoragePart>;
  readonly components: Components;
  /** Every error of the API, by code. */
  readonly errors: ReadonlyMap<string, DocumentedError>;
  /** The base address of the API: `https://verify.example/api/v1`. */
  readonly baseUrl: string;
  /** The path of the base address; null if it has another origin, to which pages may send no requests. */
  readonly apiPath: string | null;
  /** The header with the API key. */
  readonly keyHeader: string;
  /** Returns the address of a path of this service. */
  readonly href: (path: string) => string;
  readonly signInPath: string;
}

function readDocs({ basePath, origin, options, parts }: Site, apiDocument: object): Docs {
  const document = apiDocument as ApiDocument;
  if (!document.openapi?.startsWith('3.1'))
    throw new Error('apiDocument is not an OpenAPI document of version 3.1');
  const url = new URL(document.servers[0]?.url ?? '/', options.publicBaseUrl);
  return {
    document,
    operations: operationsOf(document),
    parts,
    components: placeComponents(document),
    errors: allErrors(document),
    baseUrl: url.href.replace(/\/$/, ''),
    apiPath: url.origin === origin ? url.pathname.replace(/\/$/, '') : null,
    keyHeader: document.components.securitySchemes.apiKey.name,
    href: (path) => basePath + path,
    signInPath: options.signIn.signInPath,
  };
}

const read = new WeakMap<Site, Docs>();

/** Reads the OpenAPI document of a site, at the first page that needs it. @throws Error if it is not of version 3.1 */
export function readOnce(site: Site, apiDocument: () => object): Docs {
  const docs = read.get(site) ?? readDocs(site, apiDocument());
  read.set(site, docs);
  return docs;
}

/** Returns what the documentation draws from, for other pages; null without documentation. */
export function docsOf(site: Site): Docs | null {
  const { apiDocument } = site.options;
  return apiDocument === undefined ? null : readOnce(site, apiDocument);
}

/** Returns an operation by its id. @throws Error if the document has no such operation */
export function operationOf({ operations }: Pick<Docs, 'operations'>, id: string): ApiOperation {
  const found = operations.find(({ operationId }) => operationId === id);
  if (found === undefined) throw new Error(`The OpenAPI document has no operation ${id}`);
  return found;
}

/** Returns the documented error of a code. @throws Error if the document has no such error */
export function errorOf({ errors }: Docs, code: string): DocumentedError {
  const found = errors.get(code);
  if (found === undefined) throw new Error(`The OpenAPI document has no error ${code}`);
  return found;
}
