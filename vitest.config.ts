import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const counts = process.env.TEST_COUNTS;

/** Tests that read the whole table of the service. They begin, because it is small then. */
const scans = [
  'test/stored-data/stored-data.test.ts',
  'test/admin/team-reset.test.ts',
  'test/admin/audit.test.ts',
  'test/admin/person.test.ts',
];
/** Tests that start processes, browsers or long simulations. */
const slow = [
  ...scans,
  'test/{attack,chaos,demo,erasure-proof,fuzz,import-command,imports}/**/*.test.ts',
  'test/admin/drill.test.ts',
  'test/client/package.test.ts',
  'test/conformance/command.test.ts',
  'test/docs/blocks.test.ts',
  'test/drop-box/service.test.ts',
  'test/http/{docs,failure-log,openapi-examples,openapi-tools,token-lifetime}.test.ts',
  'test/infra/findings.test.ts',
  'test/local/{endpoints,process,restart}.test.ts',
  'test/web/{channel,everybody,identity,journey,journey-content,logo,mortgage,proof-end}.test.ts',
];
/** Tests that change the environment or the modules of their process. */
const isolated = [
  'test/functions/**/*.test.ts',
  'test/admin/{content,stack}.test.ts',
  'test/auth/rotation.test.ts',
  'test/local/{parts,permissions}.test.ts',
  'test/operations/{identity,issue-token}.test.ts',
  'test/store/{failures,origin-secrets,private-keys}.test.ts',
];
/** Tests that need neither the engine nor a service. */
const unit = [
  'test/{architecture,auth,bench,domain,files,infra}/**/*.test.ts',
  'test/docs/*.test.ts',
  'test/conformance/coverage.test.ts',
  'test/web/*.test.ts',
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
    testTimeout: 20_000,
    hookTimeout: 30_000,
  },
});

/** The slow tests follow, so that no worker is left with one of them at the end. */
class ScansThenSlow extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).sort((a, b) => rankOf(a) - rankOf(b));
  }
}

function rankOf({ moduleId, project: { name } }: TestSpecification): number {
  if (scans.some((path) => moduleId.endsWith(path))) return 0;
  return name === 'slow' ? 1 : 2;
}

export default defineConfig({
  test: {
    globalSetup: ['test/support/setup.ts'],
    // One more than the cores of a small machine, because tests often wait for the service, a browser or a clock.
    maxWorkers: 3,
    sequence: { sequencer: ScansThenSlow },
    reporters: counts ? ['default', ['json', { outputFile: counts }]] : ['default'],
    projects: [
      project('unit', unit, [...isolated, ...slow], false),
      project('service', ['test/**/*.test.ts'], [...unit, ...isolated, ...slow], false),
      project('isolated', isolated, [], true),
      project('slow', slow, [], false),
    ],
  },
});
