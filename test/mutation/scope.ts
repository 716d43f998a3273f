/** What is mutated. The workers of Stryker inherit the variable and read it for the configuration of the tests. */
const variable = 'MUTATED_FILES';

export const mutatedFiles = (): string[] => (process.env[variable] ?? '').split(',');

export function setMutatedFiles(files: readonly string[]): void {
  process.env[variable] = files.join(',');
}

/**
 * The tests that run in the process of the mutated code, by the beginnings of its paths. Of several areas, the first in
 * this order counts. The database of these tests is a model in memory.
 */
export const areas = [
  {
    name: 'client-key',
    files: ['lib/domain/client-key', 'bin/admin/client-keys'],
    tests: ['test/admin/client-keys.test.ts'],
  },
  {
    name: 'content',
    files: ['lib/domain/content/', 'bin/content/'],
    tests: [
      'test/{domain/,}content/*.test.ts',
      'test/domain/{channel-content,frame-ancestors,journey-page}.test.ts',
      'test/web/{block-fields,content-warnings,lost-*}.test.ts',
    ],
  },
  {
    name: 'domain',
    files: ['lib/domain/', 'bin/admin/svg'],
    tests: ['test/domain/*.test.ts', 'test/admin/svg*.test.ts'],
  },
  { name: 'auth', files: ['lib/auth/'], tests: ['test/auth/**/*.test.ts'] },
  {
    name: 'runtime',
    files: ['lib/runtime/aws.ts'],
    tests: ['test/runtime/aws.test.ts'],
  },
  {
    name: 'http',
    files: ['lib/http/'],
    tests: ['test/http/{body,endpoint,errors,handler,methods,reply,same-site,token-request,validation}.test.ts'],
  },
  {
    name: 'table',
    files: ['dynamodb', 'errors', 'requests', 'retrying'].map((file) => `lib/store/${file}.ts`),
    tests: ['test/store/{dynamodb*,errors,requests}.test.ts'],
  },
  {
    name: 'aws-clients',
    files: [
      ...['aws-clients', 'connections', 'drop-queue', 'images', 'objects', 'origin-secrets', 'private-keys'],
      ...['queue', 'table-client'],
    ].map((file) => `lib/store/${file}.ts`),
    tests: ['test/store/{failures,objects,origin-secrets,private-keys,queues,table-client}.test.ts'],
  },
  {
    name: 'store',
    files: ['lib/store/', 'bin/admin/store/'],
    tests: [
      'test/store/{accounts,assertions,claims,clients,contacts,content,directory,drop-files}.test.ts',
      'test/store/{database-pages,expected-files,import-work,journeys,keys,lookups}.test.ts',
      'test/store/{object-events,objects,parts,saved-content,scan-uses,signing-keys}.test.ts',
      'test/store/{stored-content,stored-item,stored-items,stored-json,table-client,teams}.test.ts',
      'test/drop-box/{expected,list,state}.test.ts',
      'test/operations/{audit-log,contact-accounts,expected-version,identity,import*,payloads,products}.test.ts',
      'test/operations/{contacts-changes,contacts-list,contacts-upsert,journey}*.test.ts',
      'test/admin/{store,operations}/**/*.test.ts',
    ],
  },
  {
    name: 'imports',
    files: ['lib/operations/imports/', 'bin/admin/operations/imports/'],
    tests: [
      'test/operations/{imports,import-work}.test.ts',
      'test/faults/import-*.test.ts',
      'test/imports/{cancel,chunk-count,read-ahead}.test.ts',
      'test/mutation/law.mutation.ts',
    ],
  },
  {
    name: 'contacts',
    files: ['lib/operations/contacts/', 'bin/admin/operations/change-unique-id'],
    tests: [
      'test/operations/{contacts-list*,contacts-upsert,contacts-changes,contact-accounts,expected-version,scan-budget}.test.ts',
      'test/admin/operations/change-unique-id*.test.ts',
    ],
  },
  {
    name: 'person',
    files: ['lib/operations/person/', 'bin/admin/operations/person/'],
    tests: ['test/admin/operations/person/*.test.ts'],
  },
  {
    name: 'journeys',
    files: ['lib/operations/journeys/', 'bin/admin/operations/reissue-journey'],
    tests: ['test/operations/{journey*,identity,contacts-upsert}.test.ts'],
  },
  {
    name: 'drop-box',
    files: ['lib/operations/drop-box/', 'bin/admin/operations/drop-box/'],
    tests: [
      'test/drop-box/{applied,attempts,expected,list,order,pass,receive-once,refused-files,report,capacity}.test.ts',
      'test/drop-box/{send,state,timeline,work}.test.ts',
    ],
  },
  {
    name: 'clients',
    files: ['audit', 'authenticate', 'clients', 'issue-token', 'retry', 'rotate-', 'scan-'].map(
      (file) => `lib/operations/${file}`,
    ),
    tests: [
      'test/operations/{audit-log,issue-token,retry,scan-budget,token-audit}.test.ts',
      'test/admin/operations/{clients,rotate-client}.test.ts',
      'test/store/clients.test.ts',
      'test/auth/rotation.test.ts',
    ],
  },
  { name: 'admin', files: ['bin/admin/operations/'], tests: ['test/admin/operations/*.test.ts'] },
  {
    name: 'operations',
    files: ['lib/operations/'],
    tests: [
      'test/operations/{channel-search,contact-accounts,find-contact,show-channel-content}.test.ts',
      'test/admin/operations/{export-content,fill-lookups,import-content}.test.ts',
      'test/store/content.test.ts',
    ],
  },
] as const;

export type Area = (typeof areas)[number];

export const areaOf = (file: string): Area | undefined =>
  areas.find(({ files }) => files.some((beginning) => file.startsWith(beginning)));

export const testFiles = (): string[] => {
  const mutated = new Set(mutatedFiles().map(areaOf));
  return areas.filter((area) => mutated.has(area)).flatMap(({ tests }) => tests);
};
