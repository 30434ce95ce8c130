/** Tokens of each theme by name, without the `--`. */
export interface Tokens {
  readonly light: ReadonlyMap<string, string>;
  /** All tokens, those that the dark theme does not change included. */
  readonly dark: ReadonlyMap<string, string>;
}

/**
 * Reads the tokens of a stylesheet such as assets/tokens.css: the first rule has those of the light theme, the rule within
 * `prefers-color-scheme: dark` replaces some of them.
 */
export function tokensOf(sheet: string): Tokens {
  const [first = '', others = ''] = sheet.split('@media screen and (prefers-color-scheme: dark)');
  const light = new Map(declarationsOf(first));
  const [dark = ''] = others.split('@media');
  return { light, dark: new Map([...light, ...declarationsOf(dark)]) };
}

function declarationsOf(css: string): (readonly [name: string, value: string])[] {
  return [...css.matchAll(/--([\w-]+):\s*([^;]+);/g)].map(([, name = '', value = '']) => [name, value.trim()]);
}
