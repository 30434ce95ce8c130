/** The only source of time in the domain. */
export interface Clock {
  /** The present moment. Tests pass a fixed one. */
  now(): Date;
}
