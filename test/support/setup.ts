import type { TestProject } from 'vitest/node';
import { type Engine, externalEngine, startEngine } from '../../bin/local/engine.ts';
import { launchService } from './process.ts';

declare module 'vitest' {
  interface ProvidedContext {
    dynamodbEndpoint: string;
    /** Where the shared service writes its `local.json`. */
    serviceDirectory: string;
  }
}

/**
 * One engine and one local service for the whole run. The service comes up while the first tests run; a test that
 * needs it waits for it, so that tests of pure rules pay nothing and do not fail with it.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const foreign = process.env.DYNAMODB_ENDPOINT;
  const engine: Engine = foreign ? externalEngine(foreign) : await startEngine();
  const service = launchService();
  project.provide('dynamodbEndpoint', engine.endpoint);
  project.provide('serviceDirectory', service.directory);
  return async () => {
    await Promise.all([service.stop(), engine.stop()]);
  };
}
