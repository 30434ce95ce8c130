import { readFileSync } from 'node:fs';

/** Key and certificate of `localhost`, signed by itself. */
export const LOCALHOST_PEM: string = readFileSync(new URL('./localhost.pem', import.meta.url), 'utf8');

/** The certificate without its key. */
export const LOCALHOST_CERTIFICATE: string = LOCALHOST_PEM.slice(LOCALHOST_PEM.indexOf('-----BEGIN CERT'));
