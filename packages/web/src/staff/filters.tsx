import type { FC } from 'hono/jsx';
import { fieldId } from '../forms/form-state.ts';
import { Icon } from '../parts/icon.tsx';
import type { Page } from '../site/page.ts';

/** One filter of a list. */
export interface Filter {
  /** Name of the query parameter. */
  readonly name: string;
  readonly label: string;
  /** `date` and `month` show the browser's calendar. Default `text`. */
  readonly type?: 'text' | 'date' | 'month';
  /** Choices instead of a text. */
  readonly options?: readonly Option[];
  /** Whether the choices are links above the other filters. */
  readonly asLinks?: true;
  /** The value if the address has none. Then one of the options must be chosen. */
  readonly initial?: string;
  /** The message for a value that is not among the options. Without it, the action checks the value. */
  readonly unknown?: string;
  /** Whether a value that is not among the options is ignored. */
  readonly ignoresUnknown?: true;
  /** Whether spaces around the value count. */
  readonly isExact?: true;
  /** Single-key shortcut that leads to the control. */
  readonly key?: string;
  /** What was found for the typed text, if there are too many values for a list of options. */
  readonly lookup?: Lookup;
}

/** A choice. Choices with a group stand together below its name. */
export type Option = readonly [value: string, label: string, group?: string];

/** The value that a typed text stands for. */
export interface Lookup {
  /** Shown in the control. */
  readonly text: string;
  /** Empty if the text stands for no value, or for several. */
  readonly value: string;
  /** Texts that the browser offers while the user types. */
  readonly suggestions: readonly string[];
  /** Why the text stands for no value. */
  readonly problem?: string;
  /** Values to choose from, if the text stands for several. */
  readonly matches?: readonly Option[];
}

/** Values of filters by name; an empty text for a filter that is not set. */
export type FilterValues = Readonly<Record<string, string>>;

/** Reads the values of filters from the query of an address. */
export function filterValues(
  filters: readonly Filter[],
  query: (name: string) => string | undefined,
): FilterValues {
  return Object.fromEntries(
    filters.map(({ name, options = [], initial = '', ignoresUnknown, isExact, lookup }) => {
      if (lookup !== undefined) return [name, lookup.value];
      const text = query(name) ?? '';
      const value = isExact ? text : text.trim();
      const isKnown = !ignoresUnknown || options.some(([known]) => known === value);
      return [name, value === '' || !isKnown ? initial : value];
    }),
  );
}

/** Returns messages for values that are not among the options. */
export function unknownValues(filters: readonly Filter[], values: FilterValues): ReadonlyMap<string, string> {
  return new Map(
    filters.flatMap(({ name, options = [], unknown, lookup }): [string, string][] => {
      if (lookup !== undefined) return lookup.problem === undefined ? [] : [[name, lookup.problem]];
      const value = values[name] ?? '';
      const isKnown = value === '' || options.some(([known]) => known === value);
      return isKnown || unknown === undefined ? [] : [[name, unknown]];
    }),
  );
}

/** Whether a filter is set. */
export function isFiltered(filters: readonly Filter[], values: FilterValues): boolean {
  return filters.some(({ name, initial = '' }) => values[name] !== initial);
}

/** Writes the values as a query with `?`, or an empty text. @param more other parameters, such as the page */
export function queryOf(filters: readonly Filter[], values: FilterValues, more: FilterValues = {}): string {
  const set = filters.flatMap(({ name, initial = '' }): [string, string][] => {
    const value = values[name] ?? '';
    return value === initial ? [] : [[name, value]];
  });
  const query = new URLSearchParams([...set, ...Object.entries(more)]);
  return query.size === 0 ? '' : `?${query.toString()}`;
}

export interface FilterBarProps {
  readonly page: Page;
  /** Path of the list. */
  readonly path: string;
  readonly filters: readonly Filter[];
  readonly values: FilterValues;
  /** Messages for invalid values, by name. */
  readonly problems?: ReadonlyMap<string, string> | undefined;
}

/**
 * The filters of a list, as one bar. They are sent as the query of an address, which users can bookmark and share. Where
 * there is little room, the fields show once the `<details>` before them is open, so that it works without a script.
 */
export const FilterBar: FC<FilterBarProps> = (props) => {
  const { page, path, filters, values, problems } = props;
  const { t, href } = page;
  // A value that is not among the links shows in a field, with its message.
  const linked = filters.filter(({ name, asLinks }) => asLinks && problems?.has(name) !== true);
  const fields = filters.filter((filter) => !linked.includes(filter));
  const isOpen = isFiltered(fields, values) || fields.some(({ name }) => problems?.has(name));
  const reset =
    fields.length > 0 && isFiltered(filters, values) ? (
      <a href={href(path)} class="button quiet">
        {t('site:filter.reset')}
      </a>
    ) : null;
  return (
    <search class="filter-bar">
      {linked.length === 0 ? null : (
        <div class="filter-choices">
          {linked.map((filter) => (
            <Choices {...props} filter={filter} />
          ))}
          {reset}
        </div>
      )}
      {fields.length === 0 ? null : (
        <>
          <details class="filter-switch" open={isOpen ? true : undefined}>
            <summary>
              <Icon page={page} name="search" />
              {t('staff:list.filters')}
            </summary>
          </details>
          <form method="get" action={href(path)} class="filters" aria-label={t('staff:list.filters')}>
            {linked.map(({ name }) =>
              values[name] === '' ? null : <input type="hidden" name={name} value={values[name]} />,
            )}
            {fields.map((filter) => (
              <FilterControl {...props} filter={filter} />
            ))}
            <div class="filter-buttons">
              <button type="submit" class="secondary">
                {t('site:filter.apply')}
              </button>
              {linked.length === 0 ? reset : null}
            </div>
          </form>
        </>
      )}
    </search>
  );
};

