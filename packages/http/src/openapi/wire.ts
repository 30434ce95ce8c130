/** A value of the domain as JSON carries it: moments become text. Holds the schemas below to the domain's types. */
export type Wire<T> = T extends Date
  ? string
  : T extends readonly (infer Item)[]
    ? readonly Wire<Item>[]
    : T extends object
      ? string extends keyof T
        ? Readonly<Record<string, unknown>>
        : { readonly [K in keyof T]: Wire<T[K]> }
      : T;
