import type { Child, FC } from 'hono/jsx';
import { Notice } from '../parts/blocks.tsx';
import { type ApiOperation, type JsonSchema, operationTitle, type Parameter } from './api-document.ts';
import type { Docs } from './docs.ts';
import { json } from './prose.tsx';
import { referencePath } from './reference-paths.ts';
import { valuesOf } from './schema-words.ts';

/** The id of the heading above a form. */
export const TRY_IT_ID = 'try-it';

/** The script of the forms. */
export const TRY_IT_SCRIPT = 'try-it.js';

/**
 * A form that sends the operation to this service. It appears if JavaScript runs: without, the browser could only send a key in an
 * address. `method="dialog"` makes the browser send nothing by itself either. No field has a name.
 */
export const TryIt: FC<{ docs: Docs; operation: ApiOperation }> = ({ docs, operation }) => {
  const { operationId, method, path, needsKey, parameters = [], requestBody } = operation;
  if (docs.apiPath === null) return null;
  const id = `try.${operationId}`;
  const read = operationThatReads(docs, operation);
  return (
    <>
      <noscript>
        <Notice>Turn on JavaScript to send this request from here. Everything else works without it.</Notice>
      </noscript>
      <section class="try-it" aria-labelledby={TRY_IT_ID} data-try-it hidden>
        <h2 id={TRY_IT_ID}>Try it</h2>
        <form method="dialog" autocomplete="off" aria-label={`${method} ${path}`}>
          <input type="hidden" data-method={method} data-url={docs.apiPath + path} />
          <input type="hidden" data-shown-headers={shownHeaders(docs).join(' ')} />
          {method === 'GET' ? null : (
            <Notice>The request is real: it changes data of the client whose key you enter.</Notice>
          )}
          {needsKey ? <KeyField id={`${id}.key`} header={docs.keyHeader} /> : null}
          {parameters.map((parameter) => (
            <ParameterField id={`${id}.${parameter.name}`} parameter={parameter} />
          ))}
          {requestBody === undefined ? null : (
            <BodyField id={`${id}.body`} examples={requestBody.content['application/json'].examples} />
          )}
          <button type="submit">Send the request</button>
          <p role="status" class="try-status" />
          {read === undefined ? null : (
            <p class="try-next" hidden>
              Use its id: <a href={docs.href(referencePath(read.operationId))}>{operationTitle(read)}</a>
            </p>
          )}
          <div class="try-response" hidden>
            <dl class="try-headers" />
            <pre>
              <code />
            </pre>
          </div>
        </form>
      </section>
    </>
  );
};

/** Finds the operation that reads what another creates. */
function operationThatReads({ operations }: Docs, { method, path }: ApiOperation): ApiOperation | undefined {
  return method === 'POST'
    ? operations.find((other) => other.method === 'GET' && other.path === `${path}/{id}`)
    : undefined;
}

/** Headers of a response that are worth showing: not those that are always the same. */
function shownHeaders({ document }: Docs): readonly string[] {
  const headers = Object.entries(document.components.headers);
  return headers
    .filter(([, { required, schema }]) => !required || schema.const === undefined)
    .map(([name]) => name);
}

const Field: FC<{ id: string; label: Child; hint: Child; control: Child }> = ({ id, label, hint, control }) => (
  <div class="field">
    <label for={id}>{label}</label>
    <p class="hint" id={`${id}.hint`}>
      {hint}
    </p>
    {control}
  </div>
);

const KeyField: FC<{ id: string; header: string }> = ({ id, header }) => (
  <Field
    id={id}
    label="API key"
    hint={
      <>
        Sent in <code>{header}</code>. It stays in this page until you leave it, and is stored nowhere.
      </>
    }
    control={
      <input
        id={id}
        type="password"
        autocomplete="off"
        spellcheck={false}
        data-api-key={header}
        aria-describedby={`${id}.hint`}
      />
    }
  />
);

const PLACES: Readonly<Record<Parameter['in'], string>> = {
  path: 'Part of the path',
  query: 'Query parameter',
  header: 'Request header',
};

const ParameterField: FC<{ id: string; parameter: Parameter }> = ({ id, parameter }) => {
  const { name, in: place, required, schema, example } = parameter;
  const common = { id, 'data-in': place, 'data-parameter': name, 'aria-describedby': `${id}.hint` };
  const choices = choicesOf(schema);
  return (
    <Field
      id={id}
      label={<code>{name}</code>}
      hint={`${PLACES[place]}. ${required ? 'Required.' : 'Left out if empty.'}`}
      control={
        choices.length > 0 ? (
          <select {...common}>
            <option value="" />
            {choices.map((choice) => (
              <option value={choice} selected={required && choice === String(example)}>
                {choice}
              </option>
            ))}
          </select>
        ) : (
          <input
            {...common}
            type="text"
            autocomplete="off"
            spellcheck={false}
            value={required ? String(example) : ''}
            placeholder={required ? undefined : String(example)}
          />
        )
      }
    />
  );
};

function choicesOf(schema: JsonSchema): readonly string[] {
  return schema.type === 'boolean' ? ['true', 'false'] : valuesOf(schema).map(String);
}

const LINES_MAX = 12;

const BodyField: FC<{
  id: string;
  examples: Readonly<Record<string, { readonly summary?: string; readonly value: unknown }>>;
}> = ({ id, examples }) => {
  const entries = Object.entries(examples).map(([name, { summary, value }]) => ({
    label: (summary ?? name).replace(/\.$/, ''),
    text: json(value),
  }));
  const longest = Math.max(...entries.map(({ text }) => text.split('\n').length));
  return (
    <>
      {entries.length < 2 ? null : (
        <div class="field">
          <label for={`${id}.example`}>Example</label>
          <select id={`${id}.example`} data-fills={id}>
            {entries.map(({ label, text }) => (
              <option value={text}>{label}</option>
            ))}
          </select>
        </div>
      )}
      <Field
        id={id}
        label="Body"
        hint="Sent as it is, as JSON."
        control={
          <textarea
            id={id}
            rows={Math.min(longest + 1, LINES_MAX)}
            spellcheck={false}
            data-body
            aria-describedby={`${id}.hint`}
          >
            {entries[0]?.text}
          </textarea>
        }
      />
    </>
  );
};
