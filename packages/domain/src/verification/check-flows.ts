import { type Flows, flowVersions, SUBJECT_TYPES } from './flow.ts';
import { checkScreens } from './screens.ts';

/**
 * Checks flows before they are used.
 * @returns the same flows
 * @throws Error when a type has no flow, versions do not rise from 1 on, two pages of a flow share a slug, or the screens of a flow
 * do not fit its steps
 */
export function checkFlows(flows: Flows): Flows {
  for (const type of SUBJECT_TYPES) {
    if (flows[type].length === 0) throw new Error(`There is no flow of type ${type}`);
    let version = 0;
    for (const flow of flows[type]) {
      if (flow.type !== type || !Number.isInteger(flow.version) || flow.version <= version) {
        throw new Error(`The versions of the ${type} flow must be whole numbers that rise from 1 on`);
      }
      version = flow.version;
      const slugs = Object.values(flow.steps).flatMap(({ pages }) => pages.map(({ slug }) => slug));
      const twice = slugs.find((slug, index) => slugs.indexOf(slug) !== index);
      if (twice !== undefined) throw new Error(`Two pages of the ${type} flow have the slug ${twice}`);
      checkScreens(flow);
    }
  }
  return flows;
}

/**
 * Checks the highest version of the flows that new verifications may begin with.
 * @returns the same version
 * @throws Error when no flow has this version, or a type has no flow up to it
 */
export function checkFlowVersion(version: number | undefined, flows: Flows): number | undefined {
  const versions = flowVersions(flows);
  if (version === undefined || versions.includes(version)) return version;
  throw new Error(`flowVersion is ${version}: expected one of ${versions.join(', ')}`);
}
