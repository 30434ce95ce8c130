import { CountersignApiError } from '../src/index.ts';

/** Returns the error that a call throws, and fails if it throws another one or none. */
export async function errorOf(call: Promise<unknown>): Promise<CountersignApiError> {
  const error = await call.then(
    () => new Error('the call succeeded'),
    (thrown: unknown) => thrown,
  );
  if (error instanceof CountersignApiError) return error;
  throw error;
}
