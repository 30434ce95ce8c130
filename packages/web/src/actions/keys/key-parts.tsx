import { type ApiKey, type Issue, type KeyLifetimeDays, PERMISSIONS, type Permission } from '@countersign/domain';
import type { Child } from 'hono/jsx';
import { CheckboxesField } from '../../forms/choice-fields.tsx';
import type { FieldProps } from '../../forms/draw-field.tsx';
import type { FormValues } from '../../forms/form-values.ts';
import type { MessageKey } from '../../site/messages.ts';
import type { Page } from '../../site/page.ts';
import { quoted, refusedEntries } from '../refused-entries.ts';

/** A forgotten key should not work for ever, so that users must choose it. */
export const SUGGESTED_LIFETIME: KeyLifetimeDays = 90;

/** What a permission allows. */
export const PERMISSION_TEXTS: Readonly<Record<Permission, MessageKey>> = {
  'verifications:create': 'dashboard:permission.create',
  'verifications:read': 'dashboard:permission.read',
  '*': 'dashboard:permission.all',
};

/** The same in one word, for lists. */
export const PERMISSION_WORDS: Readonly<Record<Permission, MessageKey>> = {
  'verifications:create': 'dashboard:permissionWord.create',
  'verifications:read': 'dashboard:permissionWord.read',
  '*': 'dashboard:permissionWord.all',
};

/** The name that a key is shown and revoked by: its own, else its first and last characters. */
export function nameOfKey({ name, display }: Pick<ApiKey, 'name' | 'display'>): string {
  return name === '' ? display : name;
}

/** Quotes all refused networks of a form. Too many networks keep the message of their issue. */
export function refusedNetworks(
  issues: readonly Issue[],
  values: FormValues,
  page: Page,
): ReadonlyMap<string, string> {
  const refused = refusedEntries('networks', issues, values);
  if (refused.length === 0) return new Map();
  const named = { count: refused.length, entries: quoted(refused, page) };
  return new Map([['networks', page.t('actions:refusedNetwork', named)]]);
}

/** Offers each permission by its text and its code. */
export function PermissionsField({ page: { t }, form, texts, name }: FieldProps): Child {
  return (
    <CheckboxesField
      form={form}
      name={name}
      label={texts.label(name)}
      choices={PERMISSIONS.map((permission) => ({
        value: permission,
        label: t(PERMISSION_TEXTS[permission]),
        hint: <code>{permission}</code>,
      }))}
    />
  );
}
