// Replaces the server's clock (`node --import`) with the time in the file CLOCK_FILE, so that a test or a screenshot always has
// the same dates and ages.
import { readFileSync } from 'node:fs';

const RealDate = Date;
const file = process.env.CLOCK_FILE ?? '';

/** Returns the set time plus the time since then. */
function now() {
  const [setTo = 0, setAt = 0] = readFileSync(file, 'utf8').split(' ').map(Number);
  return setTo + RealDate.now() - setAt;
}

globalThis.Date = new Proxy(RealDate, {
  construct: (target, args, newTarget) => Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget),
  get: (target, name, receiver) => (name === 'now' ? now : Reflect.get(target, name, receiver)),
});
