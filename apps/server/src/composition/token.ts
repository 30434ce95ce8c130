import type { InjectionToken } from 'tsyringe';

/** A name under which the container keeps something of type `T`. */
export function token<T>(description: string): InjectionToken<T> {
  return Symbol(description);
}
