import { ApiError } from './api-error.ts';

/** The largest request body, in bytes (DESIGN section 2). */
export const BODY_MAX_BYTES: number = 64 * 1024;

/** The rest of the body is not worth reading, so the connection cannot be used again. */
export function tooLarge(): ApiError {
  return new ApiError('PAYLOAD_TOO_LARGE', `The body must have at most ${BODY_MAX_BYTES} bytes`, {
    Connection: 'close',
  });
}

/** The client can see this only if it closed just one half of its connection. */
export function brokenOff(): ApiError {
  return new ApiError('BAD_REQUEST', 'The body could not be read to its end');
}
