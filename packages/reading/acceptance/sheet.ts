import type { Random } from './random.ts';

/** Something flat that is photographed, drawn in millimetres. */
export interface Sheet {
  readonly width: number;
  readonly height: number;
  /** Of its corners. */
  readonly radius: number;
  /** SVG elements. */
  readonly art: string;
  /** Where its machine-readable zone stands, if it has one. */
  readonly zone?: Zone;
}

export interface Zone {
  readonly left: number;
  readonly baselines: readonly number[];
  readonly characters: number;
  readonly pitch: number;
}

export function sheetSvg(sheet: Sheet, density: number): string {
  const { width, height, radius, art } = sheet;
  const size = `width="${Math.ceil(width * density)}" height="${Math.ceil(height * density)}"`;
  const clip = `<clipPath id="edge"><rect width="${width}" height="${height}" rx="${radius}"/></clipPath>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size} viewBox="0 0 ${width} ${height}">${clip}<g clip-path="url(#edge)">${art}</g></svg>`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

export interface TextStyle {
  readonly size: number;
  readonly family?: string;
  readonly ink?: string;
  readonly bold?: boolean;
  readonly anchor?: 'start' | 'middle' | 'end';
  /** Millimetres: a longer text is squeezed. */
  readonly room?: number;
}

export function text(x: number, y: number, content: string, style: TextStyle): string {
  const { size, family = 'Liberation Sans', ink = '#222', bold = false, anchor = 'start', room } = style;
  const isLong = room !== undefined && content.length * size * 0.62 > room;
  const squeezed = isLong ? ` textLength="${room.toFixed(2)}" lengthAdjust="spacingAndGlyphs"` : '';
  return `<text x="${x.toFixed(2)}" y="${y.toFixed(2)}" font-family="${family}, DejaVu Sans, sans-serif" font-size="${size}" font-weight="${bold ? 700 : 400}" fill="${ink}" text-anchor="${anchor}"${squeezed}>${escaped(content)}</text>`;
}

export function rect(x: number, y: number, width: number, height: number, rest: string): string {
  return `<rect x="${x.toFixed(2)}" y="${y.toFixed(2)}" width="${width.toFixed(2)}" height="${height.toFixed(2)}" ${rest}/>`;
}

export function hsl(hue: number, saturation: number, lightness: number): string {
  return `hsl(${Math.round(hue)}, ${Math.round(saturation)}%, ${Math.round(lightness)}%)`;
}

/** Draws something several times. */
export function rows(count: number, row: (i: number) => string): string {
  return Array.from({ length: count }, (_, i) => row(i)).join('');
}

/** A curve through points that `at` gives for 0 to 1. */
function curve(points: number, at: (t: number) => readonly [x: number, y: number]): string {
  return rows(points + 1, (i) => {
    const [x, y] = at(i / points);
    return `${i === 0 ? 'M' : 'L'}${x.toFixed(2)} ${y.toFixed(2)}`;
  });
}

/** Fine waves and rosettes as on banknotes, in two or three colours. */
export function guilloche(random: Random, width: number, height: number, hue: number): string {
  const parts: string[] = [];
  const line = (d: string, shift: number, opacity: number) =>
    parts.push(
      `<path d="${d}" fill="none" stroke="${hsl(hue + shift, random.between(25, 60), random.between(45, 68))}" stroke-width="${random.between(0.08, 0.2).toFixed(2)}" stroke-opacity="${opacity.toFixed(2)}"/>`,
    );
  const bands = random.integer(1, 3);
  for (let band = 0; band < bands; band += 1) {
    const [waves, swing, twist] = [random.between(1.5, 6), random.between(3, height / 4), random.between(0.5, 3)];
    const [count, shift] = [random.integer(9, 22), random.aside(10, 70)];
    for (let i = 0; i < count; i += 1) {
      const [base, phase] = [(height * (i + 0.5)) / count, (i * twist) / count];
      line(
        curve(72, (t) => [
          t * width,
          base + swing * Math.sin(2 * Math.PI * (waves * t + phase)) * Math.cos(Math.PI * (t - 0.5) * twist),
        ]),
        shift,
        random.between(0.35, 0.8),
      );
    }
  }
  const rosettes = random.integer(0, 3);
  for (let i = 0; i < rosettes; i += 1) {
    const [x, y, radius] = [random.between(0, width), random.between(0, height), random.between(8, height / 2)];
    const [petals, share] = [random.integer(5, 17), random.between(0.2, 0.7)];
    for (let ring = 0; ring < 6; ring += 1) {
      line(
        curve(160, (t) => {
          const angle = 2 * Math.PI * t;
          const r = radius * (1 - share * Math.cos(petals * angle + ring * 0.5)) * (0.5 + ring / 14);
          return [x + r * Math.cos(angle), y + r * Math.sin(angle)];
        }),
        random.aside(20, 120),
        random.between(0.25, 0.6),
      );
    }
  }
  return parts.join('');
}

/** A head and shoulders, in colour or grey. */
export function portrait(random: Random, x: number, y: number, width: number, height: number): string {
  const isGrey = random.chance(0.4);
  const tone = (hue: number, saturation: number, lightness: number) =>
    hsl(hue, isGrey ? 0 : saturation, lightness);
  const [skin, hair] = [
    tone(random.between(18, 34), 45, random.between(30, 78)),
    tone(30, 40, random.between(8, 60)),
  ];
  const [u, v] = [width / 100, height / 125];
  const place = `translate(${x} ${y}) scale(${u} ${v})`;
  const top = random.between(18, 30);
  const eyes = [38, 62]
    .map(
      (at) =>
        `<ellipse cx="${at}" cy="58" rx="5" ry="2.4" fill="#fff"/><circle cx="${at}" cy="58" r="2.2" fill="#222"/>`,
    )
    .join('');
  const glasses = random.chance(0.25)
    ? '<g fill="none" stroke="#333" stroke-width="1.6"><circle cx="38" cy="58" r="9"/><circle cx="62" cy="58" r="9"/><path d="M47 58h6"/></g>'
    : '';
  return `<g transform="${place}"><rect width="100" height="125" fill="${tone(210, 20, random.between(78, 92))}"/>
<path d="M5 125C5 98 30 96 50 96S95 98 95 125Z" fill="${tone(random.between(0, 360), 35, random.between(15, 60))}"/>
<rect x="40" y="80" width="20" height="22" fill="${skin}"/><ellipse cx="50" cy="62" rx="25" ry="33" fill="${skin}"/>
<path d="M22 64C18 ${top} 82 ${top} 78 64C76 46 66 40 50 40S24 46 22 64Z" fill="${hair}"/>${eyes}${glasses}
<path d="M50 60l-3 13h6" fill="none" stroke="rgba(80,30,20,.5)" stroke-width="1.2"/><path d="M41 81q9 5 18 0" fill="none" stroke="rgba(140,40,40,.8)" stroke-width="2"/></g>`;
}

/** A shield, star or wheel as an emblem of a state that does not exist. */
export function emblem(random: Random, x: number, y: number, radius: number, ink: string): string {
  const points = random.integer(5, 14);
  const depth = random.between(0.35, 0.8);
  const star = curve(points * 2, (t) => {
    const r = radius * (Math.round(t * points * 2) % 2 ? depth : 1);
    return [x + r * Math.sin(2 * Math.PI * t), y - r * Math.cos(2 * Math.PI * t)];
  });
  return `<path d="${star}Z" fill="none" stroke="${ink}" stroke-width="${radius / 12}"/><circle cx="${x}" cy="${y}" r="${radius * 0.45}" fill="none" stroke="${ink}" stroke-width="${radius / 9}"/><circle cx="${x}" cy="${y}" r="${radius * 1.12}" fill="none" stroke="${ink}" stroke-width="${radius / 20}"/>`;
}
