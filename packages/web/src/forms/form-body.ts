import type { Context } from 'hono';
import { PageError } from '../site/errors.tsx';
import { createFormValues, type FormValues } from './form-values.ts';

/** The largest form, in bytes. Files are sent by forms of their own. */
const FORM_MAX_BYTES = 64 * 1024;

const NOTHING: readonly Uint8Array[] = [];

/**
 * The fields of a form, in UTF-8.
 * @throws PageError 413 over 64 KiB, 415 for what is no urlencoded form
 */
export async function readForm({ req }: Context): Promise<FormValues> {
  const contentType = req.header('Content-Type')?.split(';')[0]?.trim().toLowerCase();
  if (contentType !== 'application/x-www-form-urlencoded') throw new PageError(415);
  const declared = Number(req.header('Content-Length') ?? 0);
  if (declared > FORM_MAX_BYTES) throw new PageError(413);

  const body: AsyncIterable<Uint8Array> | null = req.raw.body;
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? NOTHING) {
    size += chunk.length;
    if (size > FORM_MAX_BYTES) throw new PageError(413);
    chunks.push(chunk);
  }
  return createFormValues(new URLSearchParams(Buffer.concat(chunks).toString('utf8')));
}
