import sharp, { type Sharp } from 'sharp';

const CARD = { width: 1600, height: 1200, channels: 3 } as const;
/** Its pixels. They are drawn once, because that takes longer than most decodings. */
let cardPixels: Promise<Buffer> | undefined;

/** A card with small print on a dark table, as a phone would see it: 1600 by 1200. */
export async function card(): Promise<Sharp> {
  cardPixels ??= drawCard().removeAlpha().raw().toBuffer();
  return sharp(await cardPixels, { raw: CARD });
}

function drawCard(): Sharp {
  const lines = Array.from(
    { length: 12 },
    (_, i) =>
      `<text x="260" y="${300 + i * 50}" font-size="30">Jane Q. Example, 1990-01-0${i % 9}, AB${i}34567</text>`,
  );
  return sharp(
    Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" width="1600" height="1200">
        <rect width="1600" height="1200" fill="#3a3026"/>
        <rect x="200" y="200" width="1200" height="760" rx="40" fill="#cfd8e3"/>
        <g font-family="sans-serif" fill="#222">${lines.join('')}</g>
      </svg>`,
    ),
  ).flatten({ background: 'black' });
}

/** The same with a lamp reflected in it. */
export async function cardWithGlare(): Promise<Sharp> {
  const lamp = Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="1600" height="1200">
      <defs><radialGradient id="g"><stop offset="0.6" stop-color="#fff"/><stop offset="1" stop-color="#fff" stop-opacity="0"/></radialGradient></defs>
      <ellipse cx="900" cy="520" rx="260" ry="170" fill="url(#g)"/></svg>`,
  );
  return (await card()).composite([{ input: lamp }]);
}

/** A white page as a scanner gives it. */
export function scannedPage(): Sharp {
  const lines = Array.from(
    { length: 30 },
    (_, i) => `<text x="120" y="${160 + i * 46}" font-size="28">Certificate of incorporation, line ${i}</text>`,
  );
  return sharp(
    Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" width="1240" height="1754"><rect width="1240" height="1754" fill="#fff"/>
      <g font-family="sans-serif" fill="#000">${lines.join('')}</g></svg>`,
    ),
  ).flatten({ background: 'white' });
}

/** A picture of one colour, by default one of the smallest that are accepted. */
export function plain(width = 800, height = 600): Sharp {
  return sharp({ create: { width, height, channels: 3, background: '#406080' } });
}
