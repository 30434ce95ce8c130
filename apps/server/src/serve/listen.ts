import type { Server } from 'node:http';
import { isSystemError, SettingError } from '../config/errors.ts';

/**
 * Starts to listen. Resolves when the server accepts connections.
 * @param prefix of the variables named in errors
 * @throws SettingError when the address or the port is not available
 */
export async function listen(
  server: Server,
  { host, port }: { host: string; port: number },
  prefix: '' | 'METRICS_' = '',
): Promise<void> {
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen({ host, port }, () => {
        server.off('error', reject);
        resolve();
      });
    });
  } catch (error) {
    throw isSystemError(error) ? refusedAddress(error, { host, port, prefix }) : error;
  }
}

function refusedAddress(
  error: NodeJS.ErrnoException & { code: string },
  { host, port, prefix }: { host: string; port: number; prefix: string },
): SettingError {
  const cause = { cause: error };
  switch (error.code) {
    case 'EADDRINUSE':
      return new SettingError(
        `${prefix}PORT`,
        `is ${port}: another program listens there, expected a free port`,
        cause,
      );
    case 'EACCES':
      return new SettingError(
        `${prefix}PORT`,
        `is ${port}: this user may not listen there, expected a port of 1024 or above`,
        cause,
      );
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new SettingError(`${prefix}HOST`, `is "${host}": expected an address of this machine`, cause);
    default:
      return new SettingError(
        `${prefix}HOST`,
        `is "${host}" and ${prefix}PORT ${port}: ${error.code}, expected an address to listen on`,
        cause,
      );
  }
}
