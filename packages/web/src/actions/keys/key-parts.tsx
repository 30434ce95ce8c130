import { type ApiKey, type KeyLifetimeDays, PERMISSIONS, type Permission } from '@countersign/domain';
import type { Child } from 'hono/jsx';
import { CheckboxesField } from '../../forms/choice-fields.tsx';
import type { FieldProps } from '../../forms/draw-field.tsx';
import type { MessageKey } from '../../site/messages.ts';

/** A forgotten key should not work for ever, so that users must choose it. */
export const SUGGESTED_LIFETIME: KeyLifetimeDays = 90;

/** What a permission allows. */
export const PERMISSION_TEXTS: Readonly<Record<Permission, MessageKey>> = {
  'verifications:create': 'dashboard:permission.create',
  'verifications:read': 'dashboard:permission.read',
  '*': 'dashboard:permission.all',
};

/** The name that a key is shown and revoked by: its own, else its first and last characters. */
export function nameOfKey({ name, display }: Pick<ApiKey, 'name' | 'display'>): string {
  return name === '' ? display : name;
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
