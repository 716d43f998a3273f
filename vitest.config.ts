import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const counts = process.env.TEST_COUNTS;

/** What tests of the folders do. Slow tests come first, so that no worker is left with one of them at the end. */
const folders = ['laws', 'judges', 'service', 'browser', 'unit'];
/** `name.isolated.test.ts` changes the environment or the modules of its process, so it has one of its own. */
const isolated = 'test/**/*.isolated.test.ts';
/** `npm test` leaves `name.nightly.test.ts` to `node test/judges/all.ts`. */
const nightly = 'test/**/*.nightly.test.ts';

/** Files of a project that is not isolated share a process and what it has loaded. */
const project = (
  name: string,
  include: string,
  exclude: string[],
  isolate: boolean,
): TestProjectInlineConfiguration => ({
  test: {
    name,
    include: [include],
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

/** The files of a project follow each other, because a worker ends when the next file is of another project. */
class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).sort((a, b) => rankOf(a) - rankOf(b));
  }
}

function rankOf({ project: { name } }: TestSpecification): number {
  const place = folders.indexOf(name);
  return place < 0 ? folders.length : place;
}

export default defineConfig({
  test: {
    globalSetup: ['test/support/setup.ts'],
    // One more than the cores of a small machine, because tests often wait for the service, a browser or a clock.
    maxWorkers: 3,
    sequence: { sequencer: SlowFirst },
    reporters: counts ? ['default', ['json', { outputFile: counts }]] : ['default'],
    projects: [
      ...folders.map((folder) => project(folder, `test/${folder}/**/*.test.ts`, [isolated, nightly], false)),
      project('isolated', isolated, [], true),
      project('nightly', nightly, [], false),
    ],
  },
});
