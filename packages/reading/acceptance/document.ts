import { type Lettering, PITCH, type Press } from './lettering.ts';
import type { Holder } from './people.ts';
import type { Random } from './random.ts';
import { emblem, guilloche, hsl, portrait, rect, rows, type Sheet, text } from './sheet.ts';
import vocabulary from './vocabulary.json' with { type: 'json' };
import type { Layout } from './zone.ts';

/** Sizes in millimetres of Doc 9303, and where the lowest line stands above the edge. */
const SIZES: Readonly<Record<Layout, { width: number; height: number; foot: number; title: string }>> = {
  TD1: { width: 85.6, height: 54, foot: 4.6, title: 'IDENTITY CARD' },
  TD2: { width: 105, height: 74, foot: 7.4, title: 'IDENTITY CARD' },
  TD3: { width: 125, height: 88, foot: 8.4, title: 'PASSPORT' },
  'MRV-A': { width: 120, height: 80, foot: 8, title: 'VISA' },
  'MRV-B': { width: 105, height: 74, foot: 7.2, title: 'VISA' },
};
const LINE_STEP = 6.35;

const FAMILIES =
  'Liberation Sans,DejaVu Sans Condensed,Liberation Serif,Liberation Sans Narrow,DejaVu Serif'.split(',');

/** Labels in several languages. */
const LABELS: Readonly<Record<keyof typeof vocabulary.labels, readonly string[]>> = vocabulary.labels;
const PLACES: readonly string[] = vocabulary.places;

function press(random: Random): Press {
  const worn = random.chance(0.3) ? random.between(0.55, 0.85) : random.between(0.85, 0.97);
  return {
    weight: random.chance(0.6) ? random.between(0, 0.05) : random.between(0.05, 0.11),
    width: random.between(0.95, 1.04),
    slant: random.chance(0.2) ? random.aside(0.5, 2) : 0,
    ink: hsl(random.between(200, 260), random.between(0, 30), random.between(5, 20)),
    opacity: () => random.between(worn, 1),
    shake: () => random.between(-0.05, 0.05),
  };
}

function printedDate(random: Random, yymmdd: string, style: number): string {
  const months = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];
  const [year, month, day] = [0, 2, 4].map((at) => yymmdd.slice(at, at + 2)) as [string, string, string];
  const full = `${Number(year) > 36 ? '19' : '20'}${year}`;
  const shown = day === '<<' ? '--' : day;
  if (style === 0) return `${shown}.${month}.${full}`;
  if (style === 1) return `${shown} ${months[Number(month) - 1]} ${full}`;
  return random.chance(0.5) ? `${shown}/${month}/${full}` : `${full}-${month}-${shown}`;
}

/** The printed fields: a label of one or two languages, and the value below it. */
function fields(random: Random, holder: Holder, x: number, y: number, width: number, height: number): string {
  const { entries } = holder;
  const [family, style] = [random.pick(FAMILIES), random.integer(0, 2)];
  const [first, second] = [random.integer(0, 3), random.chance(0.6) ? 1 : 2];
  const label = (name: keyof typeof LABELS) =>
    [LABELS[name][first], LABELS[name][second]].filter((_, i) => i === 0 || random.chance(0.8)).join(' / ');
  const all: Partial<Record<keyof typeof LABELS, string>>[] = [
    { surname: holder.surname.toUpperCase() },
    { given: holder.givenNames || '---' },
    { nationality: entries.nationality, birth: printedDate(random, entries.birth, style) },
    { sex: entries.sex === '<' ? 'X' : entries.sex, number: entries.number },
    { place: random.pick(PLACES), expiry: printedDate(random, entries.expiry, style) },
    { authority: random.pick(PLACES).toUpperCase() },
  ];
  const shown = all.slice(0, Math.max(4, Math.min(all.length, Math.floor(height / 5))));
  const step = height / shown.length;
  const ink = hsl(random.between(0, 360), 30, 30);
  const cells = shown.flatMap((row, i) =>
    Object.entries(row).map(([name, value], column, { length }) => {
      const [left, top, room] = [x + (column * width) / length, y + i * step, width / length - 1];
      const small = { size: step * 0.26, family, ink, room };
      const head = text(left, top + step * 0.3, label(name as keyof typeof LABELS), small);
      const large = { size: step * 0.48, family, bold: random.chance(0.8), room };
      return head + text(left, top + step * 0.82, value, large);
    }),
  );
  return cells.join('');
}

function background(random: Random, width: number, height: number, hue: number): string {
  const [from, to] = [
    hsl(hue, random.between(15, 55), random.between(84, 95)),
    hsl(hue + random.aside(10, 90), random.between(10, 50), random.between(82, 94)),
  ];
  const angle = random.pick(['x2="1" y2="0"', 'x2="0" y2="1"', 'x2="1" y2="1"']);
  const id = `ground${random.integer(0, 1e9)}`;
  return `<linearGradient id="${id}" x1="0" y1="0" ${angle}><stop offset="0" stop-color="${from}"/><stop offset="1" stop-color="${to}"/></linearGradient>${rect(0, 0, width, height, `fill="url(#${id})"`)}${guilloche(random, width, height, hue)}`;
}

/** A hologram: a shimmering, half transparent shape. */
function hologram(random: Random, x: number, y: number, radius: number): string {
  const ring = (i: number) =>
    `<circle cx="${x}" cy="${y}" r="${(radius * (5 - i)) / 5}" fill="${hsl(i * 70 + random.between(0, 60), 70, 75)}" fill-opacity=".16"/>`;
  return rows(5, ring);
}

