import type { ServiceState } from '../staff/service-status.ts';
import { type Action, defineAction } from './action.ts';
import { plainRead } from './targets.ts';

/** Reads how the service runs; null if the installation does not report it. */
export const readServiceState: Action<object, ServiceState | null> = defineAction<object, ServiceState | null>({
  id: 'operations.status',
  who: ['operator'],
  ...plainRead,
  run: async ({ serviceStatus }) => (await serviceStatus?.read()) ?? null,
});
