import { STATUSES, SUBJECT_TYPES } from '@countersign/domain';
import type { FC } from 'hono/jsx';
import { fieldId } from '../../forms/form-state.ts';
import type { Page } from '../../site/page.ts';
import { type BrowseFilterTexts, type FilterField, isFiltered } from './browse-filter.ts';
import type { FilterProblems } from './filter-problems.ts';

interface FilterFormProps {
  readonly page: Page;
  /** Path of the page that the form is on, which it asks for. */
  readonly path: string;
  readonly filter: BrowseFilterTexts;
  readonly problems: FilterProblems;
}

/** Says which verifications are meant. It is sent as the query of an address, so that it can be kept and passed on. */
export const FilterForm: FC<FilterFormProps> = (props) => {
  const { page, path, filter } = props;
  const { t, href } = page;
  const any: Option = ['', t('dashboard:verifications.filter.any')];
  return (
    <form method="get" action={href(path)} class="filters" aria-label={t('dashboard:verifications.filter.label')}>
      <SelectFilter
        {...props}
        name="status"
        label={t('dashboard:verifications.status')}
        options={[any, ...STATUSES.map((status): Option => [status, t(`wording:statusShort.${status}`)])]}
      />
      <SelectFilter
        {...props}
        name="type"
        label={t('dashboard:verifications.type')}
        options={[any, ...SUBJECT_TYPES.map((type): Option => [type, t(`wording:type.${type}`)])]}
      />
      <InputFilter {...props} name="prefix" type="text" label={t('dashboard:verifications.filter.prefix')} />
      <InputFilter {...props} name="from" type="date" label={t('dashboard:verifications.filter.from')} />
      <InputFilter {...props} name="until" type="date" label={t('dashboard:verifications.filter.until')} />
      <div class="filter-buttons">
        <button type="submit" class="secondary">
          {t('dashboard:verifications.filter.apply')}
        </button>
        {isFiltered(filter) ? <a href={href(path)}>{t('dashboard:verifications.filter.reset')}</a> : null}
      </div>
    </form>
  );
};

type Option = readonly [value: string, label: string];
type FilterProps = FilterFormProps & { readonly name: FilterField; readonly label: string };

const SelectFilter: FC<FilterProps & { options: readonly Option[] }> = (props) => {
  const { name, label, filter, options } = props;
  return (
    <div>
      <label for={fieldId(name)}>{label}</label>
      <select id={fieldId(name)} name={name} {...wrong(props)}>
        {options.map(([value, text]) => (
          <option value={value} selected={value === filter[name] ? true : undefined}>
            {text}
          </option>
        ))}
      </select>
      <Problem {...props} />
    </div>
  );
};

const InputFilter: FC<FilterProps & { type: 'text' | 'date' }> = (props) => {
  const { name, label, filter, type, problems } = props;
  return (
    <div>
      <label for={fieldId(name)}>{label}</label>
      <input
        id={fieldId(name)}
        name={name}
        // A browser leaves out of a field for days what is none: as text it can be seen and put right.
        type={problems.has(name) ? 'text' : type}
        value={filter[name]}
        autocomplete="off"
        spellcheck={false}
        autocapitalize="none"
        {...wrong(props)}
      />
      <Problem {...props} />
    </div>
  );
};

function wrong({ name, problems }: FilterProps): Readonly<Record<string, string | undefined>> {
  const isWrong = problems.has(name);
  return {
    'aria-invalid': isWrong ? 'true' : undefined,
    'aria-describedby': isWrong ? `${fieldId(name)}-error` : undefined,
  };
}

const Problem: FC<FilterProps> = ({ page, name, problems }) => {
  const problem = problems.get(name);
  return problem === undefined ? null : (
    <p class="field-error" id={`${fieldId(name)}-error`}>
      <span class="visually-hidden">{page.t('site:error.field')} </span>
      {problem}
    </p>
  );
};
