import { isCountersignError } from '@countersign/domain';
import { type ClientName, findClients } from '@countersign/domain/actions';
import { CLIENT_CHOICES } from '@countersign/domain/clients';
import { clientNameKey } from '@countersign/domain/storage';
import type { Context } from 'hono';
import type { FC } from 'hono/jsx';
import { SelectField } from '../forms/choice-fields.tsx';
import { FieldFrame, type FieldProps, fieldAria } from '../forms/field-parts.tsx';
import { fieldId } from '../forms/form-state.ts';
import type { StaffEnv } from './area.tsx';
import { type Filter, type Lookup, Suggestions, suggestionsId } from './filters.tsx';

/** The clients to choose from. With `hasMore` they are the first by name, and others are found by a text. */
export interface ClientChoice {
  readonly clients: readonly ClientName[];
  readonly hasMore: boolean;
  /** Returns the id of the client that a text stands for, or the text. */
  readonly idOf: (text: string) => Promise<string>;
}

/** Reads the clients to choose from. The cost does not depend on how many there are. */
export async function clientChoice(context: Context<StaffEnv>): Promise<ClientChoice> {
  const found = await clientsFound(context);
  return { ...found, idOf: async (text) => meant(text, await clientsFound(context, text))?.id ?? text };
}

/**
 * A filter by client: a list to choose from, or a text by which one of many is found.
 * @param text default: that of the address
 */
export async function clientFilter(
  context: Context<StaffEnv>,
  name: string,
  given: Pick<Filter, 'label' | 'ignoresUnknown'>,
  text: string = context.req.query(name) ?? '',
): Promise<Filter> {
  const { clients, hasMore } = await clientsFound(context);
  if (!hasMore) return { name, ...given, options: clients.map((client) => [client.id, client.name]) };
  const suggestions = clients.map((client) => client.name);
  return {
    name,
    label: given.label,
    lookup: await lookUp(context, text.trim(), suggestions),
  };
}

async function lookUp(context: Context<StaffEnv>, text: string, suggestions: readonly string[]): Promise<Lookup> {
  if (text === '') return { text, value: '', suggestions };
  const { t } = context.get('page');
  const found = await clientsFound(context, text);
  const client = meant(text, found);
  if (client !== null) return { text: await textFor(context, client), value: client.id, suggestions };
  const { clients, hasMore } = found;
  if (clients.length === 0) return { text, value: '', suggestions, problem: t('staff:client.none') };
  return {
    text,
    value: '',
    suggestions: clients.map(({ name }) => name),
    problem: hasMore ? t('staff:client.tooMany', { count: CLIENT_CHOICES }) : t('staff:client.several'),
    matches: clients.map(({ id, name }) => [id, name]),
  };
}

/** The client with this id or name, or the only one whose name begins with the text. */
function meant(text: string, { clients, hasMore }: Pick<ClientChoice, 'clients' | 'hasMore'>): ClientName | null {
  const key = clientNameKey(text);
  const equal = clients.filter(({ id, name }) => id === text || clientNameKey(name) === key);
  const [first, ...others] = equal.length > 0 ? equal : hasMore ? [] : clients;
  return first !== undefined && others.length === 0 ? first : null;
}

/** The name of a client; its id if others have the same name. */
async function textFor(context: Context<StaffEnv>, { id, name }: ClientName): Promise<string> {
  return meant(name, await clientsFound(context, name))?.id === id ? name : id;
}

async function clientsFound(
  context: Context<StaffEnv>,
  name?: string,
): Promise<Pick<ClientChoice, 'clients' | 'hasMore'>> {
  try {
    return await context.get('as').run(findClients, { name });
  } catch (error) {
    // A text that cannot be a name finds nothing.
    if (name === undefined || !isCountersignError(error, 'INVALID_PARAMETERS')) throw error;
    return { clients: [], hasMore: false };
  }
}

/** The field of a form for a client: a list to choose from, or a text if there are many. */
export const ClientField: FC<FieldProps & { choice: ClientChoice }> = ({ choice, ...props }) => {
  const { form, name, label, hint } = props;
  const { clients, hasMore } = choice;
  if (!hasMore) {
    return (
      <SelectField {...props} choices={clients.map((client) => ({ value: client.id, label: client.name }))} />
    );
  }
  const more = hint ?? form.t('staff:client.hint');
  return (
    <FieldFrame form={form} name={name} label={label} hint={more} optional={props.optional}>
      <input
        id={fieldId(name)}
        name={name}
        value={form.values.text(name)}
        autocomplete="off"
        spellcheck={false}
        autocapitalize="none"
        list={suggestionsId(name)}
        {...fieldAria({ ...props, hint: more })}
      />
      <Suggestions name={name} texts={clients.map((client) => client.name)} />
    </FieldFrame>
  );
};
