/** What is mutated. The workers of Stryker inherit the variable and read it for the configuration of the tests. */
const variable = 'MUTATED_FILES';

export const mutatedFiles = (): string[] => (process.env[variable] ?? '').split(',');

export function setMutatedFiles(files: readonly string[]): void {
  process.env[variable] = files.join(',');
}

/**
 * The tests that run in the process of the mutated code, by the beginning of its path. Of several beginnings, the first
 * in this order counts.
 */
const testsOf = {
  'lib/domain/client-key': ['test/auth/client-keys.test.ts'],
  'lib/domain/content/': ['test/domain/**/*.test.ts'],
  'lib/domain/': ['test/domain/*.test.ts'],
  'lib/auth/': ['test/auth/**/*.test.ts'],
  'lib/http/': [
    'test/http/{body,endpoint,errors,handler,methods,reply}.test.ts',
    'test/http/{same-site,token-request,validation}.test.ts',
  ],
  'lib/operations/imports/': [
    'test/faults/import-*.test.ts',
    'test/imports/{cancel,chunk-count,read-ahead}.test.ts',
    'test/mutation/law.mutation.ts',
  ],
} as const;

/** Areas whose tests need the embedded engine. The others use a model of it, or no database. */
const onEngine: ReadonlySet<Area> = new Set([]);

export type Area = keyof typeof testsOf;
export const areas = Object.keys(testsOf) as Area[];

export const areaOf = (file: string): Area | undefined => areas.find((area) => file.startsWith(area));

const mutatedAreas = (): Area[] => {
  const mutated = new Set(mutatedFiles().map(areaOf));
  return areas.filter((area) => mutated.has(area));
};

export const testFiles = (): string[] => mutatedAreas().flatMap((area) => testsOf[area]);
export const needsEngine = (): boolean => mutatedAreas().some((area) => onEngine.has(area));
