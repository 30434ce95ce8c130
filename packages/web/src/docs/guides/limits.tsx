import {
  DEFAULT_REQUEST_RATES,
  KEY_LIFETIMES_DAYS,
  LIST_LIMIT_DEFAULT,
  LIST_LIMIT_MAX,
  MAX_ACTIVE_KEYS,
  METADATA_MAX_BYTES,
  METADATA_MAX_DEPTH,
  SUBJECT_REFERENCE_MAX,
} from '@countersign/domain';
import { DEFAULT_MONTHLY_LIMIT, RETURN_ADDRESSES_MAX } from '@countersign/domain/clients';
import { MAX_WEBHOOK_ENDPOINTS } from '@countersign/domain/webhooks';
import type { FC } from 'hono/jsx';
import { Section } from '../../parts/page-parts.tsx';
import { figure, KIBIBYTE, listInWords } from '../../site/formats.ts';
import { type Docs, operationOf } from '../docs.ts';
import type { Guide } from '../guide.ts';
import { ToError, ToField, ToGuide, ToOperation, WithPart } from '../links.tsx';
import { Sample, TextTable } from '../prose.tsx';

const number = (value: number): string => figure(value, 'en');

const Content: FC<{ docs: Docs }> = ({ docs }) => (
  <>
    <Section id="rate" title="Requests per minute">
      <p>
        Every request counts, including refused ones. A request with a valid key counts for the client, whichever
        of its keys it uses; any other request counts for its network address. The window of one minute begins with
        the first request.
      </p>
      <TextTable
        label="Requests per minute"
        head={['Caller', 'Requests per minute']}
        rows={[
          ['Client on the Standard plan', number(DEFAULT_REQUEST_RATES.standard)],
          ['Client on the Enterprise plan', number(DEFAULT_REQUEST_RATES.enterprise)],
          ['Network address, without a valid key', number(DEFAULT_REQUEST_RATES.anonymous)],
        ]}
      />
      <p>
        The operator of this service can set other numbers: each response has yours in{' '}
        <code>X-RateLimit-Limit</code>, what is left in <code>X-RateLimit-Remaining</code>, and the end of the
        window in <code>X-RateLimit-Reset</code>, as Unix time in seconds. Above the limit, the response is{' '}
        <ToError docs={docs} code="RATE_LIMIT_EXCEEDED" /> with <code>Retry-After</code>.
      </p>
    </Section>
    <Section id="month" title="Verifications per month">
      <p>
        Your subscription allows a number of creations in each calendar month (UTC): by default{' '}
        {number(DEFAULT_MONTHLY_LIMIT.standard)} on Standard and {number(DEFAULT_MONTHLY_LIMIT.enterprise)} on
        Enterprise. Only a <code>201</code> counts, and a repetition with the same{' '}
        <ToGuide docs={docs} to="idempotency">
          Idempotency-Key
        </ToGuide>{' '}
        does not. Above the limit, the response is <ToError docs={docs} code="LIMIT_EXCEEDED" />. The dashboard
        shows how much of the limit is used.
      </p>
    </Section>
    <Section id="lists" title="Pages of a list">
      <p>
        <ToOperation docs={docs} id="listVerifications" /> returns {number(LIST_LIMIT_DEFAULT)} verifications, or
        up to {number(LIST_LIMIT_MAX)} with <code>limit</code>. Request the next <code>page</code> as long as{' '}
        <ToField docs={docs} path="VerificationPage.pagination.hasMore" /> is true. A page after the last one is
        empty.
      </p>
      <Sample
        id="lists.curl"
        title="curl"
        text={`curl -sS "$BASE${operationOf(docs, 'listVerifications').path}?status=submitted&limit=${LIST_LIMIT_MAX}&page=2" \\
  -H "${docs.keyHeader}: $KEY"`}
      />
      <Sample
        id="lists.typescript"
        title="TypeScript"
        text={`for await (const verification of client.verifications.listAll({ type: 'kyc' })) {
  console.log(verification.id, verification.status);
}`}
      />
      <p>
        The list may change while you read it. Sort by <code>requestedAt</code> in the order <code>asc</code>: new
        verifications then come at the end. With a filter by <code>status</code>, a verification that leaves the
        filter moves the others up by one place, and you may miss one.
        <WithPart docs={docs} part="webhooks">
          {' '}
          To follow changes, receive{' '}
          <ToGuide docs={docs} to="webhooks">
            webhooks
          </ToGuide>{' '}
          instead.
        </WithPart>
      </p>
    </Section>
    <Section id="sizes" title="Sizes and numbers">
      <TextTable
        label="Sizes and numbers"
        head={['What', 'Limit']}
        rows={[
          ['Body of a request', operationOf(docs, 'createVerification').requestBody?.description ?? ''],
          [<code>metadata</code>, `${METADATA_MAX_BYTES / KIBIBYTE} KiB, ${METADATA_MAX_DEPTH} levels deep`],
          [<code>subjectReference</code>, `${SUBJECT_REFERENCE_MAX} characters`],
          ['Active API keys of a client', number(MAX_ACTIVE_KEYS)],
          [
            'Lifetimes of an API key',
            `${listInWords(KEY_LIFETIMES_DAYS.map(String), 'en', 'disjunction')} days, or no end`,
          ],
          ...(docs.parts.has('webhooks')
            ? [['Webhook endpoints of a client', number(MAX_WEBHOOK_ENDPOINTS)]]
            : []),
          ['Return addresses of a client', number(RETURN_ADDRESSES_MAX)],
        ]}
      />
    </Section>
  </>
);

export const limits: Guide = {
  slug: 'limits',
  title: 'Limits and lists',
  summary: 'Requests per minute, verifications per month, pages of a list, sizes.',
  Content,
};
