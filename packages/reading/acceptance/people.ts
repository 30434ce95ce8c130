import type { Random } from './random.ts';
import vocabulary from './vocabulary.json' with { type: 'json' };
import type { Entries, Layout } from './zone.ts';

/** States with the words of their documents, and names that are usual there: a line each in the vocabulary. */
const STATES = vocabulary.states.map((line) => {
  const [code = '', name = '', surnames = '', women = '', men = ''] = line.split(' | ');
  return { code, name, surnames, women, men };
});

/** Recommended by Doc 9303-3, section 6; other marks are dropped. */
const LATIN = new Map(
  'Ä:AE Ö:OE Ü:UE ß:SS Å:AA Æ:AE Ø:OE Þ:TH Ð:D Đ:D Ł:L İ:I ı:I'
    .split(' ')
    .map((pair) => pair.split(':') as [string, string]),
);

export function inZone(name: string): string {
  return [...name.normalize('NFC').toUpperCase()]
    .map((character) => LATIN.get(character) ?? character)
    .join('')
    .normalize('NFD')
    .replace(/[\s-]+/g, '<')
    .replace(/[^A-Z<]/g, '');
}

export interface Holder {
  readonly entries: Entries;
  /** The names as printed above the zone. */
  readonly surname: string;
  readonly givenNames: string;
  readonly authority: string;
}

const KINDS: Readonly<Record<Layout, readonly string[]>> = {
  TD1: ['I', 'ID', 'AR', 'C', 'IR'],
  TD2: ['I', 'ID', 'AC', 'C'],
  TD3: ['P', 'P', 'P', 'PD', 'PS', 'PM'],
  'MRV-A': ['V', 'VN', 'VB'],
  'MRV-B': ['V', 'VC'],
};

/** Letters that German documents use: none that looks like a digit. */
const PLAIN = 'CFGHJKLMNPRTVWXYZ0123456789';

function numberOf(random: Random, isLongPossible: boolean): string {
  const digits = (length: number) => random.text('0123456789', length);
  const letters = (length: number) => random.text('ABCDEFGHIJKLMNOPQRSTUVWXYZ', length);
  if (isLongPossible && random.chance(0.08)) return letters(1) + digits(random.integer(9, 12));
  return random.pick([
    () => random.text(PLAIN, 9),
    () => digits(9),
    () => letters(2) + digits(7),
    () => letters(1) + digits(8),
    () => letters(1) + digits(7),
    () => digits(2) + letters(2) + digits(5),
    () => letters(3) + digits(6),
    () => digits(8),
  ])();
}

function day(random: Random, firstYear: number, lastYear: number): string {
  const two = (value: number) => String(value % 100).padStart(2, '0');
  return two(random.integer(firstYear, lastYear)) + two(random.integer(1, 12)) + two(random.integer(1, 28));
}

function words(list: string): string[] {
  return list.split(' ').map((word) => word.replaceAll('_', ' '));
}

/** A fictitious person with a document of some state. */
export function holderOf(random: Random, layout: Layout): Holder {
  const [state, home] = [random.pick(STATES), random.pick(STATES)];
  const isVisa = layout.startsWith('MRV');
  const isForeign = isVisa || random.chance(0.08);
  const person = isForeign ? home : state;
  const sex = random.chance(0.03) ? '<' : random.chance(0.5) ? 'F' : 'M';
  const pool = words(sex === 'F' ? person.women : person.men);
  const count = random.pick([1, 1, 1, 2, 2, 3]);
  const given = new Set(Array.from({ length: count }, () => random.pick(pool)));
  let surname = random.pick(words(person.surnames));
  let givenNames = [...given].join(' ');
  // A person with one name: it stands in the place of the surname.
  if (surname === '-' || random.chance(0.015)) [surname, givenNames] = [givenNames, ''];
  if (random.chance(0.05))
    surname = `${surname}-${random.pick(words(random.pick(STATES).surnames)).replace(/^-$/, 'Lind')}`;
  if (random.chance(0.04)) givenNames = `${givenNames} ${vocabulary.moreGivenNames}`.trim();
  const birth = day(random, 1929, 2011);
  const isPersonal = (layout === 'TD3' && random.chance(0.4)) || (layout !== 'TD3' && random.chance(0.3));
  return {
    surname,
    givenNames,
    authority: state.name,
    entries: {
      kind: random.pick(KINDS[layout]),
      issuingState: state.code,
      nationality: random.chance(0.01) ? random.pick(['XXA', 'XXB', 'XXC']) : person.code,
      number: numberOf(random, layout === 'TD1'),
      birth: random.chance(0.006) ? `${birth.slice(0, 4)}<<` : birth,
      sex,
      expiry: day(random, 2021, 2036),
      surname: inZone(surname),
      givenNames: inZone(givenNames),
      optional: isPersonal ? random.text('0123456789', layout === 'TD2' ? 7 : random.integer(8, 11)) : '',
      secondOptional: random.chance(0.2) ? random.text('0123456789', random.integer(4, 11)) : '',
    },
  };
}
