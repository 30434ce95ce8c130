import type { Child, FC } from 'hono/jsx';
import type { JsonSchema, Parameter } from './api-document.ts';
import { Inline } from './prose.tsx';
import { boundsOf, descriptionOf, fieldsBelow, typesOf, valuesOf } from './schema-words.ts';

/** Returns the address of the fields of a component, within the page. */
export type ComponentAddress = (component: string) => string;

/**
 * Lists the fields of an object, and below each the fields of its value. Each has an id, such as `Verification.status`.
 * A component of the document is described in one place; elsewhere, its name is a link.
 */
export const FieldList: FC<{ id: string; schema: JsonSchema; toComponent: ComponentAddress }> = (props) => {
  const { id, schema, toComponent } = props;
  const { properties = {}, required = [] } = schema;
  return (
    <ul class="field-list">
      {Object.entries(properties).map(([name, value]) => (
        <FieldItem
          id={`${id}.${name}`}
          name={name}
          schema={value}
          note={required.includes(name) ? null : 'optional'}
          toComponent={toComponent}
        />
      ))}
    </ul>
  );
};

/** Lists the parameters of an operation. */
export const ParameterList: FC<{
  id: string;
  parameters: readonly Parameter[];
  toComponent: ComponentAddress;
}> = ({ id, parameters, toComponent }) => (
  <ul class="field-list">
    {parameters.map(({ name, in: place, required, description, schema }) => (
      <FieldItem
        id={`${id}.${name}`}
        name={name}
        schema={{ ...schema, description }}
        note={required ? place : `${place}, optional`}
        toComponent={toComponent}
      />
    ))}
  </ul>
);

const FieldItem: FC<{
  id: string;
  name: string;
  schema: JsonSchema;
  note: string | null;
  toComponent: ComponentAddress;
}> = ({ id, name, schema, note, toComponent }) => {
  const below = fieldsBelow(schema);
  return (
    <li id={id}>
      <p class="field-head">
        <code class="field-name">{name}</code> <TypeName schema={schema} toComponent={toComponent} />{' '}
        {note === null ? null : <span class="field-note">{note}</span>}
      </p>
      <FieldText schema={schema} />
      {below === undefined ? null : <FieldList id={id} schema={below} toComponent={toComponent} />}
    </li>
  );
};

/** What a value means, the values it may have, and its bounds. */
const FieldText: FC<{ schema: JsonSchema }> = ({ schema }) => {
  const description = descriptionOf(schema);
  const values = valuesOf(schema);
  const bounds = boundsOf(schema);
  return (
    <>
      {description === undefined ? null : (
        <p>
          <Inline text={description} />
        </p>
      )}
      {values.length === 0 ? null : (
        <p class="quiet">
          One of{' '}
          {joined(
            values.map((value) => <code>{String(value)}</code>),
            ', ',
          )}
        </p>
      )}
      {bounds.length === 0 ? null : (
        <p class="quiet">
          <Inline text={capitalized(bounds.join('; '))} />
        </p>
      )}
    </>
  );
};

const TypeName: FC<{ schema: JsonSchema; toComponent: ComponentAddress }> = ({ schema, toComponent }) => (
  <span class="field-type">
    {joined(
      typesOf(schema).map(({ before, component }) =>
        component === undefined ? (
          before
        ) : (
          <>
            {before}
            <a href={toComponent(component)}>{component}</a>
          </>
        ),
      ),
      ' or ',
    )}
  </span>
);

/** Puts a text between the parts. */
function joined(parts: readonly Child[], between: string): Child {
  return <>{parts.map((part, index) => (index === 0 ? part : [between, part]))}</>;
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
