import type { SubjectAccess, Verification } from '@countersign/domain';
import { givenSubjectSite, ORIGIN, type SubjectSite, type SubjectSiteOptions } from './subject-site.ts';
import { BOUNDARY } from './upload-body.ts';

/** A subject who has opened the link and sends single requests. */
export interface GivenSubject extends SubjectSite {
  readonly access: SubjectAccess;
  readonly cookie: string;
  /** Opens the current link, which a reviewer may have renewed. */
  reopened(): Promise<GivenSubject>;
  /** Reads the verification. */
  read(): Promise<Verification>;
  /** Gets a page below the verification's address, in English unless headers say otherwise. */
  get(page: string, headers?: Record<string, string>): Promise<Response>;
  /** Posts a multipart form. */
  upload(
    page: string,
    body: Uint8Array<ArrayBuffer> | ReadableStream,
    headers?: Record<string, string>,
  ): Promise<Response>;
  /** Posts a plain form. */
  post(page: string, fields: Record<string, string>): Promise<Response>;
}

export async function givenSubject(options: SubjectSiteOptions = {}): Promise<GivenSubject> {
  const site = await givenSubjectSite(options);
  const { app, countersign, id } = site;
  const at = (page: string) => `/verify/${id}/${page}`;

  async function open(): Promise<GivenSubject> {
    const reference = await site.reference();
    const { access } = await countersign.subject.open(reference);
    const opened = await app.request(`/verify/${reference}`);
    const cookie = (opened.headers.get('Set-Cookie') ?? '').split(';')[0] ?? '';
    const common = { Cookie: cookie, 'Accept-Language': 'en' };
    const own = { ...common, Origin: ORIGIN, 'Sec-Fetch-Site': 'same-origin' };

    return {
      ...site,
      access,
      cookie,
      reopened: open,
      read: () => countersign.subject.read(access),
      get: async (page, headers = {}) => app.request(at(page), { headers: { ...common, ...headers } }),
      upload: async (page, body, headers = {}) =>
        app.request(at(page), {
          method: 'POST',
          headers: { ...own, 'Content-Type': `multipart/form-data; boundary=${BOUNDARY}`, ...headers },
          body,
          // Node requires `duplex` for a stream as body.
          ...(body instanceof ReadableStream && { duplex: 'half' }),
        }),
      post: async (page, fields) =>
        app.request(at(page), {
          method: 'POST',
          headers: { ...own, 'Content-Type': 'application/x-www-form-urlencoded' },
          body: new URLSearchParams(fields),
        }),
    };
  }

  return open();
}
