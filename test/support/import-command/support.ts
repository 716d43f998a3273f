import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { vi } from 'vitest';
import { runImportCommand } from '../../../bin/import/command.ts';
import type { Journal } from '../../../bin/import/ledger.ts';
import type { Summary } from '../../../bin/import/summary.ts';
import type { ProxiedRequest } from '../aws/fault-proxy.ts';
import { captured } from '../captured.ts';
import { temporaryDirectory } from '../service/process.ts';
import { service, type TestService, type TestTeam } from '../service/service.ts';

const root = new URL('../../../', import.meta.url).pathname;

export type Outcome = { status: number; stdout: string; stderr: string };

export const environmentOf = (
  { baseUrl }: Pick<TestService, 'baseUrl'>,
  { clientId, clientSecret }: Pick<TestTeam, 'clientId' | 'clientSecret'>,
) => ({
  ONBOARDING_BASE_URL: baseUrl,
  ONBOARDING_CLIENT_ID: clientId,
  ONBOARDING_CLIENT_SECRET: clientSecret,
});

/** A new team, the environment of its importer, and a folder for its files. */
export async function importSetting() {
  const api = await service();
  const team = await api.newTeam();
  return { api, team, environment: environmentOf(api, team), directory: temporaryDirectory() };
}

/** Runs the command in this process, because starting a process takes most of a second. */
export async function importCommand(environment: Record<string, string>, ...args: string[]): Promise<Outcome> {
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
  try {
    return await captured(() => runImportCommand(args));
  } finally {
    vi.unstubAllEnvs();
  }
}

export async function importJson(environment: Record<string, string>, ...args: string[]) {
  const { status, stdout, stderr } = await importCommand(environment, ...args, '--json');
  return { status, stderr, summary: JSON.parse(stdout) as Summary };
}

export type ImporterProcess = { child: ChildProcess; ended: Promise<Outcome> };

/** The importer in its own process, which can be killed. */
export function launchImporter(environment: Record<string, string>, ...args: string[]): ImporterProcess {
  const child = spawn(process.execPath, ['bin/import.ts', ...args, '--json'], {
    cwd: root,
    env: { ...process.env, ...environment },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const written = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream].setEncoding('utf8').on('data', (text: string) => {
      written[stream] += text;
    });
  }
  const ended = once(child, 'close').then(([code]) => ({ status: (code as number | null) ?? -1, ...written }));
  return { child, ended };
}

/** The journal beside the file, if there is one. */
export function journalOf(file: string): Journal | undefined {
  const path = `${file}.import.json`;
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Journal) : undefined;
}

/** What a proxy in front of the service does: it acts before it passes on the nth chunk. */
export function atChunk(n: number, act: () => void): (request: ProxiedRequest) => undefined {
  let sent = 0;
  return ({ method, path }) => {
    if (method === 'POST' && path.startsWith('/v1/') && ++sent === n) act();
    return undefined;
  };
}
