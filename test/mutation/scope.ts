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
} as const;

export type Area = keyof typeof testsOf;
export const areas = Object.keys(testsOf) as Area[];

export const areaOf = (file: string): Area | undefined => areas.find((area) => file.startsWith(area));

export const testFiles = (): string[] => {
  const mutated = new Set(mutatedFiles().map(areaOf));
  return areas.filter((area) => mutated.has(area)).flatMap((area) => testsOf[area]);
};
