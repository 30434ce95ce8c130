import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import sharp from 'sharp';

const FOLDER = join(import.meta.dirname, '../../docs/screenshots');

/** Saves the visible part of the page as `docs/screenshots/{name}.png`, compressed for the repository. */
export async function keepPicture(page: Page, name: string, { height }: { height?: number } = {}): Promise<void> {
  const size = page.viewportSize();
  if (size !== null && height !== undefined) await page.setViewportSize({ ...size, height });
  await page.waitForLoadState('networkidle');
  const picture = await page.screenshot({ animations: 'disabled', caret: 'hide' });
  mkdirSync(FOLDER, { recursive: true });
  // Pages have few colours: a palette halves the file size.
  await sharp(picture)
    .png({ palette: true, effort: 10, compressionLevel: 9 })
    .toFile(join(FOLDER, `${name}.png`));
  if (size !== null) await page.setViewportSize(size);
}
