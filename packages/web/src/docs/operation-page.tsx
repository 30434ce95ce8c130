import type { FC } from 'hono/jsx';
import { Section } from '../parts/page-parts.tsx';
import {
  type ApiOperation,
  type DocumentedResponse,
  type Example,
  errorsOf,
  type JsonSchema,
  nameIn,
  operationTitle,
  type RequestBody,
} from './api-document.ts';
import type { Docs } from './docs.ts';
import { type ComponentAddress, FieldList, ParameterList } from './field-list.tsx';
import { errorAddress } from './links.tsx';
import { Inline, json, Prose, Sample } from './prose.tsx';
import { curlOf, typescriptOf } from './samples.ts';
import { TryIt } from './try-it.tsx';

interface OperationProps {
  readonly docs: Docs;
  readonly operation: ApiOperation;
}

/** Documents one operation: what it does and needs, its input, responses and errors, samples, and a form to send it. */
export const OperationPage: FC<OperationProps> = ({ docs, operation }) => {
  const { operationId: id, method, path, description = '', parameters = [], requestBody } = operation;
  return (
    <section aria-labelledby={id} class="operation">
      <h1 id={id}>{operationTitle(operation)}</h1>
      <p class="operation-address">
        <code>
          <strong class={`method-${method.toLowerCase()}`}>{method}</strong> {path}
        </code>
      </p>
      <Prose text={description} />
      <Section id="request" title="Request">
        <Sample id={`${id}.curl`} title="curl" text={curlOf(operation, docs.keyHeader)} />
        <Sample id={`${id}.typescript`} title="TypeScript" text={typescriptOf(operation)} />
      </Section>
      {parameters.length === 0 ? null : (
        <Section id="parameters" title="Parameters">
          <ParameterList id={id} parameters={parameters} toComponent={addressesOn(docs, id)} />
        </Section>
      )}
      {requestBody === undefined ? null : <Body operation={operation} body={requestBody} docs={docs} />}
      {Object.entries(operation.responses).map(([status, response]) =>
        status.startsWith('2') ? (
          <Success operation={operation} status={status} response={response} docs={docs} />
        ) : null,
      )}
      <Errors operation={operation} docs={docs} />
      <TryIt docs={docs} operation={operation} />
    </section>
  );
};

/** Returns the addresses of components on a page of the reference. */
export function addressesOn({ components, href }: Docs, page: string): ComponentAddress {
  return (name) => href(components.addressOf(name, page));
}

const Body: FC<{ operation: ApiOperation; body: RequestBody; docs: Docs }> = ({ operation, body, docs }) => {
  const { schema, examples } = body.content['application/json'];
  const id = `${operation.operationId}.body`;
  return (
    <Section id="body" title="Request body">
      {body.description === undefined ? null : <Prose text={body.description} />}
      <DataFields id={id} schema={schema} docs={docs} page={operation.operationId} />
      <Examples id={id} examples={examples} />
    </Section>
  );
};

const Success: FC<{ operation: ApiOperation; status: string; response: DocumentedResponse; docs: Docs }> = ({
  operation,
  status,
  response,
  docs,
}) => {
  const { schema = {}, examples = {} } = response.content?.['application/json'] ?? {};
  const id = `${operation.operationId}.${status}`;
  const headers = docs.components.ownHeadersOf(response);
  const { data } = schema.properties ?? {};
  return (
    <Section id={`response-${status}`} title={`Response ${status}`}>
      <Prose text={response.description} />
      {headers.length === 0 ? null : (
        <ul class="field-list">
          {headers.map((name) => (
            <li>
              <p class="field-head">
                <code class="field-name">{name}</code> <span class="field-note">header</span>
              </p>
              <p>
                <Inline text={docs.document.components.headers[name]?.description ?? ''} />
              </p>
            </li>
          ))}
        </ul>
      )}
      {data === undefined ? null : (
        <p>
          In <code>data</code>:
        </p>
      )}
      <DataFields id={id} schema={data ?? schema} docs={docs} page={operation.operationId} />
      <Examples id={id} examples={examples} />
    </Section>
  );
};

/** The fields of a component where it is described, a link to it everywhere else, or the fields of an object without a name. */
const DataFields: FC<{ id: string; schema: JsonSchema; docs: Docs; page: string }> = ({
  id,
  schema,
  docs,
  page,
}) => {
  const name = nameIn(schema);
  if (name === undefined) {
    if (schema.properties === undefined || Object.keys(schema.properties).length === 0) return null;
    return <FieldList id={id} schema={schema} toComponent={addressesOn(docs, page)} />;
  }
  if (!docs.components.isDescribedAt(name, id)) {
    return (
      <p>
        <a href={addressesOn(docs, page)(name)}>{name}</a>
      </p>
    );
  }
  return <Component name={name} docs={docs} page={page} />;
};

/** Describes a component of the document. */
export const Component: FC<{ name: string; docs: Docs; page: string }> = ({ name, docs, page }) => {
  const schema = docs.components.schemaOf(name);
  return (
    <div id={name} class="component">
      {schema.description === undefined ? null : <Prose text={schema.description} />}
      <FieldList id={name} schema={schema} toComponent={addressesOn(docs, page)} />
    </div>
  );
};

const Examples: FC<{ id: string; examples: Readonly<Record<string, Example>> }> = ({ id, examples }) => (
  <>
    {Object.entries(examples).map(([name, { summary, value }]) => (
      <details>
        <summary>
          Example: <Inline text={(summary ?? name.replaceAll('_', ' ')).replace(/\.$/, '')} />
        </summary>
        <Sample id={`${id}.${name}`} title="JSON" text={json(value)} />
      </details>
    ))}
  </>
);

/** The codes of an operation, by status. What they mean is in the list of errors. */
const Errors: FC<{ operation: ApiOperation; docs: Docs }> = ({ operation, docs }) => (
  <Section id="errors" title="Errors">
    <ul class="error-list">
      {[...errorsOf(operation)].map(([status, errors]) => (
        <li>
          <code>{status}</code>{' '}
          {errors.map(({ code }) => (
            <>
              <a href={errorAddress(docs, code)}>
                <code>{code}</code>
              </a>{' '}
            </>
          ))}
        </li>
      ))}
    </ul>
  </Section>
);
