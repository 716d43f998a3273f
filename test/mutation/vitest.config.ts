import { basename } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { mutatedFiles, testFiles } from './scope.ts';

const names = mutatedFiles().map((file) => basename(file, '.ts'));

/** The tests that are named after a mutated file begin, because the first failure ends the run of a mutant. */
class NearestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return [...files.filter(isNear), ...files.filter((file) => !isNear(file))];
  }
}
const isNear = ({ moduleId }: TestSpecification) => names.some((name) => basename(moduleId).startsWith(name));

export default defineConfig({
  test: {
    include: testFiles(),
    isolate: false,
    setupFiles: ['test/mutation/setup.ts'],
    sequence: { sequencer: NearestFirst },
    testTimeout: 20_000,
    // Nobody reads the differences.
    diff: { maxDepth: 2, truncateThreshold: 20 },
  },
});
