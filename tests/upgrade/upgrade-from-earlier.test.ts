// Each upgrade walks subjects through a dozen flows that the earlier version began.
import { keptVersions } from './kept-installation.ts';
import { describeUpgrades } from './upgrades.ts';

describeUpgrades(keptVersions().slice(0, -1));
