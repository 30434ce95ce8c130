import sharp from 'sharp';

/** A fictitious person. */
export interface SamplePerson {
  readonly lastName: string;
  readonly firstName: string;
  readonly born: string;
  readonly number: string;
  readonly hair: string;
}

export const ZOE: SamplePerson = {
  lastName: 'Núñez-Ødegård',
  firstName: 'Zoë María',
  born: '27 MAR 1987',
  number: 'ABC123456',
  hair: '#5b3a29',
};

/** Draws the front of a fictitious identity card. */
export function cardFront(person: SamplePerson): Promise<Buffer> {
  const rows = [
    ['Surname', person.lastName],
    ['Given names', person.firstName],
    ['Date of birth', person.born],
    ['Document no.', person.number],
    ['Expires', '31 JAN 2033'],
  ].map(
    ([label, value], row) =>
      `<text x="640" y="${300 + row * 130}" font-size="32" fill="#5c6f82">${label}</text>
       <text x="640" y="${350 + row * 130}" font-size="50" fill="#12263a">${value}</text>`,
  );
  return drawnCard(`
    <text x="90" y="170" font-size="72" font-weight="bold" fill="#12263a">IDENTITY CARD</text>
    <text x="1290" y="165" font-size="44" fill="#b3413b" font-weight="bold">SPECIMEN</text>
    <svg x="90" y="250" width="470" height="600" viewBox="0 0 470 600">${portrait(person, '#cfe0ee')}</svg>
    ${rows.join('')}`);
}

/** Draws the back, with an invalid machine-readable zone. */
export function cardBack({ number }: SamplePerson): Promise<Buffer> {
  const zone = [
    `IDXXX${number}&lt;&lt;&lt;&lt;&lt;&lt;&lt;&lt;&lt;&lt;&lt;&lt;&lt;&lt;&lt;`,
    '8703279F3301311XXX&lt;&lt;&lt;&lt;&lt;&lt;&lt;&lt;&lt;&lt;&lt;2',
    'NUNEZ&lt;OEDEGARD&lt;&lt;ZOE&lt;MARIA&lt;&lt;&lt;',
  ];
  return drawnCard(`
    <text x="90" y="170" font-size="44" fill="#5c6f82">Address</text>
    <text x="90" y="240" font-size="54" fill="#12263a">ul. Długa 1, 80-827 Gdańsk</text>
    <text x="90" y="360" font-size="44" fill="#5c6f82">Authority</text>
    <text x="90" y="430" font-size="54" fill="#12263a">Office of Specimens</text>
    <rect x="0" y="590" width="1600" height="410" fill="#f4f7fa"/>
    <g font-family="DejaVu Sans Mono, monospace" font-size="66" fill="#12263a">
      ${zone.map((line, row) => `<text x="90" y="${700 + row * 110}">${line}</text>`).join('')}
    </g>`);
}

/** Draws a face as a selfie. */
export function selfie(person: SamplePerson): Promise<Buffer> {
  return jpeg(
    `<svg xmlns="http://www.w3.org/2000/svg" width="1050" height="1340" viewBox="0 0 470 600">${portrait(person, '#e8dfd0')}</svg>`,
  );
}

/** Blurs a picture as a moved camera does. */
export async function blurred(picture: Promise<Buffer>): Promise<Buffer> {
  return sharp(await picture)
    .blur(14)
    .jpeg()
    .toBuffer();
}

function portrait({ hair }: SamplePerson, background: string): string {
  const stripes = Array.from(
    { length: 24 },
    (_, n) => `<path d="M0 ${n * 25} H470" stroke="#0002" stroke-width="2"/>`,
  );
  return `
    <rect width="470" height="600" fill="${background}"/>${stripes.join('')}
    <path d="M105 600 V300 C80 90 390 90 365 300 V600 Z" fill="${hair}"/>
    <path d="M20 600 C30 470 150 450 235 450 C320 450 440 470 450 600 Z" fill="#2f5d7c"/>
    <path d="M190 400 H280 V470 Q235 510 190 470 Z" fill="#d9a282"/>
    <ellipse cx="235" cy="310" rx="105" ry="135" fill="#eab896"/>
    <path d="M128 290 C140 170 330 170 342 290 C300 220 250 215 210 235 C170 250 145 260 128 290 Z" fill="${hair}"/>
    <g fill="#2b2118"><circle cx="193" cy="305" r="11"/><circle cx="277" cy="305" r="11"/></g>
    <path d="M170 275 Q193 262 214 275 M256 275 Q277 262 300 275" stroke="${hair}" stroke-width="7" fill="none"/>
    <path d="M235 315 L226 352 H244" stroke="#b97f5f" stroke-width="5" fill="none"/>
    <path d="M200 388 Q235 412 270 388" stroke="#a3483d" stroke-width="8" fill="none" stroke-linecap="round"/>`;
}

function drawnCard(content: string): Promise<Buffer> {
  const waves = Array.from(
    { length: 26 },
    (_, n) =>
      `<path d="M0 ${n * 42} Q400 ${n * 42 - 60} 800 ${n * 42} T1600 ${n * 42}" stroke="#9db9cf" fill="none" stroke-width="2"/>`,
  );
  return jpeg(`<svg xmlns="http://www.w3.org/2000/svg" width="1600" height="1000" font-family="DejaVu Sans, sans-serif">
    <rect width="1600" height="1000" fill="#dfeaf2"/>${waves.join('')}${content}</svg>`);
}

function jpeg(svg: string): Promise<Buffer> {
  return sharp(Buffer.from(svg)).jpeg({ quality: 88 }).toBuffer();
}
