import type { FC } from 'hono/jsx';
import { type DocumentedOperation, nameIn } from './api-document.ts';
import type { Docs } from './docs.ts';
import { ParameterList } from './field-list.tsx';
import { ToGuide } from './links.tsx';
import { addressesOn, Component } from './operation-page.tsx';
import { json, Prose, Sample } from './prose.tsx';
import { WEBHOOKS } from './reference-paths.ts';

/** Documents the webhooks by their body, which several types share. */
export const WebhooksPage: FC<{ docs: Docs }> = ({ docs }) => {
  const { tags, webhooks = {} } = docs.document;
  const byBody = Map.groupBy(Object.entries(webhooks), ([, { post }]) => bodyNameOf(post));
  return (
    <>
      <h1>Webhooks</h1>
      <Prose text={tags.find(({ name }) => name === 'Webhooks')?.description ?? ''} />
      <p>
        How to receive and verify them:{' '}
        <ToGuide docs={docs} to="webhooks">
          Webhooks
        </ToGuide>
        .
      </p>
      {[...byBody].map(([body, types]) => (
        <WebhookGroup body={body} types={types} docs={docs} />
      ))}
    </>
  );
};

const WebhookGroup: FC<{
  body: string;
  types: readonly (readonly [string, { readonly post: DocumentedOperation }])[];
  docs: Docs;
}> = ({ body, types, docs }) => {
  const [, first] = types[0] ?? [];
  if (first === undefined) return null;
  const { parameters = [], responses } = first.post;
  return (
    <section aria-labelledby={`object-${body}`} class="operation">
      <h2 id={`object-${body}`}>{body}</h2>
      <Component name={body} docs={docs} page={WEBHOOKS} />
      <h3>Types</h3>
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
      <h3>Headers</h3>
      <ParameterList id={body} parameters={parameters} toComponent={addressesOn(docs, WEBHOOKS)} />
      <h3>Your response</h3>
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
