import type { ApiKey, IssuedKey, Permission } from '@countersign/domain';
import type { Context } from 'hono';
import { docsOf } from '../../docs/docs.ts';
import { type Link, Moment } from '../../parts/page-parts.tsx';
import type { StaffEnv } from '../../staff/area.tsx';
import { answerShownOnce } from '../../staff/shown-once.tsx';
import { FirstRequest } from './code-samples.tsx';
import { nameOfKey } from './key-parts.tsx';

/** Where the page of a new key leads to. */
interface IssuedKeyLinks {
  readonly list: Link;
  /** Where a replaced key is revoked. */
  readonly revoke?: (keyId: string) => string;
}

/** Shows a new key, once. `replaces` is the key that it replaces. */
export function answerIssuedKey(
  { key, value, replaces }: IssuedKey & { readonly replaces?: ApiKey },
  context: Context<StaffEnv>,
  { list, revoke }: IssuedKeyLinks,
): Response | Promise<Response> {
  const page = context.get('page');
  const { t, href } = page;
  const docs = docsOf(context.get('site'));
  const curl = curlLine(context.get('site').options.publicBaseUrl, value, key.permissions);
  return answerShownOnce(
    context,
    {
      title: t('dashboard:issued.title'),
      warning: { title: t('dashboard:issued.onceTitle'), text: t('dashboard:issued.onceText') },
      id: 'new-key',
      label: t('dashboard:issued.value', { name: nameOfKey(key) }),
      value,
      note: (
        <p>
          {key.expiresAt === null ? (
            t('dashboard:issued.neverExpires')
          ) : (
            <>
              {t('dashboard:issued.expires')} <Moment at={key.expiresAt} page={page} />
            </>
          )}
        </p>
      ),
      back: list,
    },
    <>
      <h2>{t('dashboard:issued.tryTitle')}</h2>
      {curl.counts ? <p>{t('dashboard:issued.tryCounts')}</p> : null}
      <pre>
        <code>{curl.line}</code>
      </pre>
      {docs === null || !mayCreate(key.permissions) ? null : (
        <>
          <h2>{t('dashboard:issued.samplesTitle')}</h2>
          <p>{t('dashboard:issued.samplesText')}</p>
          <FirstRequest page={page} docs={docs} apiKey={value} />
        </>
      )}
      {replaces === undefined || revoke === undefined ? null : (
        <>
          <h2>{t('dashboard:issued.nextTitle')}</h2>
          <p>{t('dashboard:issued.nextText', { key: replaces.display })}</p>
          <p>
            <a class="button" href={href(revoke(replaces.id))}>
              {t('dashboard:issued.revokeOld', { key: replaces.display })}
            </a>
          </p>
        </>
      )}
    </>,
  );
}

function mayCreate(permissions: readonly Permission[]): boolean {
  return permissions.includes('*') || permissions.includes('verifications:create');
}

/** A shell command that tries out a key. */
export interface CurlLine {
  readonly line: string;
  /** Whether it creates a verification, which counts toward the monthly limit. */
  readonly counts: boolean;
}

const BODY = JSON.stringify({ subjectType: 'kyc', subjectReference: 'first-try' });

/** Returns a command that reads, or creates a verification if the key may not read. */
export function curlLine(publicBaseUrl: string, key: string, permissions: readonly Permission[]): CurlLine {
  const mayRead = permissions.includes('*') || permissions.includes('verifications:read');
  const request = `curl -H ${quoted(`X-API-Key: ${key}`)} ${quoted(`${publicBaseUrl}/api/v1/verifications`)}`;
  if (mayRead) return { line: request, counts: false };
  return { line: `${request} -H ${quoted('Content-Type: application/json')} -d ${quoted(BODY)}`, counts: true };
}

/** Quotes for a POSIX shell: within single quotes only a single quote is special. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
