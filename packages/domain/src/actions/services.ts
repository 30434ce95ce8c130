import type { ManageApiKeys } from '../access/manage-api-keys.ts';

/** The use cases behind the actions. They know no roles and no rights; `createCountersign` makes them and keeps them. */
export interface Services {
  readonly apiKeys: ManageApiKeys;
}
