import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Metafile } from 'esbuild';
import { bundle, entryPoints, loadedBy } from '../infra/bundle.ts';
import { bundleBaseline, type Service } from './functions/baselines.ts';
import { type Phase, runOnce } from './functions/process.ts';
import { median, rounded } from './measure.ts';

const rounds = 7;

export type FunctionResult = {
  id: string;
  /** Services of AWS that the function calls. */
  services: Service[];
  /** Of the files that it loads when it starts. */
  kilobytes: number;
  gzip_kilobytes: number;
  /** CPU time of the process, user and system, while it loads the bundle, and the time that it takes. */
  load_cpu_ms: number;
  load_ms: number;
  /** CPU time beside that of the SDK's clients of the same services, which are bundled alike, if it uses any. */
  to_sdk: number | undefined;
};

type Round = { own: Phase; sdk: Phase };

/**
 * Each round loads every bundle once, in a new process, directly after its baseline: on a busy machine the CPU
 * time of the same load changes within seconds. A ratio is the median of the ratios of the rounds.
 */
export async function benchFunctions(): Promise<FunctionResult[]> {
  const directory = await mkdtemp(join(tmpdir(), 'onboarding-bundles-'));
  try {
    const metafile = await bundle(directory);
    const functions = Object.keys(entryPoints).map((id) => ({ id, services: servicesOf(metafile, id) }));
    const baselines = new Map<string, string>();
    for (const { id, services } of functions) baselines.set(id, await baselineOf(directory, services));
    const fileOf = (id: string) => join(directory, id, 'index.mjs');
    const measured = new Map<string, Round[]>(functions.map(({ id }) => [id, []]));
    for (let round = 0; round < rounds; round++) {
      for (const { id } of functions) measured.get(id)!.push(await loadWith(baselines.get(id)!, fileOf(id)));
    }
    return await Promise.all(
      functions.map(({ id, services }) => resultOf(metafile, { id, services }, measured.get(id)!)),
    );
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

const services: readonly Service[] = ['dynamodb', 's3', 'secrets-manager', 'sqs'];

/** The services that a function calls, by the clients in its bundle. */
function servicesOf(metafile: Metafile, id: string): Service[] {
  const modules = loadedBy(metafile, id).atStart.modules.join();
  return services.filter((service) => modules.includes(`/@aws-sdk/client-${service}/`));
}

async function baselineOf(directory: string, services: readonly Service[]): Promise<string> {
  const file = join(directory, `baseline-${services.join('-')}.mjs`);
  await bundleBaseline(file, services);
  return file;
}

async function loadWith(baseline: string, file: string): Promise<Round> {
  const { load: sdk } = await runOnce(baseline);
  return { sdk, own: (await runOnce(file)).load };
}

async function resultOf(
  metafile: Metafile,
  { id, services }: Pick<FunctionResult, 'id' | 'services'>,
  measured: readonly Round[],
): Promise<FunctionResult> {
  const { files } = loadedBy(metafile, id).atStart;
  const contents = await Promise.all(files.map((each) => readFile(each)));
  const kilobytes = (sizes: readonly Buffer[]) => Math.round(sizes.reduce((sum, { length }) => sum + length, 0) / 1000);
  const middle = (of: (round: Round) => number) => rounded(median(measured.map(of)));
  return {
    id,
    services,
    kilobytes: kilobytes(contents),
    gzip_kilobytes: kilobytes(contents.map((each) => gzipSync(each))),
    load_cpu_ms: middle(({ own }) => own.cpu),
    load_ms: middle(({ own }) => own.wall),
    to_sdk: services.length === 0 ? undefined : middle(({ own, sdk }) => own.cpu / sdk.cpu),
  };
}

export const functionsText = (results: readonly FunctionResult[]): string =>
  [
    '| function | services | KB | gzip, KB | CPU, ms | ms | CPU to SDK |',
    '|---|---|---:|---:|---:|---:|---:|',
    ...results.map(
      ({ id, services, kilobytes, gzip_kilobytes, load_cpu_ms, load_ms, to_sdk }) =>
        `| \`${id}\` | ${services.join(', ')} | ${kilobytes} | ${gzip_kilobytes} | ${load_cpu_ms} | ${load_ms} | ${to_sdk?.toFixed(2) ?? ''} |`,
    ),
  ].join('\n');
