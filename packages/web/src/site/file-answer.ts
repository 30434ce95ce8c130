import { isCountersignError } from '@countersign/domain';
import { type FilePart, type FilePartName, fileNameOf } from '@countersign/domain/evidence';
import { partsOf } from '@countersign/domain/exports';
import type { Context, Env, Hono } from 'hono';
import type { Download } from './download.ts';
import { PageError } from './errors.ts';

/** A file of a verification, or a part of it, as its address names it. */
export interface AskedFile {
  readonly verificationId: string;
  readonly fileId: string;
  readonly page?: number;
  readonly thumbnail?: boolean;
}

/** Mounts the addresses of files of verifications and of their parts, below an address like `/:verificationId`. */
export function mountFiles<E extends Env>(
  routes: Hono<E>,
  below: `/:${string}`,
  answer: (context: Context<E>, file: AskedFile) => Promise<Response>,
): void {
  const path = `${below}/files/:fileId`;
  const fileIn = ({ req }: Context<E>): AskedFile => ({
    verificationId: req.param(below.slice('/:'.length)) ?? '',
    fileId: req.param('fileId') ?? '',
  });
  const answered = async (context: Context<E>, part: Pick<AskedFile, 'page' | 'thumbnail'>): Promise<Response> => {
    try {
      return await answer(context, { ...fileIn(context), ...part });
    } catch (error) {
      // No file has a page with such a number.
      throw isCountersignError(error, 'INVALID_PARAMETERS') ? new PageError(404) : error;
    }
  };
  routes.get(path, (context) => answered(context, {}));
  routes.get(`${path}/thumbnail`, (context) => answered(context, { thumbnail: true }));
  routes.get(`${path}/pages/:page`, (context) => answered(context, { page: Number(context.req.param('page')) }));
}

/** Returns the path of a part of the file at a path; without a part, of the file itself. */
export function partPath(path: string, part?: FilePartName): string {
  if (part === undefined) return path;
  return part === 'thumbnail' ? `${path}/thumbnail` : `${path}/pages/${part}`;
}

/** Makes the download of an uploaded file or a page of it. A picture is shown, a PDF saved. Runs no script and is not cached. */
export function fileDownload({ file, content, contentType }: FilePart): Download {
  const disposition = contentType === 'application/pdf' ? 'attachment' : 'inline';
  return {
    parts: partsOf(content),
    headers: {
      'Content-Type': contentType,
      'Content-Length': String(content.byteLength),
      'Content-Disposition': `${disposition}; filename="${fileNameOf({ ...file, contentType })}"`,
      'X-Content-Type-Options': 'nosniff',
      'Content-Security-Policy': FILE_POLICY,
      'Cross-Origin-Resource-Policy': 'same-origin',
    },
  };
}

/** Allows inline styles because browsers show a single picture in a page of their own that has some. */
const FILE_POLICY = "sandbox; default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'";
