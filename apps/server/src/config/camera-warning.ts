/** Hosts that browsers trust without https (W3C Secure Contexts, 3.1). */
const LOCAL = /^(?:localhost|.*\.localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** Returns a warning if browsers give the pages at this address no access to the camera. */
export function cameraWarnings(publicBaseUrl: string): string[] {
  const { protocol, hostname } = new URL(publicBaseUrl);
  if (protocol === 'https:' || LOCAL.test(hostname)) return [];
  return [
    `PUBLIC_BASE_URL is ${JSON.stringify(publicBaseUrl)}: browsers give pages without https no access to the camera, so subjects can only choose files. Use https://`,
  ];
}
