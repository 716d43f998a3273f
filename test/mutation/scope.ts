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
  'lib/http/': ['test/http/{bad-input,body-growth,conditional,encodings,errors,headers,methods,no-route}.test.ts'],
  'lib/operations/imports/': [
    'test/faults/import-*.test.ts',
    'test/imports/{cancel,chunk-count,read-ahead}.test.ts',
    'test/mutation/law.mutation.ts',
  ],
} as const;

/** Areas whose tests need the local service, or only its engine. The others use a model of the engine, or no database. */
const onService: ReadonlySet<Area> = new Set(['lib/http/']);
const onEngine: ReadonlySet<Area> = onService;

export type Area = keyof typeof testsOf;
export const areas = Object.keys(testsOf) as Area[];

export const areaOf = (file: string): Area | undefined => areas.find((area) => file.startsWith(area));

const mutatedAreas = (): Area[] => {
  const mutated = new Set(mutatedFiles().map(areaOf));
  return areas.filter((area) => mutated.has(area));
};

export const testFiles = (): string[] => mutatedAreas().flatMap((area) => testsOf[area]);
export const needsEngine = (): boolean => mutatedAreas().some((area) => onEngine.has(area));
export const needsService = (): boolean => mutatedAreas().some((area) => onService.has(area));
