import type { FC } from 'hono/jsx';
import { fieldId } from '../forms/form-state.ts';
import type { Page } from '../site/page.ts';

/** One filter of a list. */
export interface Filter {
  /** Name of the query parameter. */
  readonly name: string;
  readonly label: string;
  /** `date` shows the browser's calendar. Default `text`. */
  readonly type?: 'text' | 'date';
  /** Choices instead of a text. */
  readonly options?: readonly (readonly [value: string, label: string])[];
  /** Whether one of the options must be chosen. */
  readonly isRequired?: true;
}

export interface FilterBarProps {
  readonly page: Page;
  /** Path of the list. */
  readonly path: string;
  readonly label: string;
  readonly filters: readonly Filter[];
  /** What the address says, by name. */
  readonly values: Readonly<Record<string, string | null>>;
  /** Whether the list shows less than everything. */
  readonly isFiltered: boolean;
  /** Messages for values that are invalid, by name. */
  readonly problems?: ReadonlyMap<string, string> | undefined;
}

/** The filters of a list. They are sent as the query of an address, which can be kept and passed on. */
export const FilterBar: FC<FilterBarProps> = (props) => {
  const { page, path, label, filters, isFiltered } = props;
  const { t, href } = page;
  return (
    <form method="get" action={href(path)} class="filters" aria-label={label}>
      {filters.map((filter) => (
        <FilterControl {...props} filter={filter} />
      ))}
      <div class="filter-buttons">
        <button type="submit" class="secondary">
          {t('site:filter.apply')}
        </button>
        {isFiltered ? <a href={href(path)}>{t('site:filter.reset')}</a> : null}
      </div>
    </form>
  );
};

const FilterControl: FC<FilterBarProps & { filter: Filter }> = ({ page, filter, values, problems }) => {
  const { name, label, type = 'text', options, isRequired } = filter;
  const value = values[name] ?? '';
  const problem = problems?.get(name);
  const attributes = {
    id: fieldId(name),
    name,
    'aria-invalid': problem === undefined ? undefined : 'true',
    'aria-describedby': problem === undefined ? undefined : `${fieldId(name)}-error`,
  } as const;
  return (
    <div>
      <label for={fieldId(name)}>{label}</label>
      {options === undefined ? (
        <input
          {...attributes}
          // A date control drops a value that is no date. As text it can be seen and corrected.
          type={problem === undefined ? type : 'text'}
          value={value}
          autocomplete="off"
          spellcheck={false}
          autocapitalize="none"
        />
      ) : (
        <select {...attributes}>
          {withChosen(isRequired ? options : [['', page.t('site:filter.any')], ...options], value).map(
            ([key, text]) => (
              <option value={key} selected={key === value ? true : undefined}>
                {text}
              </option>
            ),
          )}
        </select>
      )}
      {problem === undefined ? null : (
        <p class="field-error" id={`${fieldId(name)}-error`}>
          <span class="visually-hidden">{page.t('site:error.field')} </span>
          {problem}
        </p>
      )}
    </div>
  );
};

type Option = readonly [value: string, label: string];

/** A value that is not among the options is shown as it stands in the address. */
function withChosen(options: readonly Option[], chosen: string): readonly Option[] {
  return options.some(([value]) => value === chosen) ? options : [...options, [chosen, chosen]];
}
