import { modulesOf } from './others.ts';
import { holderOf } from './people.ts';
import type { Random } from './random.ts';
import { guilloche, hsl, rect, rows, type Sheet, text } from './sheet.ts';

/** Issuers of AAMVA with their numbers. */
const ISSUERS = 'AZ 636026,CA 636014,FL 636010,NY 636001,TX 636015,WA 636045,ON 636012'.split(',');

export interface Licence {
  readonly sheet: Sheet;
  /** All that is encoded. */
  readonly text: string;
  readonly isSound: boolean;
  /** Elements by their three letters. */
  readonly elements: Readonly<Record<string, string>>;
  /** Millimetres of a module. */
  readonly module: number;
}

function usDate(random: Random, from: number, to: number): string {
  const two = (value: number) => String(value).padStart(2, '0');
  return `${two(random.integer(1, 12))}${two(random.integer(1, 28))}${random.integer(from, to)}`;
}

/** The file of the AAMVA standard: its head, the designator of the one part, the elements. */
function aamvaText(issuer: string, elements: Readonly<Record<string, string>>): string {
  const part = `DL${Object.entries(elements)
    .map(([name, value]) => name + value)
    .join('\n')}\r`;
  // The part begins behind the head of 21 bytes and its designator of 10.
  const designator = `DL0031${String(part.length).padStart(4, '0')}`;
  return `@\n\x1e\rANSI ${issuer}090001${designator}${part}`;
}

function elementsOf(random: Random, state: string): Record<string, string> {
  const { entries } = holderOf(random, 'TD3');
  const [given = 'NONE', middle = 'NONE'] = entries.givenNames.split('<');
  return {
    DAQ: random.text('ABCDEFGHIJKLMNOPQRSTUVWXYZ', 1) + random.text('0123456789', random.integer(7, 12)),
    DCS: entries.surname.replaceAll('<', ' '),
    DDE: 'N',
    DAC: given || 'NONE',
    DDF: 'N',
    DAD: middle,
    DDG: 'N',
    DCA: 'D',
    DCB: 'NONE',
    DCD: 'NONE',
    DBD: usDate(random, 2017, 2025),
    DBB: usDate(random, 1935, 2006),
    DBA: usDate(random, 2024, 2033),
    DBC: entries.sex === 'F' ? '2' : '1',
    DAU: `0${random.integer(59, 78)} in`,
    DAY: random.pick(['BRO', 'BLU', 'GRN', 'HAZ']),
    DAG: `${random.integer(1, 9999)} ${random.pick(['MAIN ST', 'OAK AVE', 'LAKE RD APT 4'])}`,
    DAI: random.pick(['SPRINGFIELD', 'PORT SELBY', 'NEWTOWN']),
    DAJ: state,
    DAK: `${random.text('0123456789', 5)}0000  `,
    DCF: random.text('0123456789ABCDEF', 16),
    DCG: state === 'ON' ? 'CAN' : 'USA',
  };
}

/** Texts of other PDF417 barcodes: a boarding pass, a parcel, a licence whose head is broken. */
function unsound(random: Random): string {
  return random.pick([
    () =>
      `M1LIND/ANNA            E${random.text('ABCDEFGH', 6)} OSL CPH 0455 ${random.text('0123456789', 3)}Y012A0034 100`,
    () => `[)>\x1e01\x1d96${random.text('0123456789', 20)}\x1dF01\x1d${random.text('ABC0123456789', 30)}\x1e\x04`,
    () => aamvaText('636026', elementsOf(random, 'AZ')).replace('@\n\x1e\rANSI ', '@\n\x1c\rAAMVA'),
    () => aamvaText('636026', { DCS: 'NUMBERLESS', DAC: 'NORA', DBB: '01021980' }),
  ])();
}

/** The back of a driving licence with a barcode that says `text`. */
export function licence(random: Random, isSound: boolean): Licence {
  const [state = '', issuer = ''] = random.pick(ISSUERS).split(' ');
  const elements = isSound ? elementsOf(random, state) : {};
  const content = isSound ? aamvaText(issuer, elements) : unsound(random);
  const columns = random.integer(12, 16);
  const code = modulesOf('pdf417', content, `columns=${columns} eclevel=${random.integer(3, 5)} rowmult=3`);
  const module = Math.min(0.28, 79 / code.columns, 30 / code.rows);
  const [width, height] = [85.6, 54];
  const left = (width - code.columns * module) / 2;
  const top = random.between(4, 7);
  const bars = rows(code.rows, (y) => {
    let row = '';
    for (let x = 0; x < code.columns; x += 1)
      if (code.at(x, y)) {
        let end = x;
        while (end + 1 < code.columns && code.at(end + 1, y)) end += 1;
        row += `M${x} ${y}h${end + 1 - x}v1h${x - end - 1}z`;
        x = end;
      }
    return row;
  });
  const [quietWidth, quietHeight] = [(code.columns + 4) * module, (code.rows + 4) * module];
  const quiet = rect(left - 2 * module, top - 2 * module, quietWidth, quietHeight, 'fill="#fff"');
  const symbol = `<path transform="translate(${left} ${top}) scale(${module})" d="${bars}" fill="#0c0c0c"/>`;
  const foot = top + code.rows * module + 5;
  const print = ['CLASS D  RESTRICTIONS: NONE', 'REV 07/2019', 'VETERAN  ORGAN DONOR'];
  const words = rows(3, (i) => text(5, foot + i * 3.4, print[i] ?? '', { size: 2.2 }));
  const ground = rect(0, 0, width, height, `fill="${hsl(random.between(0, 360), 30, 90)}"`);
  const art = ground + guilloche(random, width, height, random.between(0, 360)) + quiet + symbol + words;
  return { sheet: { width, height, radius: 3, art }, text: content, isSound, elements, module };
}
