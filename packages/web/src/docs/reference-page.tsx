import type { FC } from 'hono/jsx';
import { type DocumentedOperation, nameIn } from './api-document.ts';
import { type Docs, operationOf } from './docs.ts';
import { ParameterList } from './field-list.tsx';
import { ToGuide } from './links.tsx';
import { Component, Operation } from './operation.tsx';
import { Inline, json, Prose, Sample, Section } from './prose.tsx';
import { type Components, placeComponents } from './reference-components.ts';

/** Documents every operation, webhook and object of the API, as the OpenAPI document describes them. */
export const ReferencePage: FC<{ docs: Docs }> = ({ docs }) => {
  const { document, operations, apiPath } = docs;
  const components = placeComponents(document);
  const tags = document.tags.filter(({ name }) => operations.some((operation) => operation.tags.includes(name)));
  return (
    <>
      <h1>API reference</h1>
      <p class="lead">
        Paths are relative to the base address <code>{docs.baseUrl}</code>.
      </p>
      <p>
        Fields are always present unless they are marked optional. This page is made from the{' '}
        <a href={(apiPath ?? docs.baseUrl) + operationOf(docs, 'getOpenApiDocument').path}>OpenAPI document</a> of
        this service, from which you can also generate a client.
      </p>
      {apiPath === null ? null : (
        <>
          <p data-try-it hidden>
            Each operation has a form to try it. Requests are real: use a key of{' '}
            <ToGuide docs={docs} to="test-mode">
              test mode
            </ToGuide>
            .
          </p>
          <noscript>
            <p>Turn on JavaScript to send requests from this page. Everything else works without it.</p>
          </noscript>
        </>
      )}
      {tags.map(({ name, description }) => (
        <Section id={`tag-${name.toLowerCase()}`} title={name}>
          <Prose text={description} />
          {operations
            .filter((operation) => operation.tags.includes(name))
            .map((operation) => (
              <Operation docs={docs} components={components} operation={operation} />
            ))}
        </Section>
      ))}
      <Webhooks docs={docs} components={components} />
      <Section id="headers" title="Headers of responses">
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
      </Section>
      <Section id="objects" title="Objects">
        <p>Objects that are part of others.</p>
        {components.others.map((name) => (
          <section aria-labelledby={`object-${name}`}>
            <h3 id={`object-${name}`}>{name}</h3>
            <Component name={name} components={components} />
          </section>
        ))}
      </Section>
    </>
  );
};

/** The webhooks by their body, which several types share. */
const Webhooks: FC<{ docs: Docs; components: Components }> = ({ docs, components }) => {
  const { tags, webhooks } = docs.document;
  const byBody = Map.groupBy(Object.entries(webhooks), ([, { post }]) => bodyNameOf(post));
  return (
    <Section id="tag-webhooks" title="Webhooks">
      <Prose text={tags.find(({ name }) => name === 'Webhooks')?.description ?? ''} />
      <p>
        How to receive and verify them:{' '}
        <ToGuide docs={docs} to="webhooks">
          Webhooks
        </ToGuide>
        .
      </p>
      {[...byBody].map(([body, types]) => (
        <WebhookGroup body={body} types={types} components={components} />
      ))}
    </Section>
  );
};

const WebhookGroup: FC<{
  body: string;
  types: readonly (readonly [string, { readonly post: DocumentedOperation }])[];
  components: Components;
}> = ({ body, types, components }) => {
  const [, first] = types[0] ?? [];
  if (first === undefined) return null;
  const { parameters = [], responses } = first.post;
  return (
    <section aria-labelledby={`object-${body}`} class="operation">
      <h3 id={`object-${body}`}>{body}</h3>
      <Component name={body} components={components} />
      <h4>Types</h4>
      <dl class="terms">
        {types.map(([type, { post }]) => (
          <div id={type}>
            <dt>
              <code>{type}</code>
            </dt>
            <dd>
              <Prose text={post.summary} />
              <WebhookExample type={type} operation={post} />
            </dd>
          </div>
        ))}
      </dl>
      <h4>Headers</h4>
      <ParameterList id={body} parameters={parameters} toComponent={components.addressOf} />
      <h4>Your response</h4>
      <dl class="terms">
        {Object.entries(responses).map(([status, { description }]) => (
          <div>
            <dt>
              <code>{status}</code>
            </dt>
            <dd>
              <Prose text={description} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
};

const WebhookExample: FC<{ type: string; operation: DocumentedOperation }> = ({ type, operation }) => {
  const [example] = Object.values(operation.requestBody?.content['application/json'].examples ?? {});
  return (
    <details>
      <summary>Example of the body</summary>
      <Sample id={`${type}.example`} title="JSON" text={json(example?.value)} />
    </details>
  );
};

function bodyNameOf({ requestBody }: DocumentedOperation): string {
  return nameIn(requestBody?.content['application/json'].schema ?? {}) ?? '';
}
