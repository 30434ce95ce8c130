import type { AuditEntry, JsonValue } from '@countersign/domain';
import { hasMessage, type Translate } from '../../site/messages.ts';

/** What a line says beside its fields, in one line: `code: LAST_OWNER; follows line: 17`. Codes and words of the API stay as they are. */
export function detailInWords(detail: AuditEntry['detail'], t: Translate): string {
  return Object.entries(detail)
    .map(([key, value]) => `${labelOf(key, t)}: ${valueInWords(value, t)}`)
    .join('; ');
}

function labelOf(key: string, t: Translate): string {
  const name = `admin:audit.details.${key}`;
  return hasMessage(name) ? t(name) : key;
}

function valueInWords(value: JsonValue, t: Translate): string {
  if (value === null) return t('admin:audit.none');
  if (typeof value === 'boolean') return t(value ? 'site:yes' : 'site:no');
  if (Array.isArray(value)) {
    return value.length === 0
      ? t('admin:audit.none')
      : value.map((each: JsonValue) => valueInWords(each, t)).join(', ');
  }
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
