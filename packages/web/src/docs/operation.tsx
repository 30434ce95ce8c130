import type { FC } from 'hono/jsx';
import {
  type ApiOperation,
  type DocumentedResponse,
  type Example,
  errorsOf,
  type JsonSchema,
  nameIn,
  type RequestBody,
} from './api-document.ts';
import type { Docs } from './docs.ts';
import { FieldList, ParameterList } from './field-list.tsx';
import { errorAddress } from './links.tsx';
import { Inline, json, Prose, Sample } from './prose.tsx';
import type { Components } from './reference-components.ts';
import { curlOf, typescriptOf } from './samples.ts';
import { TryIt } from './try-it.tsx';

interface OperationProps {
  readonly docs: Docs;
  readonly components: Components;
  readonly operation: ApiOperation;
}

/** Documents one operation: what it does and needs, a sample, its input, responses and errors, and a form to send it. */
export const Operation: FC<OperationProps> = ({ docs, components, operation }) => {
  const { operationId: id, method, path, summary, description = '', parameters = [], requestBody } = operation;
  return (
    <section aria-labelledby={id} class="operation">
      <h3 id={id}>{summary.replace(/\.$/, '')}</h3>
      <p class="operation-address">
        <code>
          <strong>{method}</strong> {path}
        </code>
      </p>
      <Prose text={description} />
      <Sample id={`${id}.curl`} title="curl" text={curlOf(operation, docs.keyHeader)} />
      <Sample id={`${id}.typescript`} title="TypeScript" text={typescriptOf(operation)} />
      {parameters.length === 0 ? null : (
        <>
          <h4>Parameters</h4>
          <ParameterList id={id} parameters={parameters} toComponent={components.addressOf} />
        </>
      )}
      {requestBody === undefined ? null : (
        <Body operation={operation} body={requestBody} components={components} />
      )}
      {Object.entries(operation.responses).map(([status, response]) =>
        status.startsWith('2') ? (
          <Success operation={operation} status={status} response={response} components={components} docs={docs} />
        ) : null,
      )}
      <Errors operation={operation} docs={docs} />
      <TryIt docs={docs} operation={operation} />
    </section>
  );
};

const Body: FC<{ operation: ApiOperation; body: RequestBody; components: Components }> = (props) => {
  const { operation, body, components } = props;
  const { schema, examples } = body.content['application/json'];
  return (
    <>
      <h4>Request body</h4>
      {body.description === undefined ? null : <Prose text={body.description} />}
      <DataFields id={`${operation.operationId}.body`} schema={schema} components={components} />
      <Examples id={`${operation.operationId}.body`} examples={examples} />
    </>
  );
};

const Success: FC<{
  operation: ApiOperation;
  status: string;
  response: DocumentedResponse;
  components: Components;
  docs: Docs;
}> = ({ operation, status, response, components, docs }) => {
  const { schema = {}, examples = {} } = response.content?.['application/json'] ?? {};
  const id = `${operation.operationId}.${status}`;
  const headers = components.ownHeadersOf(response);
  const { data } = schema.properties ?? {};
  return (
    <>
      <h4>
        Response <code>{status}</code>
      </h4>
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
      <DataFields id={id} schema={data ?? schema} components={components} />
      <Examples id={id} examples={examples} />
    </>
  );
};

/** The fields of a component where it is described, a link to it everywhere else, or the fields of an object without a name. */
const DataFields: FC<{ id: string; schema: JsonSchema; components: Components }> = ({
  id,
  schema,
  components,
}) => {
  const name = nameIn(schema);
  if (name === undefined) {
    if (schema.properties === undefined || Object.keys(schema.properties).length === 0) return null;
    return <FieldList id={id} schema={schema} toComponent={components.addressOf} />;
  }
  if (!components.isDescribedAt(name, id)) {
    return (
      <p>
        <a href={components.addressOf(name)}>{name}</a>
      </p>
    );
  }
  return <Component name={name} components={components} />;
};

/** Describes a component of the document. */
export const Component: FC<{ name: string; components: Components }> = ({ name, components }) => {
  const schema = components.schemaOf(name);
  return (
    <div id={name} class="component">
      {schema.description === undefined ? null : <Prose text={schema.description} />}
      <FieldList id={name} schema={schema} toComponent={components.addressOf} />
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
  <>
    <h4>Errors</h4>
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
  </>
);
