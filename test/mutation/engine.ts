import { rmSync } from 'node:fs';
import type { TestProject } from 'vitest/node';
import { startEngine } from '../../bin/local/engine.ts';
import { temporaryDirectory } from '../support/process.ts';

/** One engine for each worker of Stryker. `setup.ts` starts the service in the process of the tests. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const engine = await startEngine();
  const directory = temporaryDirectory();
  project.provide('dynamodbEndpoint', engine.endpoint);
  project.provide('serviceDirectory', directory);
  return async () => {
    await engine.stop();
    rmSync(directory, { recursive: true, force: true });
  };
}
