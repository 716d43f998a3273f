import fc from 'fast-check';
import { beforeEach, inject } from 'vitest';
import { needsService } from './scope.ts';

/** Each mutant runs the properties again, so they get less time. Shrinking a counterexample would take the most. */
fc.configureGlobal({ numRuns: 20, seed: 1, endOnFailure: true });

/** Files share a process, so the first failure skips the other tests of the mutant. */
const shared = globalThis as { isKilled?: boolean; hasService?: boolean };

beforeEach(({ skip, onTestFailed }) => {
  if (shared.isKilled) skip();
  onTestFailed(() => {
    shared.isKilled = true;
  });
});

/** The local service in the process of the tests, so that tests that send requests notice mutants too. */
if (needsService() && !shared.hasService) {
  shared.hasService = true;
  const { startLocalService } = await import('../../bin/local/service.ts');
  const { settingsOf } = await import('../../bin/local/settings.ts');
  const environment = {
    DATA_DIR: inject('serviceDirectory'),
    DYNAMODB_ENDPOINT: inject('dynamodbEndpoint'),
    PORT: '0',
  };
  await startLocalService(settingsOf(environment, { memory: true }));
}
