/** The only source of identifiers in the domain. */
export interface Ids {
  /** A new identifier: a UUID in text form. Version 7 (RFC 9562), so that rows lie in the order of their creation. */
  next(): string;
}