/** Draws the page with the zone `lines`, which need not say what `holder` says. */
export function documentSheet(
  random: Random,
  holder: Holder,
  layout: Layout,
  lines: readonly string[],
  lettering: Lettering,
): Sheet {
  const { width, height, foot, title } = SIZES[layout];
  const characters = Math.max(...lines.map((line) => line.length));
  const hue = random.between(0, 360);
  const dark = hsl(hue + random.aside(0, 40), random.between(30, 70), random.between(18, 38));
  const bottom = height - foot + random.between(-0.7, 0.7);
  const baselines = lines.map((_, i) => bottom - (lines.length - 1 - i) * LINE_STEP);
  const left = Math.max(1, (width - characters * PITCH) / 2 + random.between(-0.8, 0.8));
  const zoneTop = (baselines[0] ?? height) - 5;
  const head = height * random.between(0.1, 0.15);
  const isRight = random.chance(0.3);
  const photoHeight = Math.min(height * random.between(0.42, 0.55), zoneTop - head - 3);
  const photoWidth = photoHeight * random.between(0.74, 0.82);
  const photoX = isRight ? width - photoWidth - random.between(3, 6) : random.between(3, 7);
  const textX = isRight ? random.between(4, 8) : photoX + photoWidth + random.between(3, 6);
  const room = isRight ? photoX - textX - 3 : width - textX - 4;
  const isBanded = random.chance(0.4);
  const printer = press(random);
  const inside = () => [random.between(width * 0.2, width * 0.9), random.between(head, zoneTop)] as const;
  const parts = [
    background(random, width, height, hue),
    isBanded ? rect(0, 0, width, head, `fill="${dark}"`) : '',
    emblem(random, isRight ? 6 : width - 7, head / 2 + 0.4, head * 0.36, isBanded ? '#eee' : dark),
    text(width * 0.08, head * 0.5, holder.authority, {
      size: head * 0.38,
      family: random.pick(FAMILIES),
      bold: true,
      ink: isBanded ? '#fff' : dark,
      room: width * 0.55,
    }),
    text(width * 0.08, head * 0.9, title, { size: head * 0.3, ink: isBanded ? '#eee' : dark }),
    portrait(random, photoX, head + 2, photoWidth, photoHeight),
    fields(random, holder, textX, head + 1.5, room, zoneTop - head - 3),
    random.chance(0.5) ? `<g opacity=".3">${portrait(random, textX + room * 0.72, zoneTop - 17, 10, 13)}</g>` : '',
    random.chance(0.6) ? hologram(random, ...inside(), random.between(5, 11)) : '',
    random.chance(0.55) ? rect(0, zoneTop, width, height - zoneTop, 'fill="#fff" fill-opacity=".55"') : '',
    random.chance(0.3) ? rect(0, zoneTop, width, 0.25, `fill="${dark}" fill-opacity=".6"`) : '',
    ...lines.map((line, i) => lettering.line(line, left, baselines[i] ?? 0, printer)),
  ];
  const page: Sheet = {
    width,
    height,
    radius: layout === 'TD3' ? 2.2 : layout.startsWith('MRV') ? 0.3 : 3.1,
    art: parts.join(''),
    zone: { left, baselines, characters, pitch: PITCH },
  };
  if (layout.startsWith('MRV')) return onPage(random, page, 125, 88 + random.between(0, 3));
  return layout === 'TD3' && random.chance(0.55) ? inBooklet(random, page) : page;
}

function shifted(page: Sheet, x: number, y: number, under: string, width: number, height: number): Sheet {
  const { zone } = page;
  const art = `${under}<g transform="translate(${x.toFixed(2)} ${y.toFixed(2)})"><clipPath id="inner"><rect width="${page.width}" height="${page.height}" rx="${page.radius}"/></clipPath><g clip-path="url(#inner)">${page.art}</g></g>`;
  return {
    width,
    height,
    radius: 2,
    art,
    ...(zone && { zone: { ...zone, left: zone.left + x, baselines: zone.baselines.map((line) => line + y) } }),
  };
}

/** A sticker on a page of a passport. */
function onPage(random: Random, sticker: Sheet, width: number, height: number): Sheet {
  const page = background(random, width, height, random.between(0, 360));
  const x = (width - sticker.width) / 2 + random.between(-1.5, 1.5);
  const y = height - sticker.height - random.between(1, 3);
  const edge = rect(x - 0.2, y - 0.2, sticker.width + 0.5, sticker.height + 0.6, 'fill="#000" fill-opacity=".25"');
  return shifted(sticker, x, y, page + edge, width, height);
}

/** The page at the bottom of an open booklet, with the cover's edge around it. */
function inBooklet(random: Random, page: Sheet): Sheet {
  const rim = random.between(1, 2.5);
  const upper = random.chance(0.5) ? page.height : random.between(15, 50);
  const [width, height] = [page.width + 2 * rim, page.height + upper + rim];
  const cover = rect(0, 0, width, height, `fill="${hsl(random.pick([350, 220, 150, 15]), 50, 20)}"`);
  const back = `<svg x="${rim}" y="0" width="${page.width}" height="${upper}">${background(random, page.width, upper, random.between(0, 360))}${random.chance(0.5) ? text(page.width / 2, upper - 8, 'No. 7', { size: 4, anchor: 'middle', ink: '#777' }) : ''}</svg>`;
  const fold = rows(6, (i) =>
    rect(rim, upper - 3 + i * 0.5, page.width, 0.5, `fill="#000" fill-opacity="${(0.04 + i * 0.035).toFixed(3)}"`),
  );
  return shifted(page, rim, upper, cover + back + fold, width, height);
}
