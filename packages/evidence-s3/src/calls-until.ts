import { AbortMultipartUploadCommand, type S3Client } from '@aws-sdk/client-s3';

/** How long deleting the parts of a failed upload may take. */
const CLEANUP_MS = 15_000;

/**
 * Returns a client whose calls end with a signal. The SDK passes no signal to the parts of an `Upload`, nor to calls for credentials.
 * The parts of an upload that the signal ended are deleted after it.
 */
export function callsUntil(client: S3Client, abortSignal: AbortSignal): S3Client {
  const send = (command: Parameters<S3Client['send']>[0]) => {
    const signal = command instanceof AbortMultipartUploadCommand ? AbortSignal.timeout(CLEANUP_MS) : abortSignal;
    return endedBy(signal, client.send(command, { abortSignal: signal }));
  };
  return new Proxy(client, {
    get: (target, name): unknown => (name === 'send' ? send : Reflect.get(target, name)),
  });
}

/** Settles like a call, or rejects with the reason of the signal once it fires. */
export async function endedBy<T>(signal: AbortSignal, call: Promise<T>): Promise<T> {
  const { promise: ended, reject } = Promise.withResolvers<never>();
  const end = () => reject(signal.reason);
  signal.addEventListener('abort', end, { once: true });
  try {
    return await Promise.race([call, ended]);
  } finally {
    signal.removeEventListener('abort', end);
  }
}
