import { basename, join } from 'node:path';
import { defineConfig, type Plugin } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { mutatedFiles, testFiles } from './scope.ts';

const names = mutatedFiles().map((file) => basename(file, '.ts'));

/** The tests that are named after a mutated file begin, because the first failure ends the run of a mutant. */
class NearestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return [...files.filter(isNear), ...files.filter((file) => !isNear(file))];
  }
}
const isNear = ({ moduleId }: TestSpecification) => names.some((name) => basename(moduleId).includes(name));

const modelEngine: Plugin = {
  name: 'model-engine',
  enforce: 'pre',
  resolveId: (source) => (/\/engine\.ts$/.test(source) ? join(import.meta.dirname, 'model-engine.ts') : undefined),
};

export default defineConfig({
  plugins: [modelEngine],
  test: {
    include: testFiles(),
    isolate: false,
    setupFiles: ['test/mutation/setup.ts'],
    sequence: { sequencer: NearestFirst },
    // Stryker has a time limit of its own for each mutant.
    testTimeout: 300_000,
    // Nobody reads the differences.
    diff: { maxDepth: 2, truncateThreshold: 20 },
  },
});
