// Draws pictures from a seed: node draw.ts <folder> <first> <end> <zone fonts> <word fonts> [widths of a character] [share without a zone] (paths joined by commas);
// with the folder's name ending in .bin, small ones for the finder with the lines to be found, all in one file.
import { mkdirSync, openSync, writeFileSync, writeSync } from 'node:fs';
import sharp from 'sharp';
import { type DrawnPicture, drawPicture, encode, loadTypes } from './generator/picture.ts';

const FINDER_SIDE = 448;
const [
  target = '',
  first = '0',
  end = '1',
  zoneFonts = '',
  wordFonts = '',
  low = '18',
  high = '40',
  blank = '0.1',
] = process.argv.slice(2);
const types = await loadTypes(zoneFonts.split(','), wordFonts.split(','));

function marks({ courses }: DrawnPicture, width: number, height: number, scale: number): Buffer {
  const thick = 3;
  const lines = courses
    .map((points) =>
      points.map(([x, y]) => `${((x + 0.5) * scale).toFixed(1)},${((y + 0.5) * scale).toFixed(1)}`).join(' '),
    )
    .map((points) => `<polyline points="${points}" fill="none" stroke="#fff" stroke-width="${thick}"/>`);
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%"/>${lines.join('')}</svg>`,
  );
}

async function writeSmall(file: number, picture: DrawnPicture): Promise<void> {
  const { raster } = picture;
  const scale = FINDER_SIDE / Math.max(raster.width, raster.height);
  const jpeg = await encode(picture);
  const { data, info } = await sharp(jpeg)
    .resize(FINDER_SIDE, FINDER_SIDE, { fit: 'inside' })
    .greyscale()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const lines = await sharp(marks(picture, info.width, info.height, scale))
    .greyscale()
    .raw()
    .toBuffer();
  const head = Buffer.alloc(4);
  head.writeUInt16BE(info.height, 0);
  head.writeUInt16BE(info.width, 2);
  writeSync(file, Buffer.concat([head, data, lines]));
}

if (target.endsWith('.bin')) {
  const file = openSync(target, 'w');
  for (let seed = Number(first); seed < Number(end); seed += 1) {
    await writeSmall(file, drawPicture(types, seed, { unit: [7, 11], blank: 0.12 }));
  }
} else {
  mkdirSync(target, { recursive: true });
  for (let seed = Number(first); seed < Number(end); seed += 1) {
    const picture = drawPicture(types, seed, { unit: [Number(low), Number(high)], blank: Number(blank) });
    const { raster, courses, ...truth } = picture;
    writeFileSync(`${target}/${seed}.jpg`, await encode(picture));
    writeFileSync(
      `${target}/${seed}.json`,
      JSON.stringify({ ...truth, courses, width: raster.width, height: raster.height }),
    );
  }
}
