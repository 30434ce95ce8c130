// Compares every text in both languages, and collects the names in the sources.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PART_NAMES } from '@countersign/domain/storage';
import { describe, expect, it } from 'vitest';
import { limitsInWords } from './limits.ts';
import { hasMessage, MESSAGES, translator } from './messages.ts';

/** Every text by its name, plural forms included. */
function texts(part: object, path = ''): [name: string, text: string][] {
  return Object.entries(part).flatMap(([key, value]: [string, unknown]) => {
    const here = path === '' ? key : `${path}.${key}`;
    return typeof value === 'object' && value !== null ? texts(value, here) : [[here, String(value)]];
  });
}

const english = new Map(texts(MESSAGES.en));
const german = new Map(texts(MESSAGES.de));

describe('the texts', () => {
  it('exist in both languages with the same placeholders', () => {
    expect([...german.keys()].sort()).toEqual([...english.keys()].sort());
    const holes = (text: string | undefined) => [...new Set(text?.match(/\{\{[\w.]+\}\}/g) ?? [])].sort();
    for (const [name, text] of english) expect(holes(german.get(name)), name).toEqual(holes(text));
  });

  it('the texts are not empty and have no markup', () => {
    for (const [name, text] of [...english, ...german]) expect(text, name).toMatch(/^[^<>]+$/);
  });

  it('the texts are translated, except for words that are the same', () => {
    const same = [...english].filter(([name, text]) => text.length > 25 && german.get(name) === text);
    expect(same.map(([name]) => name)).toEqual([]);
  });

  it('name only bounds that exist', () => {
    const named = [...english.values()].flatMap((text) => text.match(/(?<=\{\{limits\.)\w+(?=\}\})/g) ?? []);
    expect(named.filter((name) => !Object.hasOwn(limitsInWords('en'), name))).toEqual([]);
  });

  it('get bounds in the format of the language without passing them', () => {
    expect(translator('en')('verify:fields.noBeneficialOwner')).toContain('25%');
    expect(translator('de')('verify:fields.noBeneficialOwner')).toContain('25\u00a0%');
    expect(translator('en')('capture:refused.FILE_TOO_LARGE')).toContain('25 MB');
  });

  it('each variant belongs to a text and to a part that exist', () => {
    const variants = [...english.keys()].filter((name) => VARIANT.test(name));
    expect(variants.length).toBeGreaterThan(5);
    expect(variants.filter((name) => !english.has(name.replace(VARIANT, '')))).toEqual([]);
    const parts = variants.map((name) => VARIANT.exec(name)?.[1]);
    expect(parts.filter((part) => !PART_NAMES.some((name) => name === part))).toEqual([]);
  });

  it('a service shows the variant of a text for a part that it lacks, and no other', () => {
    const without = (missing: string) => new Set(PART_NAMES.filter((part) => part !== missing));
    const client = { client: 'Acme' };
    expect(translator('en', without('webhooks'))('dashboard:mode.testText')).toMatch(
      /^Keys and verifications here/,
    );
    expect(translator('de', without('retention'))('exports:document.rights.text', client)).toMatch(
      /^Sie können die Daten berichtigen lassen\. Bitte wenden Sie sich an: Acme\./,
    );
    for (const parts of [without('mails'), undefined])
      expect(translator('en', parts)('dashboard:mode.testText')).toContain('webhooks');
  });

  it('a name made from data exists only as the whole name of a text', () => {
    for (const name of english.keys()) expect(hasMessage(name.replace('.', ':')), name).toBe(true);
    const others = [
      '',
      'site',
      'site:',
      'site:error',
      'site:error.none',
      'none:error',
      'site:constructor',
      'site:toString',
    ];
    expect(others.filter(hasMessage)).toEqual([]);
  });

  it('the texts are all used', () => {
    const used = namesIn(sourceOf(join(import.meta.dirname, '..')));
    expect(used.size).toBeGreaterThan(1_000);
    expect([...english.keys()].filter((name) => !isUsed(used, name))).toEqual([]);
  });
});

/** The end of the name of a variant for services without a part. */
const VARIANT = /_without_(\w+)$/;

/** What a source may use texts by: quoted names, names and beginnings of them in templates, and parents of texts. */
function namesIn(source: string): ReadonlySet<string> {
  return new Set(
    source.match(/(?:(?:texts=|results: )?['"][\w-]+:[\w.-]*['"])|`\$\{name\}:[\w.-]+`|`[\w-]+:[\w.-]*\$\{/g),
  );
}

/** A text is used under its whole name, or under a beginning of it that is put together with the rest. */
function isUsed(used: ReadonlySet<string>, path: string): boolean {
  const [area, ...rest] = path
    .replace(/_(one|other)$/, '')
    .replace(VARIANT, '')
    .split('.');
  const name = `${area}:${rest.join('.')}`;
  if (used.has(`'${name}'`) || used.has(`"${name}"`)) return true;
  // Texts of every area of staff pages, and of results by `?done=`.
  if (used.has(`\`$\{name}:${rest.join('.')}\``)) return true;
  const parent = `${area}:${rest.slice(0, -1).join('.')}`;
  if (used.has(`texts="${parent}"`) || used.has(`results: '${parent}'`)) return true;
  for (let length = rest.length - 1; length >= 0; length -= 1) {
    const beginning = `${area}:${rest.slice(0, length).join('.')}${length > 0 ? '.' : ''}`;
    if (used.has(`\`${beginning}$\{`)) return true;
  }
  return false;
}

function sourceOf(folder: string): string {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const own = files.filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file));
  return own.map((file) => readFileSync(join(folder, file), 'utf8')).join('\n');
}
