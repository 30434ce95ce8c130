import { freePort } from '../processes/free-port.ts';

/** Starts something on a port that is free. Between looking and listening it can go to another program: then again. */
export async function onAFreePort<T>(start: (port: number) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await start(await freePort());
    } catch (error) {
      if (attempt === 5 || !/address already in use/i.test(String(error))) throw error;
    }
  }
}
