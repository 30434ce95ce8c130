import { freePort } from '../processes/free-port.ts';

/** Starts a server on a free port. Retries when another program takes the port first. */
export async function onAFreePort<T>(start: (port: number) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await start(await freePort());
    } catch (error) {
      if (attempt === 5 || !/address already in use/i.test(String(error))) throw error;
    }
  }
}
