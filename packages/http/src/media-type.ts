import { MIMEType } from 'node:util';

/** Whether a `Content-Type` means JSON in UTF-8: `application/json`, with any parameters but another or a second charset. */
export function isJsonMediaType(contentType: string | undefined): boolean {
  // What nearly every client sends needs no parsing.
  if (contentType === 'application/json') return true;
  const type = repeatsCharset(contentType ?? '') ? null : parsed(contentType ?? '');
  return type?.essence === 'application/json' && /^utf-?8$/i.test(type.params.get('charset') ?? 'utf-8');
}

/** Of two, MIMEType would keep the first, and other readers the last. */
function repeatsCharset(contentType: string): boolean {
  const unquoted = contentType.replaceAll(/"(?:[^"\\]|\\.)*"/g, '');
  return (unquoted.match(/;\s*charset\s*=/gi) ?? []).length > 1;
}

function parsed(contentType: string): MIMEType | null {
  try {
    return new MIMEType(contentType);
  } catch {
    // Not a media type at all: the caller refuses it as such.
    return null;
  }
}
