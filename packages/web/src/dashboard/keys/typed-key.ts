import {
  type Issue,
  KEY_LIFETIMES_DAYS,
  type KeyLifetimeDays,
  PERMISSIONS,
  type Permission,
} from '@countersign/domain';
import type { FormValues } from '../../forms/form-values.ts';
import type { Translate } from '../../site/messages.ts';

/** Names of the fields in the forms of keys. */
export const FIELD = { name: 'name', permissions: 'permissions', expiry: 'expiry' } as const;

/** What a form offers: `none` and the lifetimes there are. */
export const EXPIRIES: readonly string[] = ['none', ...KEY_LIFETIMES_DAYS.map(String)];

/** What is wrong with a form, by field. */
export type Problems = ReadonlyMap<string, string>;

/** What was typed, as far as it is something that there is. */
export interface TypedKey {
  readonly name: string;
  readonly permissions: readonly Permission[];
  /** Undefined for a key that never expires. */
  readonly expiresInDays: KeyLifetimeDays | undefined;
  /** Values that no form of ours offers. */
  readonly unknown: Problems;
}

export function readKey(values: FormValues, t: Translate): TypedKey {
  const permissions = values.all(FIELD.permissions);
  const unknown = new Map<string, string>();
  if (!permissions.every(isPermission)) {
    unknown.set(FIELD.permissions, t('dashboard:newKey.permissionUnknown'));
  }
  const expiry = values.text(FIELD.expiry);
  if (!EXPIRIES.includes(expiry)) unknown.set(FIELD.expiry, t('dashboard:newKey.expiryNeeded'));
  return {
    name: values.text(FIELD.name),
    permissions: permissions.filter(isPermission),
    expiresInDays: KEY_LIFETIMES_DAYS.find((days) => String(days) === expiry),
    unknown,
  };
}

function isPermission(text: string): text is Permission {
  return (PERMISSIONS as readonly string[]).includes(text);
}

/** What the domain refused, and what else would be, at the fields where it can be put right. */
export function problemsOf(issues: readonly Issue[], { permissions }: TypedKey, t: Translate): Problems {
  const problems = new Map<string, string>();
  for (const { path, code } of issues) {
    if (path === FIELD.name) {
      problems.set(
        FIELD.name,
        t(code === 'required' ? 'dashboard:newKey.nameNeeded' : 'dashboard:newKey.nameBad'),
      );
    }
  }
  // A name that is missing is refused before the rest is looked at.
  if (permissions.length === 0) problems.set(FIELD.permissions, t('dashboard:newKey.permissionNeeded'));
  return problems;
}
