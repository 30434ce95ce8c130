let made = 0;

/** Returns a new SHA-256 in hexadecimal: no two uploads of a test are the same file. */
export function newDigest(): string {
  made += 1;
  return made.toString(16).padStart(64, '0');
}

/** Returns the first bytes of a new JPEG, which is all that the intake in memory looks at. */
export function newJpeg(): Uint8Array<ArrayBuffer> {
  return Buffer.concat([Uint8Array.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.from(newDigest())]);
}
