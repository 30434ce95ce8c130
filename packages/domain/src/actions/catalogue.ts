import type { ActionEntry } from './action.ts';
import { getApiKey, issueApiKey, listApiKeys, revokeApiKey, rotateApiKey } from './api-keys.ts';

/** Every action that has an entry. */
export const ACTIONS: readonly ActionEntry[] = [listApiKeys, getApiKey, issueApiKey, rotateApiKey, revokeApiKey];
