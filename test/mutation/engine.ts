import type { TestProject } from 'vitest/node';
import { startEngine } from '../../bin/local/engine.ts';

/** One engine for each worker of Stryker. There is no local service, because it would run in another process. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const engine = await startEngine();
  project.provide('dynamodbEndpoint', engine.endpoint);
  return engine.stop;
}
