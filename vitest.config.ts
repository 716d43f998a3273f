import { globSync } from 'node:fs';
import { resolve } from 'node:path';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const counts = process.env.TEST_COUNTS;

/** Tests that read the whole table of the service. They begin, because it is small then. */
const scans = [
  'test/service/teams/team-reset.test.ts',
  'test/service/accounts/account-removal.test.ts',
  'test/service/access/audit.test.ts',
  'test/service/erasure/person.test.ts',
];
/** Tests that `npm test` leaves to `node test/judges/all.ts`. */
const nightly = [
  'test/admin/{drill-failure,wrong-file}.test.ts',
  'test/{client/package,docs/commands,drop-box/killed,import-command/killed,infra/stages,local/restart}.test.ts',
  'test/http/{docs,generated-clients,openapi-tools}.test.ts',
  'test/web/{everybody,long-words,narrow-pages}.test.ts',
];
/** Tests that start processes, browsers or long simulations. */
const slow = [
  ...scans,
  'test/{demo,erasure-proof,import-command,imports,results}/**/*.test.ts',
  'test/judges/acceptance/acceptance.test.ts',
  'test/service/docs/blocks.test.ts',
  'test/service/contacts/service.test.ts',
  'test/http/{failure-log,metrics,openapi-examples,odd-values}.test.ts',
  'test/unit/infra/findings.test.ts',
  'test/local/{endpoints,process,slow-webhooks}.test.ts',
  // Those with a browser, which the files of a process share.
  'test/web/{channel,channel-look,direction,ending,identity,journey,journey-content,picture-choices}.test.ts',
  'test/web/{preview-edit,proof-end,survey-questions,terms,withheld}.test.ts',
];
/** Tests that change the environment or the modules of their process. */
const isolated = [
  'test/functions/**/*.test.ts',
  'test/admin/{content,stack}.test.ts',
  'test/unit/auth/rotation.isolated.test.ts',
  'test/local/{parts,permissions,thread}.test.ts',
  'test/operations/{identity,issue-token}.test.ts',
  'test/runtime/access.test.ts',
  'test/store/{failures,origin-secrets,private-keys}.test.ts',
];

/** Files of a project that is not isolated share a process and what it has loaded. */
const project = (
  name: string,
  include: string[],
  exclude: string[],
  isolate: boolean,
): TestProjectInlineConfiguration => ({
  test: {
    name,
    include,
    exclude,
    isolate,
    setupFiles: ['test/support/contract-setup.ts'],
    // Megabytes for new objects. V8 begins with one, and spends a tenth of the CPU of some tests on collecting garbage.
    // Collecting on several threads takes another tenth, because the cores are busy anyway.
    execArgv: ['--min-semi-space-size=16', '--single-threaded-gc'],
    // Only ends tests that hang: on a busy machine, a test with a browser can need 20 seconds.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // As `test/support/until.ts`: a wake that was lost is made up for within 75 seconds.
    expect: { poll: { timeout: 100_000 } },
  },
});

const firstFiles = [scans, slow].map((patterns) => new Set(globSync(patterns).map((path) => resolve(path))));
const projects = ['shared', 'isolated', 'nightly'];

/**
 * Slow tests come early, so that no worker is left with one of them at the end. The files of a project follow each other,
 * because a worker ends when the next file is of another project.
 */
class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).sort((a, b) => rankOf(a) - rankOf(b));
  }
}

function rankOf({ moduleId, project: { name } }: TestSpecification): number {
  const place = firstFiles.findIndex((paths) => paths.has(moduleId));
  return place < 0 ? firstFiles.length + projects.indexOf(name) : place;
}

export default defineConfig({
  test: {
    globalSetup: ['test/support/setup.ts'],
    // One more than the cores of a small machine, because tests often wait for the service, a browser or a clock.
    maxWorkers: 3,
    sequence: { sequencer: SlowFirst },
    reporters: counts ? ['default', ['json', { outputFile: counts }]] : ['default'],
    projects: [
      project('shared', ['test/**/*.test.ts'], [...isolated, ...nightly], false),
      project('isolated', isolated, [], true),
      project('nightly', nightly, [], false),
    ],
  },
});
