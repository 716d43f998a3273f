import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { type Engine, externalEngine, startEngine } from '../../bin/local/storage/engine.ts';
import { projectRoot } from './architecture/sources.ts';
import { launchService } from './service/process.ts';
import { ownTemporaryFolder, removeTemporaryFolder } from './temporary-folder.ts';

declare module 'vitest' {
  interface ProvidedContext {
    dynamodbEndpoint: string;
    /** Where the shared service writes its `local.json`. */
    serviceDirectory: string;
  }
}

/**
 * One engine and one local service for the whole run. The service starts while the first tests run, and only tests that
 * need it wait for it. So tests of pure rules are not delayed and do not fail with it.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  // Processes that tests start load compiled code from here: this saves half of their time to start.
  process.env.NODE_COMPILE_CACHE ??= join(projectRoot, 'node_modules/.cache/node');
  const foreign = process.env.DYNAMODB_ENDPOINT;
  const engine: Engine = foreign ? externalEngine(foreign) : await startEngine();
  const folder = ownTemporaryFolder();
  const service = launchService();
  project.provide('dynamodbEndpoint', engine.endpoint);
  project.provide('serviceDirectory', service.directory);
  // A run that is interrupted ends without the function below.
  process.once('exit', () => {
    service.kill('SIGKILL');
    removeTemporaryFolder(folder);
  });
  return async () => {
    await Promise.all([service.stop(), engine.stop()]);
    removeTemporaryFolder(folder);
  };
}
