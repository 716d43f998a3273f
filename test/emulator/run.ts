import { spawn, spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, loopback } from '../../bin/local/ports.ts';
import { projectRoot } from '../architecture/sources.ts';
import { EngineFailure, runOnEngine, type StartedEngine, untilItResponds } from '../support/on-engine.ts';
import { pythonPrograms } from '../support/python.ts';

/**
 * Runs the table of statements on the DynamoDB of ministack, an emulator of AWS. Needs Python 3.10 or newer; the first
 * run installs the emulator into a virtual environment outside the project. Arguments are passed on to vitest in place
 * of the test file.
 */
/** Other listeners of the emulator would accept connections from other computers. */
const noListeners = { IOT_MTLS_ENABLED: '0', SFTP_ENABLED: '0' };
const startMilliseconds = 60_000;

async function start(): Promise<StartedEngine> {
  const python = process.env.PYTHON || 'python3';
  if (spawnSync(python, ['--version'], { stdio: 'ignore' }).status !== 0)
    throw new EngineFailure(`test:emulator needs ${python} in the PATH: the emulator is written in Python.`);
  const programs = pythonPrograms(join(projectRoot, 'test/emulator/requirements.txt'));
  const port = await freePort();
  const settings = { BIND_HOST: loopback, GATEWAY_PORT: String(port), SERVICES: 'dynamodb', ...noListeners };
  const child = spawn(join(programs, 'ministack'), [], {
    cwd: tmpdir(),
    env: { ...process.env, ...settings },
    stdio: ['ignore', 'ignore', 'ignore'],
  });
  const endpoint = `http://${loopback}:${port}`;
  await untilItResponds(child, endpoint, startMilliseconds);
  return { child, endpoint };
}

await runOnEngine(start, ['test/store/statements.test.ts']);
