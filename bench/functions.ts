import { existsSync, statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Metafile } from 'esbuild';
import { bundle, entryPoints, loadedBy } from '../infra/bundle.ts';
import { type AwsService, awsServices, bundleBaseline } from './functions/baselines.ts';
import { environmentOf, firstRequests, type Service } from './functions/first-requests.ts';
import { type Phase, runOnce } from './functions/process.ts';
import { median, rounded } from './measure.ts';

const rounds = 7;

export type FunctionResult = {
  id: string;
  /** Services of AWS that the function calls. */
  services: AwsService[];
  /** Of the files that it loads when it starts. */
  kilobytes: number;
  /** While a new process loads the bundle. What Lambda itself does before that is not measured. */
  load: Phase;
  /** CPU time beside that of the SDK's clients of the same services, which are bundled alike, if it uses any. */
  to_sdk: number | undefined;
  /** Of a few functions. */
  first_request: Phase | undefined;
};

type Round = { own: Phase; first: Phase; sdk: Phase };

/**
 * Each round loads every bundle once, in a new process, directly after its baseline: on a busy machine the CPU
 * time of the same load changes within seconds. A ratio is the median of the ratios of the rounds. A few functions then
 * handle a request, with the table of the local service.
 */
export async function benchFunctions(service: Service): Promise<FunctionResult[]> {
  const directory = await mkdtemp(join(tmpdir(), 'onboarding-bundles-'));
  try {
    const requests = await firstRequests(service);
    const metafile = await bundle(directory);
    const measured = new Map<string, Round[]>(Object.keys(entryPoints).map((id) => [id, []]));
    for (let round = 0; round < rounds; round++) {
      for (const [id, before] of measured) {
        const { load: sdk } = await runOnce(await baselineOf(directory, servicesOf(metafile, id)));
        const event = requests.get(id);
        const { load: own, first } = await runOnce(join(directory, id, 'index.mjs'), event, environmentOf(service));
        if (event && first.status !== 200) throw new Error(`${id} responded with status ${first.status}`);
        before.push({ sdk, own, first });
      }
    }
    return [...measured].map(([id, each]) => resultOf(metafile, id, each, requests.has(id)));
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** The services that a function calls, by the clients in its bundle. */
function servicesOf(metafile: Metafile, id: string): AwsService[] {
  const modules = loadedBy(metafile, id).atStart.modules.join();
  return awsServices.filter((service) => modules.includes(`/@aws-sdk/client-${service}/`));
}

async function baselineOf(directory: string, services: readonly AwsService[]): Promise<string> {
  const file = join(directory, `baseline-${services.join('-')}.mjs`);
  if (!existsSync(file)) await bundleBaseline(file, services);
  return file;
}

function resultOf(metafile: Metafile, id: string, measured: readonly Round[], isAsked: boolean): FunctionResult {
  const services = servicesOf(metafile, id);
  const bytes = loadedBy(metafile, id).atStart.files.reduce((sum, file) => sum + statSync(file).size, 0);
  const middle = (of: (round: Round) => number) => rounded(median(measured.map(of)));
  const phase = (of: 'own' | 'first'): Phase => ({
    cpu: middle((round) => round[of].cpu),
    wall: middle((round) => round[of].wall),
  });
  return {
    id,
    services,
    kilobytes: Math.round(bytes / 1000),
    load: phase('own'),
    to_sdk: services.length === 0 ? undefined : middle(({ own, sdk }) => own.cpu / sdk.cpu),
    first_request: isAsked ? phase('first') : undefined,
  };
}

export const functionsText = (results: readonly FunctionResult[]): string =>
  [
    'Functions in a new process: module load, beside the clients of the SDK alone, and first request',
    '',
    '| function | services | KB | load: CPU, ms | ms | CPU to SDK | first request: CPU, ms | ms |',
    '|---|---|---:|---:|---:|---:|---:|---:|',
    ...results.map(({ id, services, kilobytes, load, to_sdk: ratio, first_request: first }) => {
      const loading = `${load.cpu} | ${load.wall} | ${ratio?.toFixed(2) ?? ''}`;
      const requested = `${first?.cpu ?? ''} | ${first?.wall ?? ''}`;
      return `| \`${id}\` | ${services.join(', ')} | ${kilobytes} | ${loading} | ${requested} |`;
    }),
  ].join('\n');
