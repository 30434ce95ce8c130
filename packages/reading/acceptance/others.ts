import bwipjs from 'bwip-js';
import type { Lettering } from './lettering.ts';
import type { Random } from './random.ts';
import { guilloche, hsl, portrait, rect, rows, type Sheet, text } from './sheet.ts';
import vocabulary from './vocabulary.json' with { type: 'json' };

const SYLLABLES = vocabulary.syllables.split(' ');

function word(random: Random): string {
  return rows(random.integer(1, 4), () => random.pick(SYLLABLES));
}

function sentence(random: Random, length: number): string {
  let words = '';
  while (words.length < length) words += `${word(random)} `;
  return words.slice(0, length);
}

function paper(width: number, height: number, art: string, ink = '#faf9f4'): Sheet {
  return { width, height, radius: 0.5, art: rect(0, 0, width, height, `fill="${ink}"`) + art };
}

function letter(random: Random): Sheet {
  const body = rows(30, (i) =>
    i % 9 === 8
      ? ''
      : text(22, 70 + i * 6, sentence(random, random.integer(50, 78)), { size: 4, family: 'Liberation Serif' }),
  );
  return paper(210, 280, text(22, 40, `Dear ${word(random)},`, { size: 5 }) + body);
}

function receipt(random: Random): Sheet {
  const line = () =>
    `${word(random).toUpperCase().padEnd(16, '.').slice(0, 16)}${String(random.integer(1, 9999) / 100).padStart(8, '.')}`;
  const mono = { size: 4.4, family: 'Liberation Mono' };
  const total = text(5, 128, `TOTAL EUR ${random.integer(10, 99)}.40`, { ...mono, bold: true });
  const lines = rows(16, (i) => text(5, 26 + i * 6, line(), mono));
  return paper(75, 145, text(15, 12, 'MARKET 24', { size: 6 }) + lines + total);
}

/** A listing with operators that look like fillers. */
function listing(random: Random): Sheet {
  const line = (i: number) =>
    i % 3 === 0
      ? `${word(random).toUpperCase()}<<${word(random).toUpperCase()}<<<${word(random).toUpperCase()}<<<<<<<<<<<<`
      : `x${i} = (a[${random.integer(0, 99)}] << ${random.integer(1, 9)}) <<< ${random.text('0123456789', 9)};`;
  const isDark = random.chance(0.5);
  const style = { size: 4.4, family: 'DejaVu Sans Mono', ink: isDark ? '#cfe3d4' : '#223' };
  const art = rows(22, (i) => text(6, 14 + i * 7, line(i).slice(0, 44), style));
  return paper(140, 170, art, isDark ? '#1d2230' : '#fdfdfd');
}

function table(random: Random): Sheet {
  const number = () => random.text('0123456789', random.integer(4, 10));
  const mono = { size: 4.2, family: 'Liberation Mono' };
  const art = rows(24, (i) => rows(6, (j) => text(6 + j * 27, 14 + i * 6.4, number(), mono)));
  return paper(170, 168, art + rows(25, (i) => rect(4, 8.7 + i * 6.4, 162, 0.2, 'fill="#888"')));
}

function keyboard(random: Random): Sheet {
  const keys: readonly string[] = vocabulary.keyboard;
  const key = (i: number, j: number) => {
    const [x, y] = [6 + i * 4 + j * 19, 8 + i * 19];
    const cap = rect(x, y, 17, 17, 'rx="2" fill="#333" stroke="#555" stroke-width=".6"');
    return cap + text(x + 4, y + 9, keys[i]?.[j] ?? '', { size: 6, ink: '#ddd' });
  };
  const art = rows(keys.length, (i) => rows(keys[i]?.length ?? 0, (j) => key(i, j)));
  return { ...paper(252, 90, art, hsl(random.between(0, 360), 5, random.between(12, 60))), radius: 4 };
}

function selfie(random: Random): Sheet {
  const wall = guilloche(random, 120, 150, random.between(0, 360));
  return paper(120, 150, wall + portrait(random, 10, 15, 100, 135), hsl(random.between(0, 360), 30, 70));
}

interface Modules {
  readonly columns: number;
  readonly rows: number;
  readonly at: (x: number, y: number) => boolean;
}

/** The dark modules of a barcode. */
export function modulesOf(kind: string, content: string, options = ''): Modules {
  const [drawn] = bwipjs.raw(kind, content, options);
  if (!drawn || !('pixs' in drawn)) throw new Error('This barcode has no matrix of modules.');
  const { pixs, pixx, pixy } = drawn;
  // PDF417 gives each row once, though it is three modules high.
  const high = Math.round((pixx * pixy) / pixs.length);
  return { columns: pixx, rows: pixy, at: (x, y) => pixs[Math.floor(y / high) * pixx + x] === 1 };
}

function barcodes(random: Random): Sheet {
  const code = modulesOf('qrcode', `https://example.org/${random.text('abcdef0123456789', 24)}`);
  const square = rows(code.rows, (y) =>
    rows(code.columns, (x) => (code.at(x, y) ? rect(10 + x * 1.2, 12 + y * 1.2, 1.22, 1.22, '') : '')),
  );
  const bars = rows(60, (i) => rect(12 + i * 1.6, 70, random.pick([0.4, 0.8, 1.2]), 22, ''));
  const digits = text(20, 99, random.text('0123456789', 13), { size: 5, family: 'Liberation Mono' });
  return paper(120, 105, square + bars + digits);
}

function screen(random: Random): Sheet {
  const ink = hsl(random.between(0, 360), 60, 50);
  const cards = rows(
    4,
    (i) =>
      rect(40, 20 + i * 24, 150, 19, `rx="2" fill="#fff" stroke="#ccc" stroke-width=".4"`) +
      text(45, 29 + i * 24, sentence(random, 30), { size: 4 }) +
      text(45, 36 + i * 24, `ID ${random.text('0123456789ABCDEF', 20)}`, { size: 3.4, family: 'Liberation Mono' }),
  );
  const frame = rect(0, 0, 200, 3, 'fill="#111"') + rect(0, 117, 200, 3, 'fill="#111"');
  const bars = rect(0, 3, 200, 10, `fill="${ink}"`) + rect(0, 13, 34, 104, 'fill="#e8ebf0"');
  return paper(200, 120, bars + cards + frame, '#f6f7fa');
}

/** A slip with a line for machines in the same letters, which is no machine-readable zone. */
function paymentSlip(random: Random, lettering: Lettering): Sheet {
  const digits = (length: number) => random.text('0123456789', length);
  const press = { weight: 0.03, width: 1, slant: 0, ink: '#111', opacity: () => 0.95, shake: () => 0 };
  const line = `${digits(13)}>${digits(27)}+ ${digits(9)}>`;
  const art =
    rows(5, (i) => text(8, 14 + i * 7, sentence(random, 30), { size: 3.6 })) +
    rect(120, 8, 70, 40, 'fill="#fff" stroke="#c66"');
  return paper(210, 95, art + lettering.line(line, 40, 82, press), random.pick(['#f7e3c8', '#f5d7d3', '#f2f5ea']));
}

/** Flat things without a machine-readable zone. */
export const OTHERS: Readonly<Record<string, (random: Random, lettering: Lettering) => Sheet>> = {
  letter,
  receipt,
  listing,
  table,
  keyboard,
  selfie,
  barcodes,
  screen,
  'payment slip': paymentSlip,
  // The table alone, with a coloured card on it.
  texture: (random) =>
    paper(60, 40, guilloche(random, 60, 40, random.between(0, 360)), hsl(random.between(0, 360), 40, 60)),
};
