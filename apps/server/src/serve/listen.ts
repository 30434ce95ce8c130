import type { Server } from 'node:http';
import { SettingError } from '../config/setting-error.ts';
import { isSystemError } from '../config/system-error.ts';

/**
 * Resolves when the server takes connections.
 * @throws SettingError when address or port cannot be had
 */
export async function listen(server: Server, { host, port }: { host: string; port: number }): Promise<void> {
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen({ host, port }, () => {
        server.off('error', reject);
        resolve();
      });
    });
  } catch (error) {
    throw isSystemError(error) ? refusedAddress(error, host, port) : error;
  }
}

function refusedAddress(
  error: NodeJS.ErrnoException & { code: string },
  host: string,
  port: number,
): SettingError {
  const cause = { cause: error };
  switch (error.code) {
    case 'EADDRINUSE':
      return new SettingError('PORT', `is ${port}: another program listens there, expected a free port`, cause);
    case 'EACCES':
      return new SettingError(
        'PORT',
        `is ${port}: this user may not listen there, expected a port from 1024 on`,
        cause,
      );
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new SettingError('HOST', `is "${host}": expected an address of this machine`, cause);
    default:
      return new SettingError(
        'HOST',
        `is "${host}" and PORT ${port}: ${error.code}, expected an address to listen on`,
        cause,
      );
  }
}
