// Started by `npm test`. The steps inherit the priority of this process.
import { constants, setPriority } from 'node:os';
import { checkOthers } from './check.mjs';
import { stopWithParent } from './process.mjs';

setPriority(constants.priority.PRIORITY_LOW);
stopWithParent();
process.exitCode = await checkOthers();
