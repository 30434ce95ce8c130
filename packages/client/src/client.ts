import createFetchClient, { type Client } from 'openapi-fetch';
import type { paths } from './api-types.ts';
import { type ClientOptions, checkOptions } from './options.ts';
import { createTransport } from './transport.ts';
import { createVerifications, type Verifications } from './verifications.ts';

/** The routes of the API, typed. */
export interface CountersignClient {
  readonly verifications: Verifications;
  /**
   * All routes of the OpenAPI document by path, for the headers of a response. It throws as the other calls do:
   * `const { data, response } = await client.http.GET('/verifications')`.
   */
  readonly http: Client<paths, 'application/json'>;
}

/**
 * Creates a client of the Countersign API. It repeats requests after failures that may pass, sends an `Idempotency-Key`
 * with creations, and throws `CountersignApiError`.
 *
 * @throws TypeError if an option is invalid, or in a browser window
 *
 * @example
 * const client = createClient({ baseUrl: 'https://verify.example/api/v1', apiKey: process.env.COUNTERSIGN_KEY ?? '' });
 * const { id, verificationUrl } = await client.verifications.create({ subjectType: 'kyc', subjectReference: 'user_1' });
 */
export function createClient(options: ClientOptions): CountersignClient {
  const settings = checkOptions(options);
  const http = createFetchClient<paths, 'application/json'>({
    baseUrl: settings.baseUrl,
    fetch: createTransport(settings),
  });
  return { verifications: createVerifications(http), http };
}
