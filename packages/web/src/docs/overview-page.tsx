import { PERMISSIONS, type Permission } from '@countersign/domain';
import type { FC } from 'hono/jsx';
import { Section } from '../parts/page-parts.tsx';
import { type Docs, GUIDES_PATH, operationOf } from './docs.ts';
import { firstRequestSamples, variablesSample } from './first-request.ts';
import type { Guide } from './guide.ts';
import { ToError, ToGuide, ToOperation, WithPart } from './links.tsx';
import { Inline, json, Sample, TextTable } from './prose.tsx';
import { REFERENCE_PATH } from './reference-paths.ts';

const ALLOWS: Readonly<Record<Permission, string>> = {
  'verifications:create': 'Creating and withdrawing verifications, and reporting the end of a relationship.',
  'verifications:read': 'Listing and reading verifications.',
  '*': 'Everything, including downloading files and erasing data.',
};

/** What a service that erases nothing says in place of these texts. */
const ALLOWS_WITHOUT_RETENTION: Readonly<Partial<Record<Permission, string>>> = {
  'verifications:create': 'Creating and withdrawing verifications.',
  '*': 'Everything, including downloading files.',
};

/** Explains what the API is for, the first request, keys and responses, and lists the guides. */
export const OverviewPage: FC<{ docs: Docs; guides: readonly Guide[] }> = ({ docs, guides }) => {
  const create = operationOf(docs, 'createVerification');
  const { examples } = create.responses['201']?.content?.['application/json'] ?? {};
  const allows = docs.parts.has('retention') ? ALLOWS : { ...ALLOWS, ...ALLOWS_WITHOUT_RETENTION };
  const { apiKey } = docs.document.components.securitySchemes;
  return (
    <>
      <h1>Developer documentation</h1>
      <p class="lead">
        Verify the identity of people (KYC) and businesses (KYB): create a verification, send the subject to its
        link, and read the result.
      </p>
      <Section id="first-request" title="Your first request">
        <ol>
          <li>
            <a href={docs.href(docs.signInPath)}>Sign in</a> to the dashboard and create a key under{' '}
            <strong>API keys</strong>. It is shown once.
          </li>
          <li>
            Set the base address and your key in a terminal:
            <Sample {...variablesSample(docs)} />
          </li>
          <li>
            Create a verification with <ToOperation docs={docs} id="createVerification" />:
            {firstRequestSamples(docs).map((sample) => (
              <Sample {...sample} />
            ))}
          </li>
          <li>
            Open the <code>verificationUrl</code> of the response. The subject answers the questions on its pages,
            and a reviewer decides. In{' '}
            <ToGuide docs={docs} to="test-mode">
              test mode
            </ToGuide>
            , the service can do both within seconds.
          </li>
        </ol>
      </Section>
      <Section id="typescript" title="TypeScript">
        <p>
          <code>npm install @countersign/client</code> adds typed calls, as in the sample above
          <WithPart docs={docs} part="webhooks">
            , and the verification of webhooks
          </WithPart>
          . It repeats requests that failed on the way. It runs in Node, Deno and Bun. For other languages,
          generate a client from the <a href={docs.href(REFERENCE_PATH)}>OpenAPI document</a>.
        </p>
      </Section>
      <Section id="authentication" title="Authentication">
        <p>
          Send your key in the header <code>{docs.keyHeader}</code> of every request. A key consists of{' '}
          <Inline text={apiKey.description} /> <code>Authorization: Bearer</code> is not read. Without a valid key,
          the response is <ToError docs={docs} code="API_KEY_REQUIRED" />,{' '}
          <ToError docs={docs} code="INVALID_API_KEY" />, <ToError docs={docs} code="API_KEY_EXPIRED" /> or{' '}
          <ToError docs={docs} code="API_KEY_REVOKED" />.
        </p>
        <p>
          Each operation needs a permission. Without it, the response is{' '}
          <ToError docs={docs} code="INSUFFICIENT_PERMISSIONS" />.
        </p>
        <TextTable
          label="Permissions"
          head={['Permission', 'Allows']}
          rows={PERMISSIONS.map((permission) => [<code>{permission}</code>, allows[permission]])}
        />
        <p>
          Keys belong on servers. Never put one into a web page or an app. A revoked key stops working with the
          next request.
        </p>
      </Section>
      <Section id="responses" title="Responses">
        <p>
          Every response is a JSON object in UTF-8, except a file that you download. <code>success</code> is{' '}
          <code>true</code> with the result in <code>data</code>, or <code>false</code> with a <code>code</code> as
          described under{' '}
          <ToGuide docs={docs} to="errors">
            Errors
          </ToGuide>
          . Times are in UTC, in the format of ISO 8601. Newer versions may add fields: ignore those you do not
          know.
        </p>
        <Sample id="responses.example" title="A response" text={json(Object.values(examples ?? {})[0]?.value)} />
      </Section>
      <Section id="guides" title="Guides">
        <dl class="terms">
          {guides.map(({ slug, title, summary }) => (
            <div>
              <dt>
                <a href={docs.href(`${GUIDES_PATH}/${slug}`)}>{title}</a>
              </dt>
              <dd>{summary}</dd>
            </div>
          ))}
          <div>
            <dt>
              <a href={docs.href(REFERENCE_PATH)}>API reference</a>
            </dt>
            <dd>
              {docs.parts.has('webhooks')
                ? 'Every operation, field and webhook, with forms to try them.'
                : 'Every operation and field, with forms to try them.'}
            </dd>
          </div>
        </dl>
      </Section>
    </>
  );
};
