import { createHash, createHmac } from 'node:crypto';
import type { Secrets } from '@countersign/domain';

/** Real hashes, but "random" bytes that count up and a secret that everybody knows: for tests and trials only. */
export function createCountingSecrets(): Secrets {
  let count = 0;
  const sign = (text: string) => createHmac('sha256', 'for tests only').update(text).digest('base64url');
  return {
    randomHex: (bytes) => {
      count += 1;
      return count.toString(16).padStart(bytes * 2, '0');
    },
    sha256: (text) => createHash('sha256').update(text).digest('hex'),
    sign,
    verify: (text, signature) => signature === sign(text),
  };
}
