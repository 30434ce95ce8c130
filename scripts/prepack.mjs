// Runs before `pnpm pack` and `npm pack`, in the folder of a package: builds it, so that no tarball lacks its build.
// It installs nothing: pnpm runs it in the middle of its own work.
import { basename, dirname } from 'node:path';
import { buildPackages } from './build-packages.mjs';
import { buildServerPackage } from './server-package.mjs';

const folder = process.cwd();
await (basename(dirname(folder)) === 'apps' ? buildServerPackage() : buildPackages(folder));
