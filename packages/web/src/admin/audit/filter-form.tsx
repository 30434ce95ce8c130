import { AUDIT_ACTIONS, AUDIT_OUTCOMES, type ClientWithSubscription } from '@countersign/domain';
import type { FC } from 'hono/jsx';
import { fieldId } from '../../forms/form-state.ts';
import type { Page } from '../../site/page.ts';
import type { Problems } from '../../staff/bad-input.ts';
import { AUDIT_PATH } from '../paths.ts';
import { type AuditFilterTexts, type FilterField, isFiltered } from './audit-filter.ts';

interface FormProps {
  readonly page: Page;
  readonly filter: AuditFilterTexts;
  readonly problems: Problems;
}

/** Which lines are meant. It is sent as the query of an address, so that it can be kept and passed on. */
export const FilterForm: FC<FormProps & { clients: readonly ClientWithSubscription[] }> = (props) => {
  const { clients, ...rest } = props;
  const { page, filter } = rest;
  const { t, href } = page;
  const any: Option = ['', t('admin:audit.any')];
  return (
    <form method="get" action={href(AUDIT_PATH)} class="filters" aria-label={t('admin:audit.filters')}>
      <Filter {...rest} name="actor" label={t('admin:audit.actor')} />
      <Filter
        {...rest}
        name="client"
        label={t('admin:audit.client')}
        options={[any, ...clients.map(({ client }): Option => [client.id, client.name])]}
      />
      <Filter
        {...rest}
        name="action"
        label={t('admin:audit.action')}
        options={[any, ...AUDIT_ACTIONS.map((action): Option => [action, t(`admin:audit.actions.${action}`)])]}
      />
      <Filter
        {...rest}
        name="outcome"
        label={t('admin:audit.outcome')}
        options={[any, ...AUDIT_OUTCOMES.map((each): Option => [each, t(`admin:audit.outcomes.${each}`)])]}
      />
      <div class="filter-buttons">
        <button type="submit" class="secondary">
          {t('admin:audit.apply')}
        </button>
        {isFiltered(filter) ? <a href={href(AUDIT_PATH)}>{t('admin:audit.reset')}</a> : null}
      </div>
    </form>
  );
};

type Option = readonly [value: string, label: string];
type FilterProps = FormProps & { readonly name: FilterField; readonly label: string };

const Filter: FC<FilterProps & { options?: readonly Option[] }> = ({ options, ...props }) => {
  const { page, filter, problems, name, label } = props;
  const problem = problems.get(name);
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
        <input type="text" value={filter[name]} autocomplete="off" spellcheck={false} {...attributes} />
      ) : (
        <select {...attributes}>
          {withChosen(options, filter[name]).map(([value, text]) => (
            <option value={value} selected={value === filter[name] ? true : undefined}>
              {text}
            </option>
          ))}
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

/** What stands in the address is shown, also where the list does not have it. */
function withChosen(options: readonly Option[], chosen: string): readonly Option[] {
  return options.some(([value]) => value === chosen) ? options : [...options, [chosen, chosen]];
}
