import type { FC } from 'hono/jsx';
import { Section } from '../parts/page-parts.tsx';
import { type ApiOperation, nameIn, operationTitle } from './api-document.ts';
import { type Docs, operationOf } from './docs.ts';
import { ToGuide, WithPart } from './links.tsx';
import { Inline, Prose } from './prose.tsx';
import { HEADERS, OBJECTS, referencePath, WEBHOOKS } from './reference-paths.ts';

/** The script that leads from the addresses of the one page that the reference was, such as `#createVerification`. */
export const REFERENCE_SCRIPT = 'reference.js';

/** Lists every operation, webhook, object and header of the API, and leads to their pages. */
export const ReferencePage: FC<{ docs: Docs }> = ({ docs }) => {
  const { document, apiPath, components, href } = docs;
  const webhooks = Object.keys(document.webhooks ?? {});
  return (
    <>
      <h1>API reference</h1>
      <p class="lead">
        Paths are relative to the base address <code>{docs.baseUrl}</code>.
      </p>
      <p>
        Fields are always present unless they are marked optional. The reference is made from the{' '}
        <a href={(apiPath ?? docs.baseUrl) + operationOf(docs, 'getOpenApiDocument').path}>OpenAPI document</a> of
        this service, from which you can also generate a client.
      </p>
      {apiPath === null ? null : (
        <p>
          Each operation has a form to try it. Requests are real: use a key of{' '}
          <ToGuide docs={docs} to="test-mode">
            test mode
          </ToGuide>
          .
        </p>
      )}
      {documentedTags(docs).map(({ name, description, tagged }) => (
        <Section id={`tag-${name.toLowerCase()}`} title={name}>
          <Prose text={description} />
          <ul class="reference-list">
            {tagged.map((operation) => (
              <OperationEntry docs={docs} operation={operation} />
            ))}
          </ul>
        </Section>
      ))}
      <WithPart docs={docs} part="webhooks">
        <Section id="tag-webhooks" title="Webhooks">
          <p>
            Sent to your server. Their body is <WebhookBodies docs={docs} />.
          </p>
          <ul class="reference-names">
            {webhooks.map((type) => (
              <NameEntry id={type} address={href(`${referencePath(WEBHOOKS)}#${type}`)} />
            ))}
          </ul>
        </Section>
      </WithPart>
      <Section id={OBJECTS} title="Objects">
        <ul class="reference-names">
          {components.names.map((name) => (
            <NameEntry id={name} address={href(components.addressOf(name))} />
          ))}
        </ul>
      </Section>
      <Section id={HEADERS} title="Headers of responses">
        <ul class="reference-names">
          {components.sharedHeaders.map((name) => (
            <NameEntry
              id={`header-${name}`}
              name={name}
              address={href(`${referencePath(HEADERS)}#header-${name}`)}
            />
          ))}
        </ul>
      </Section>
    </>
  );
};

/** Returns the tags that have operations, with these. */
export function documentedTags({ document, operations }: Docs): readonly {
  readonly name: string;
  readonly description: string;
  readonly tagged: readonly ApiOperation[];
}[] {
  return document.tags
    .map((tag) => ({ ...tag, tagged: operations.filter(({ tags }) => tags.includes(tag.name)) }))
    .filter(({ tagged }) => tagged.length > 0);
}

const OperationEntry: FC<{ docs: Docs; operation: ApiOperation }> = ({ docs, operation }) => {
  const { operationId: id, method, path } = operation;
  return (
    <li id={id} data-leads-on>
      <a href={docs.href(referencePath(id))}>{operationTitle(operation)}</a>
      <code>
        {method} {path}
      </code>
    </li>
  );
};

const NameEntry: FC<{ id: string; name?: string; address: string }> = ({ id, name = id, address }) => (
  <li id={id} data-leads-on>
    <a href={address}>
      <code>{name}</code>
    </a>
  </li>
);

/** The names of the bodies of webhooks, as links. */
const WebhookBodies: FC<{ docs: Docs }> = ({ docs }) => {
  const bodies = Object.values(docs.document.webhooks ?? {}).map(
    ({ post }) => nameIn(post.requestBody?.content['application/json'].schema ?? {}) ?? '',
  );
  return (
    <>
      {[...new Set(bodies)].map((name, index) => (
        <>
          {index === 0 ? '' : ' or '}
          <a href={docs.href(docs.components.addressOf(name))}>
            <code>{name}</code>
          </a>
        </>
      ))}
    </>
  );
};

/** Documents the headers of every response. */
export const HeadersPage: FC<{ docs: Docs }> = ({ docs: { components, document } }) => (
  <>
    <h1>Headers of responses</h1>
    <ul class="field-list">
      {components.sharedHeaders.map((name) => (
        <li id={`header-${name}`}>
          <p class="field-head">
            <code class="field-name">{name}</code>
          </p>
          <p>
            <Inline text={document.components.headers[name]?.description ?? ''} />
          </p>
        </li>
      ))}
    </ul>
  </>
);
