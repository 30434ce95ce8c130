import type { Client } from 'openapi-fetch';
import type { components, operations, paths } from './api-types.ts';
import { invalidResponse } from './transport.ts';

type Schemas = components['schemas'];

/** What to verify: the body of a creation. */
export type NewVerification = Schemas['NewVerification'];
/** A verification that was just created, with the URL for the subject. */
export type CreatedVerification = Schemas['CreatedVerification'];
/** A verification. */
export type Verification = Schemas['Verification'];
/** A verification with its steps, decision, documents and history. */
export type VerificationDetails = Schemas['VerificationDetails'];
/** One page of a list. */
export type VerificationPage = Schemas['VerificationPage'];
/** A verification in a list. With `dataError`, the server could not read its answers. */
export type ListedVerification = VerificationPage['verifications'][number];
/** When the relationship with a subject ended; null removes the end. */
export type RelationshipEnd = Schemas['RelationshipEnd'];
/** The state of a verification's data, and until when. */
export type DataState = Schemas['DataState'];
/** Filters and order of a list. */
export type ListQuery = NonNullable<operations['listVerifications']['parameters']['query']>;

/** Options of every call. */
export interface CallOptions {
  /** Ends the call, its repetitions and waits. The call throws the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
}

/** Options of a creation. */
export interface CreateOptions extends CallOptions {
  /**
   * Makes creations of several processes one: the same key with the same body gives the same verification. 1–255
   * printable ASCII characters. Default: a new UUID for each call.
   */
  readonly idempotencyKey?: string | undefined;
}

/** Options of an erasure. */
export interface EraseOptions extends CallOptions {
  /** Withdraws the verification first if the subject still has to work on it. Without it, an open one is refused. */
  readonly withdraw?: boolean | undefined;
}

/** The calls about verifications. */
export interface Verifications {
  /** Creates a verification. Repetitions send the same `Idempotency-Key`, so at most one is created. */
  create(verification: NewVerification, options?: CreateOptions): Promise<CreatedVerification>;
  /** Gets a verification. */
  get(id: string, options?: CallOptions): Promise<Verification>;
  /** Gets the full details of a verification. */
  details(id: string, options?: CallOptions): Promise<VerificationDetails>;
  /**
   * Withdraws a verification that the subject still has to work on. One that is withdrawn already is returned unchanged.
   */
  withdraw(id: string, options?: CallOptions): Promise<Verification>;
  /** Sets when the relationship with the subject of an approved verification ended: its data is kept from then on. */
  endRelationship(id: string, end: RelationshipEnd, options?: CallOptions): Promise<DataState>;
  /** Erases the data of a verification, or hides it until the law allows that. Needs a key with the permission `*`. */
  eraseData(id: string, options?: EraseOptions): Promise<DataState>;
  /**
   * Downloads a file that the details list in `documents`. Needs a key with the permission `*`, and an owner who switched on access to
   * files in the dashboard.
   *
   * @returns the content, with its type
   */
  file(id: string, fileId: string, options?: CallOptions): Promise<Blob>;
  /**
   * Downloads a zip of a verification: `data.json` with its details, and the files that it lists, in the folder `files`. Needs what `file`
   * needs. The zip can have many files of up to 10 MB, and is in memory whole: set `timeoutMs` accordingly.
   *
   * @returns the zip
   */
  export(id: string, options?: CallOptions): Promise<Blob>;
  /** Gets one page of the list. */
  list(query?: ListQuery, options?: CallOptions): Promise<VerificationPage>;
  /**
   * Reads the list page by page: 100 a page and oldest first, unless the query says otherwise. Oldest first, new
   * verifications come at the end and are read too. A verification that leaves or enters the filter meanwhile can move
   * others over the edge of a page: one may then be missing or come twice. Without a filter by status, none is missing.
   */
  listAll(
    query?: Omit<ListQuery, 'page'>,
    options?: CallOptions,
  ): AsyncGenerator<ListedVerification, void, undefined>;
}

export function createVerifications(http: Client<paths, 'application/json'>): Verifications {
  async function list(query: ListQuery = {}, options: CallOptions = {}): Promise<VerificationPage> {
    return dataOf(await http.GET('/verifications', { params: { query }, ...signalIn(options) }));
  }

  return {
    async create(body, { idempotencyKey, ...options } = {}) {
      const header =
        idempotencyKey === undefined ? {} : { 'Idempotency-Key': checkIdempotencyKey(idempotencyKey) };
      return dataOf(await http.POST('/verifications', { params: { header }, body, ...signalIn(options) }));
    },
    async get(id, options = {}) {
      return dataOf(await http.GET('/verifications/{id}', { params: { path: pathOf(id) }, ...signalIn(options) }));
    },
    async details(id, options = {}) {
      const path = pathOf(id);
      return dataOf(await http.GET('/verifications/{id}/details', { params: { path }, ...signalIn(options) }));
    },
    async withdraw(id, options = {}) {
      const path = pathOf(id);
      return dataOf(await http.POST('/verifications/{id}/withdraw', { params: { path }, ...signalIn(options) }));
    },
    async endRelationship(id, body, options = {}) {
      const params = { path: pathOf(id) };
      const path = '/verifications/{id}/relationship-end';
      return dataOf(await http.PUT(path, { params, body, ...signalIn(options) }));
    },
    async eraseData(id, { withdraw, ...options } = {}) {
      const query = withdraw === undefined ? {} : { withdraw };
      const params = { path: pathOf(id), query };
      return dataOf(await http.DELETE('/verifications/{id}/data', { params, ...signalIn(options) }));
    },
    async file(id, fileId, options = {}) {
      const path = { ...pathOf(id), fileId: checkId(fileId, 'fileId is not the id of a file.') };
      const asked = { params: { path }, parseAs: 'blob', ...signalIn(options) } as const;
      return contentOf(await http.GET('/verifications/{id}/files/{fileId}', asked));
    },
    async export(id, options = {}) {
      const asked = { params: { path: pathOf(id) }, parseAs: 'blob', ...signalIn(options) } as const;
      return contentOf(await http.GET('/verifications/{id}/export', asked));
    },
    list,
    async *listAll(query = {}, options = {}) {
      for (let page = 1; ; page++) {
        const found = await list({ sortOrder: 'asc', limit: 100, ...query, page }, options);
        yield* found.verifications;
        // Without the second condition, a faulty server could keep this loop running.
        if (!found.pagination.hasMore || found.verifications.length === 0) return;
      }
    },
  };
}

/** Returns `data` of the envelope around every success. */
function dataOf<Data>({ data: envelope, response }: { data?: { data: Data }; response: Response }): Data {
  if (envelope?.data === undefined) throw invalidResponse(response);
  return envelope.data;
}

/** Returns the content of a download. */
function contentOf({ data, response }: { data?: Blob; response: Response }): Blob {
  if (data === undefined) throw invalidResponse(response);
  return data;
}

function signalIn({ signal }: CallOptions): { signal?: AbortSignal } {
  return signal === undefined ? {} : { signal };
}

function pathOf(id: string): { id: string } {
  return { id: checkId(id, 'id is not the id of a verification.') };
}

/** Dots and empty text would make another path. */
function checkId(id: string, problem: string): string {
  if (typeof id !== 'string' || /^\.{0,2}$/.test(id)) throw new TypeError(problem);
  return id;
}

function checkIdempotencyKey(key: string): string {
  if (/^[\x20-\x7e]{1,255}$/.test(key)) return key;
  throw new TypeError('idempotencyKey must have 1 to 255 printable ASCII characters.');
}
