import { DIFFICULT_TEXTS } from './texts.ts';

/** References that begin alike: for whoever takes a character for a pattern, or the next text for a border. */
export const REFERENCES: readonly string[] = DIFFICULT_TEXTS.concat(
  ['a%b', 'a_b', 'axb', 'A_b', 'a*b', 'a?b', 'a[b]', 'ab', 'a\\b', 'a\\_b', "a'b", 'a^b', 'a-b', 'a.b'],
  ['z\ud7ff', 'z\ud7ff1', 'z\ue000', 'z\uffff1', 'z\u{10000}', 'z\u{10ffff}', 'z\u{10ffff}1', '{'],
);

/** What to look for among them: they themselves, beginnings of them, and what none begins with. */
export const PREFIXES: readonly string[] = REFERENCES.concat(
  ['user', 'user_', 'User', 'u', 'U', ' ', 'a%', 'a_', 'A_', 'a*', 'a?', 'a[', 'a\\', "a'", 'a^', 'a.', 'a-'],
  ['*', '?', '[', '[a-z]', '\\', '.', '.*', '^a', 'user%', '%user', "o'Brien", 'e', 'é', 'E', 'İ', 'i'],
  ['😀', '👩', '👩‍👩', 'Ελλ', 'ελλ', 'z', 'z\uffff', 'x'.repeat(255), 'x'.repeat(257), '😀'.repeat(255), '0'],
);
