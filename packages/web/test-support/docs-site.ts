import { createCountersign } from '@countersign/domain';
import { type CoreStorage, PART_NAMES, type SomeParts, type StoragePart } from '@countersign/domain/storage';
import { openApiDocument } from '@countersign/http';
import {
  createCountingIds,
  createCountingSecrets,
  createFixedClock,
  createMemoryRateLimiter,
  createMemoryStorage,
} from '@countersign/memory';
import type { Hono } from 'hono';
import type { ApiDocument } from '../src/docs/api-document.ts';
import { createWeb } from '../src/web.tsx';
import { type PageDocument, pageDocument } from './page-document.ts';

const ORIGIN = 'https://verify.example';
/** The path of the public address. */
export const BASE = '/kyc';

/** Returns the document of the API. */
export function realDocument(
  serverUrl: string = `${ORIGIN}${BASE}/api/v1`,
  parts: ReadonlySet<StoragePart> = new Set(PART_NAMES),
): ApiDocument {
  return openApiDocument({ serverUrl, parts }) as ApiDocument;
}

function storageWith(parts: ReadonlySet<StoragePart>): CoreStorage & SomeParts {
  const missing = PART_NAMES.filter((part) => !parts.has(part)).map((part) => [part, undefined]);
  return { ...createMemoryStorage(), ...Object.fromEntries(missing) };
}

/** Creates pages with this document; `null` for pages without documentation. */
export function givenDocs(
  apiDocument: object | null = realDocument(),
  onFault: (fault: unknown) => void = (fault) => {
    throw fault;
  },
  parts: ReadonlySet<StoragePart> = new Set(PART_NAMES),
): Hono {
  const clock = createFixedClock();
  const secrets = createCountingSecrets();
  const publicBaseUrl = ORIGIN + BASE;
  const countersign = createCountersign(
    {
      storage: storageWith(parts),
      sealing: 'none',
      rateLimiter: createMemoryRateLimiter(clock),
      clock,
      ids: createCountingIds(),
      secrets,
    },
    { publicBaseUrl, withoutErasure: !parts.has('retention') },
  );
  return createWeb({
    countersign,
    signIn: {
      signInPath: '/login',
      signOutPath: '/logout',
      confirmPath: '/confirm',
      identify: async () => null,
      nameOf: async () => null,
    },
    secrets,
    clock,
    publicBaseUrl,
    apiDocument: apiDocument === null ? undefined : () => apiDocument,
    clientAddress: () => '192.0.2.1',
    onFault,
  });
}

/** Reads a page. @throws Error unless its status is 200 */
export async function readPage(app: Hono, path: string, language = 'en'): Promise<PageDocument> {
  const response = await app.request(path, { headers: { 'Accept-Language': language } });
  if (response.status !== 200) throw new Error(`${path}: ${response.status}`);
  return pageDocument(await response.text());
}
