/** What is mutated. The workers of Stryker inherit the variable and read it for the configuration of the tests. */
const variable = 'MUTATED_FILES';

export const mutatedFiles = (): string[] => (process.env[variable] ?? '').split(',');

export function setMutatedFiles(files: readonly string[]): void {
  process.env[variable] = files.join(',');
}

/** The tests that run in the process of the mutated code, for each folder. The first folder that contains a file counts. */
const testsOf = {
  'lib/domain/content': ['test/domain/**/*.test.ts'],
  'lib/domain': ['test/domain/*.test.ts'],
  'lib/auth': ['test/auth/**/*.test.ts'],
} as const;

export type Folder = keyof typeof testsOf;
export const folders = Object.keys(testsOf) as Folder[];

export const folderOf = (file: string): Folder | undefined => folders.find((folder) => file.startsWith(`${folder}/`));

export const testFiles = (): string[] => {
  const mutated = new Set(mutatedFiles().map(folderOf));
  return folders.filter((folder) => mutated.has(folder)).flatMap((folder) => testsOf[folder]);
};
