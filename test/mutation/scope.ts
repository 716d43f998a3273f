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
  { name: 'client-key', files: ['lib/domain/client-key'], tests: ['test/auth/client-keys.test.ts'] },
  {
    name: 'content',
    files: ['lib/domain/content/'],
    tests: [
      'test/domain/content/*.test.ts',
      'test/domain/{channel-content,frame-ancestors,journey-page}.test.ts',
      'test/web/{block-fields,content-warnings,lost-*}.test.ts',
    ],
  },
  { name: 'domain', files: ['lib/domain/'], tests: ['test/domain/*.test.ts', 'test/admin/svg.test.ts'] },
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
    files: ['dynamodb', 'errors', 'random-delay', 'requests', 'retrying'].map((file) => `lib/store/${file}.ts`),
    tests: ['test/store/{dynamodb*,errors,requests}.test.ts'],
  },
  {
    name: 'aws-clients',
    files: [
      ...['aws-clients', 'connections', 'drop-queue', 'images', 'objects', 'origin-secrets', 'private-keys'],
      ...['queue', 'table-client', 'table-scan'],
    ].map((file) => `lib/store/${file}.ts`),
    tests: [
      'test/store/{failures,objects,origin-secrets,private-keys,queues,table-client}.test.ts',
      'test/drop-box/objects.test.ts',
    ],
  },
  {
    name: 'store',
    files: ['lib/store/'],
    tests: [
      'test/store/{accounts,assertions,claims,clients,contacts,content,directory,drop-files,erasure-list}.test.ts',
      'test/store/{database-pages,erasures,expected-files,import-work,journeys,keys,lookups}.test.ts',
      'test/store/{object-events,objects,parts,saved-content}.test.ts',
      'test/store/{payload-rewrites,person-items,renames,s3-drop-box-files,scan-uses,signing-keys}.test.ts',
      'test/store/{stored-content,stored-item,stored-items,stored-json,teams}.test.ts',
      'test/drop-box/{expected,list,state}.test.ts',
      'test/operations/{audit-log,clients,contact-accounts,expected-version,fill-lookups,identity,import*,payloads,products,teams}.test.ts',
      'test/operations/{change-unique-id,contacts-changes,contacts-list,contacts-upsert,journey}*.test.ts',
      'test/operations/person/*.test.ts',
    ],
  },
  {
    name: 'imports',
    files: ['lib/operations/imports/'],
    tests: [
      'test/operations/{imports,import-work}.test.ts',
      'test/faults/import-*.test.ts',
      'test/imports/{cancel,chunk-count,read-ahead}.test.ts',
      'test/mutation/law.mutation.ts',
    ],
  },
  {
    name: 'contacts',
    files: ['lib/operations/contacts/'],
    tests: [
      'test/operations/{contacts-list*,contacts-upsert,contacts-changes,contact-accounts,expected-version,scan-budget}.test.ts',
      'test/operations/change-unique-id*.test.ts',
    ],
  },
  { name: 'person', files: ['lib/operations/person/'], tests: ['test/operations/person/*.test.ts'] },
  {
    name: 'journeys',
    files: ['lib/operations/journeys/'],
    tests: ['test/operations/{journey*,identity,contacts-upsert}.test.ts'],
  },
  {
    name: 'drop-box',
    files: ['lib/operations/drop-box/'],
    tests: [
      'test/drop-box/{applied,attempts,expected,list,order,pass,receive-once,refused-files,report,room}.test.ts',
      'test/drop-box/{send,state,timeline,work}.test.ts',
    ],
  },
  {
    name: 'clients',
    files: ['audit', 'authenticate-', 'change-client', 'create-', 'issue-token', 'retry', 'revoke-', 'rotate-', 'scan-']
      .concat(['set-client-keys', 'team-files', 'update-team'])
      .map((file) => `lib/operations/${file}`),
    tests: [
      'test/operations/{audit-log,clients,issue-token,retry,rotate-client,scan-budget,teams,token-audit}.test.ts',
      'test/store/clients.test.ts',
      'test/auth/rotation.test.ts',
    ],
  },
  {
    name: 'operations',
    files: ['lib/operations/'],
    tests: [
      'test/operations/{channel-search,contact-accounts,export-content,export-team,fill-lookups}.test.ts',
      'test/operations/{find-contact,find-in-content,import-content,show-channel-content}.test.ts',
      'test/store/content.test.ts',
      'test/http/{channel-*,engagement-channels,templates}.test.ts',
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
