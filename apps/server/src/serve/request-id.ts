import { randomUUID } from 'node:crypto';

/** A new value for `X-Request-Id`. Nothing is sorted by it, so it is a plain random UUID: the cheapest there is. */
export const newRequestId = (): string => randomUUID();
