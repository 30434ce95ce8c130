// Loaded into the server before anything else (`node --import`): its clock starts at what the file named by CLOCK_FILE
// says, so that pictures of its pages show the same dates and ages whenever they are taken.
import { readFileSync } from 'node:fs';

const RealDate = Date;
const file = process.env.CLOCK_FILE ?? '';

/** What the clock was set to, and how long ago. */
function now() {
  const [setTo = 0, setAt = 0] = readFileSync(file, 'utf8').split(' ').map(Number);
  return setTo + RealDate.now() - setAt;
}

globalThis.Date = new Proxy(RealDate, {
  construct: (target, args, newTarget) => Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget),
  get: (target, name, receiver) => (name === 'now' ? now : Reflect.get(target, name, receiver)),
});