/** The choices of a filter; unless one must be chosen, the first one lists everything. */
function choicesOf({ options = [], initial }: Filter, { t }: Page): readonly Option[] {
  return initial === undefined ? [['', t('site:filter.any')], ...options] : options;
}

/** The choices of a filter, with its name before the one that the list begins with: `Subject: All`. */
function namedChoices(filter: Filter, page: Page): readonly Option[] {
  const { label, initial = '' } = filter;
  return choicesOf(filter, page).map((option): Option => {
    const [value, choice] = option;
    return value === initial ? [value, page.t('site:filter.named', { label, choice })] : option;
  });
}

/** A filter as links, one for each choice. The other filters stay. */
const Choices: FC<FilterBarProps & { filter: Filter }> = (props) => {
  const { page, path, filters, values, filter } = props;
  const { name, label } = filter;
  return (
    <nav class="choices" aria-label={label}>
      {choicesOf(filter, page).map(([value, text]) => (
        <a
          href={page.href(path + queryOf(filters, { ...values, [name]: value }))}
          aria-current={value === values[name] ? 'true' : undefined}
        >
          {text}
        </a>
      ))}
    </nav>
  );
};

/** The control of a filter, with its message. */
export const FilterControl: FC<FilterBarProps & { filter: Filter }> = (props) => {
  const { page, filter, values, problems } = props;
  const { name, label, type = 'text', options, lookup, key } = filter;
  const value = lookup?.text ?? values[name] ?? '';
  const problem = problems?.get(name);
  const isText = type === 'text' && options === undefined;
  const attributes = {
    id: fieldId(name),
    name,
    'data-key': key,
    'aria-invalid': problem === undefined ? undefined : 'true',
    'aria-describedby': problem === undefined ? undefined : `${fieldId(name)}-error`,
  } as const;
  return (
    <div class={isText ? 'filter-text' : undefined}>
      {isText ? <Icon page={page} name="search" /> : null}
      {/* The placeholder or the first choice says it too. */}
      <label for={fieldId(name)} class={isText || options !== undefined ? 'visually-hidden' : undefined}>
        {label}
      </label>
      {options === undefined ? (
        <input
          {...attributes}
          // A date control drops a value that is not a date. As text it can be seen and corrected.
          type={problem === undefined ? type : 'text'}
          value={value}
          placeholder={isText ? label : undefined}
          autocomplete="off"
          spellcheck={false}
          autocapitalize="none"
          list={lookup === undefined ? undefined : suggestionsId(name)}
        />
      ) : (
        <select {...attributes}>
          <Options options={withChosen(namedChoices(filter, page), value)} chosen={value} />
        </select>
      )}
      {problem === undefined ? null : (
        <p class="field-error" id={`${fieldId(name)}-error`}>
          <span class="visually-hidden">{page.t('site:error.field')} </span>
          {problem}
        </p>
      )}
      {lookup === undefined ? null : (
        <>
          <Suggestions name={name} texts={lookup.suggestions} />
          <Matches {...props} matches={lookup.matches ?? []} />
        </>
      )}
    </div>
  );
};

const Options: FC<{ options: readonly Option[]; chosen: string }> = ({ options, chosen }) => (
  <>
    {[...Map.groupBy(options, ([, , group]) => group)].map(([group, members]) => {
      const choices = members.map(([value, label]) => (
        <option value={value} selected={value === chosen ? true : undefined}>
          {label}
        </option>
      ));
      return group === undefined ? choices : <optgroup label={group}>{choices}</optgroup>;
    })}
  </>
);

/** Links to the values that a text may stand for. The other filters stay. */
const Matches: FC<FilterBarProps & { filter: Filter; matches: readonly Option[] }> = (props) => {
  const { page, path, filters, values, filter, matches } = props;
  return matches.length === 0 ? null : (
    <ul>
      {matches.map(([value, label]) => (
        <li>
          <a href={page.href(path + queryOf(filters, { ...values, [filter.name]: value }))} class="as-typed">
            <bdi>{label}</bdi>
          </a>
        </li>
      ))}
    </ul>
  );
};

/** The `list` attribute of a control with suggestions. */
export const suggestionsId = (name: string): string => `${fieldId(name)}-suggestions`;

/** The texts that a browser offers for the control with this name. */
export const Suggestions: FC<{ name: string; texts: readonly string[] }> = ({ name, texts }) => (
  <datalist id={suggestionsId(name)}>
    {texts.map((text) => (
      <option value={text} />
    ))}
  </datalist>
);

/** Adds an unknown value as it is in the address. */
function withChosen(options: readonly Option[], chosen: string): readonly Option[] {
  return options.some(([value]) => value === chosen) ? options : [...options, [chosen, chosen]];
}
