// Writes the glyphs of fonts for the training of the recogniser: node draw-glyphs.ts <file> <font>...
import { writeFileSync } from 'node:fs';
import { CELL, loadGlyphs, MRZ_CHARACTERS } from './generator/glyphs.ts';

const [file = '', ...fonts] = process.argv.slice(2);
const cells = [];
for (const font of fonts) {
  const glyphs = await loadGlyphs(font);
  for (const character of MRZ_CHARACTERS) cells.push(glyphs.get(character)?.data ?? new Uint8Array());
}
writeFileSync(file, Buffer.concat(cells));
writeFileSync(`${file}.json`, JSON.stringify({ fonts, characters: MRZ_CHARACTERS, ...CELL }));
