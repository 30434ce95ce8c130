/** Texts that a careless storage changes, truncates or confuses. Each is a valid `subjectReference`. */
export const DIFFICULT_TEXTS: readonly string[] = [
  'a',
  'user_1',
  'User_1',
  'USER_1',
  'user-1',
  'user%1',
  '%',
  '_',
  ' user_1',
  'user_1 ',
  '\tuser_1\n',
  "o'Brien; DROP TABLE verifications; --",
  '"quoted" \\ back\\slash `tick` $1 $$ {{y}} ? :a @b',
  '\u00e9 composed',
  'e\u0301 decomposed',
  'ß ẞ SS ss',
  'İ I ı i',
  'Ελληνικά Кириллица עברית العربية हिन्दी 日本語 한국어',
  '\u202eright to left\u202c',
  'zero\u200bwidth\ufeff',
  '😀 👩‍👩‍👧‍👦 🏳️‍🌈 𝒳 \u{10fffd}',
  '\uff21 \uffe5',
  '\u0001\u001f\u007f\u2028\u2029',
  'null',
  'undefined',
  '0',
  '00',
  '1e3',
  'true',
  '[]',
  '{}',
  'x'.repeat(256),
  'é'.repeat(256),
  '😀'.repeat(256),
];

/** References with equal prefixes, for storages that match by pattern or compute the end of a range. */
export const REFERENCES: readonly string[] = DIFFICULT_TEXTS.concat(
  ['a%b', 'a_b', 'axb', 'A_b', 'a*b', 'a?b', 'a[b]', 'ab', 'a\\b', 'a\\_b', "a'b", 'a^b', 'a-b', 'a.b'],
  ['z\ud7ff', 'z\ud7ff1', 'z\ue000', 'z\uffff1', 'z\u{10000}', 'z\u{10ffff}', 'z\u{10ffff}1', '{'],
);

/** Prefixes to look for among `REFERENCES`: whole references, their prefixes, and prefixes of none. */
export const PREFIXES: readonly string[] = REFERENCES.concat(
  ['user', 'user_', 'User', 'u', 'U', ' ', 'a%', 'a_', 'A_', 'a*', 'a?', 'a[', 'a\\', "a'", 'a^', 'a.', 'a-'],
  ['*', '?', '[', '[a-z]', '\\', '.', '.*', '^a', 'user%', '%user', "o'Brien", 'e', 'é', 'E', 'İ', 'i'],
  ['😀', '👩', '👩‍👩', 'Ελλ', 'ελλ', 'z', 'z\uffff', 'x'.repeat(255), 'x'.repeat(257), '😀'.repeat(255), '0'],
);
