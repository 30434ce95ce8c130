import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';

/** How the page of a passport is held before the drawn camera. */
export interface Pose {
  /** In degrees. */
  readonly turn?: number;
  /** Share of the mask's width that it takes. */
  readonly size?: number;
  /** How far it is moved to the right, as a share of the picture's width. */
  readonly right?: number;
  /** Whether a lamp shines on it, so that the camera does not take the picture. */
  readonly hasGlare?: boolean;
}

/**
 * The two lines of a specimen of ICAO Doc 9303, 112 by 11 mm, in OCR-B of Debian's `fonts-ocr-b`: outlines by Norbert Schwarz, free to use,
 * modify and distribute; files by Matthew Skala, public domain. Browsers have no such font.
 */
const LINES = readFileSync(new URL('passport-zone.png', import.meta.url)).toString('base64');

/** Lets the camera of `drawnCamera` film the page of a passport with a photo. */
export async function filmPassport(page: Page, pose: Pose = {}): Promise<void> {
  const { turn = 0, size = 0.96, right = 0, hasGlare = false } = pose;
  await page.evaluate(`(${FILMS})(${JSON.stringify({ lines: LINES, turn, size, right, hasGlare })})`);
}

/** Runs in the page. */
const FILMS = `async ({ lines, turn, size, right, hasGlare }) => {
  const bytes = Uint8Array.from(atob(lines), (character) => character.charCodeAt(0));
  const zone = await createImageBitmap(new Blob([bytes]));
  const { canvas } = drawnCamera;
  const context = canvas.getContext('2d');
  drawnCamera.draw = () => {
    const { width, height } = canvas;
    context.resetTransform();
    context.fillStyle = '#5a4a3a';
    context.fillRect(0, 0, width, height);
    context.translate(width * (0.5 + right), height / 2);
    context.rotate((turn * Math.PI) / 180);
    const millimetre = (Math.min(width, (height * 125) / 88) * 0.88 * size) / 125;
    context.scale(millimetre, millimetre);
    context.translate(-62.5, -44);
    context.fillStyle = '#f4f1e6';
    context.fillRect(0, 0, 125, 88);
    context.globalCompositeOperation = 'multiply';
    context.drawImage(zone, 6.5, 70, 112, 11);
    context.globalCompositeOperation = 'source-over';
    context.fillStyle = '#8899aa';
    context.fillRect(7, 14, 35, 45);
    context.fillStyle = '#1d3557';
    context.font = '4px sans-serif';
    for (let line = 0; line < 7; line += 1) context.fillText('Utopia · Eriksson · Anna Maria ' + line, 48, 10 + 8 * line);
    if (!hasGlare) return;
    context.fillStyle = 'white';
    context.beginPath();
    context.arc(80, 35, 20, 0, 7);
    context.fill();
  };
  drawnCamera.draw();
}`;
