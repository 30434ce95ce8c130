// Each upgrade walks subjects through flows that an earlier version began. upgrade.test.ts has that of the last version on SQLite.
import { keptVersions } from './kept-installation.ts';
import { describeUpgrades } from './upgrades.ts';

describeUpgrades('sqlite', keptVersions().slice(0, -1));
describeUpgrades('postgres', keptVersions());
