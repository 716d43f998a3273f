import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { loopback } from '../local/ports.ts';
import { CannotRun, must, stopGroup } from './processes.ts';

/** The emulator and what it needs for signatures, in exact versions. */
const packages = ['ministack==1.5.33', 'cryptography==50.0.2'] as const;
export const emulatorName = packages[0].replace('==', ' ');

const check = 'import sys, venv; assert sys.version_info >= (3, 10), sys.version';

/**
 * The Python of a virtual environment with the emulator. It is made once, in the cache folder of the user.
 * @throws CannotRun if there is no Python, or the packages cannot be installed
 */
export async function emulatorPython(say: (text: string) => void): Promise<string> {
  const cache = process.env.XDG_CACHE_HOME || join(homedir(), '.cache');
  const folder = join(cache, 'onboarding-rehearsal', packages.join('-').replaceAll('==', '-'));
  const python = join(folder, 'bin', 'python');
  const done = join(folder, 'complete');
  if (existsSync(done)) return python;
  const system = process.env.PYTHON || 'python3';
  await must(`The search for Python 3.10 or newer with venv (${system})`, system, ['-c', check]);
  say(`Installing ${packages.join(' and ')} in ${folder}`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  await must('Making a virtual environment', system, ['-m', 'venv', folder]);
  await must('Installing the emulator', python, ['-m', 'pip', 'install', '--quiet', ...packages]);
  writeFileSync(done, '');
  return python;
}

const launcher = fileURLToPath(new URL('emulator.py', import.meta.url));
const startMilliseconds = 30_000;

/** While the folder has this file, each part of a policy is removed from one request. */
export const removalFile = 'remove-grants';

export type Emulator = { endpoint: string; stop(): Promise<void> };

/**
 * Starts the emulator on the loopback interface. Its state is in the folder, so that it can be started there again.
 * @param enforcesRoles checks every request of a function against the policy of its role
 */
export async function startEmulator(
  python: string,
  folder: string,
  { port, enforcesRoles }: { port: number; enforcesRoles: boolean },
): Promise<Emulator> {
  const endpoint = `http://${loopback}:${port}`;
  const [state, objects] = [join(folder, 'state'), join(folder, 'objects')];
  for (const each of [state, objects]) mkdirSync(each, { recursive: true });
  const log = join(folder, 'emulator.log');
  const output = openSync(log, 'a');
  const child = spawn(python, [launcher], {
    detached: true,
    stdio: ['ignore', output, output],
    env: {
      // The functions run as processes of the same Node as this one.
      PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
      HOME: folder,
      TMPDIR: folder,
      BIND_HOST: loopback,
      GATEWAY_PORT: String(port),
      LAMBDA_EXECUTOR: 'local',
      AWS_ENDPOINT_URL: endpoint,
      AWS_ENDPOINT_URL_S3: endpoint,
      ...{ PERSIST_STATE: '1', STATE_DIR: state, S3_PERSIST: '1', S3_DATA_DIR: objects },
      // Servers of other services, which would listen on all interfaces.
      ...{ IOT_MTLS_ENABLED: '0', SFTP_ENABLED: '0' },
      AUTH: String(enforcesRoles),
      GRANTS: join(folder, 'grants.json'),
      REMOVE_GRANTS: join(folder, removalFile),
    },
  });
  const stop = () => stopGroup(child);
  try {
    await whenReady(endpoint, child, log);
    return { endpoint, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function whenReady(endpoint: string, child: ChildProcess, log: string): Promise<void> {
  for (const end = Date.now() + startMilliseconds; Date.now() < end; await sleep(100)) {
    if (child.exitCode !== null) break;
    const response = await fetch(`${endpoint}/_ministack/health`).catch(() => undefined);
    if (response?.ok) return;
  }
  throw new CannotRun(`The emulator did not start:\n${readFileSync(log, 'utf8').slice(-2000)}`);
}

/** Makes the AWS clients and the CDK of this process use the emulator, as the root user of its account. */
export function useEmulator({ endpoint }: Emulator): void {
  for (const name of Object.keys(process.env)) if (name.startsWith('AWS_')) delete process.env[name];
  Object.assign(process.env, {
    AWS_ENDPOINT_URL: endpoint,
    AWS_ENDPOINT_URL_S3: endpoint,
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
    AWS_REGION: 'us-east-1',
    AWS_DEFAULT_REGION: 'us-east-1',
    AWS_EC2_METADATA_DISABLED: 'true',
  });
}
