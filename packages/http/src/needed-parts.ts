import type { StoragePart } from '@countersign/domain/storage';

/** The part of the storage that all operations of a path need, by the path's template. */
const NEEDS: Readonly<Partial<Record<string, StoragePart>>> = {
  '/verifications/{id}/relationship-end': 'retention',
  '/verifications/{id}/data': 'retention',
};

/** Whether a storage with these parts can serve a path. */
export function isServed(template: string, parts: ReadonlySet<StoragePart>): boolean {
  const part = NEEDS[template];
  return part === undefined || parts.has(part);
}
