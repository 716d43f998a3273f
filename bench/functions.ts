import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { bundle, entryPoints } from '../infra/bundle.ts';
import { median, rounded } from './measure.ts';

const loads = 5;

export type FunctionResult = { id: string; kilobytes: number; gzip_kilobytes: number; load_ms: number };

/** The size of each function's bundle, and the median time in which a new process loads it. */
export async function benchFunctions(): Promise<FunctionResult[]> {
  const directory = await mkdtemp(join(tmpdir(), 'onboarding-bundles-'));
  try {
    await bundle(directory);
    const results: FunctionResult[] = [];
    for (const id of Object.keys(entryPoints)) results.push(await benchFunction(id, join(directory, id, 'index.mjs')));
    return results;
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

async function benchFunction(id: string, file: string): Promise<FunctionResult> {
  const content = await readFile(file);
  const times: number[] = [];
  for (let n = 0; n < loads; n++) times.push(await loadMilliseconds(file));
  return {
    id,
    kilobytes: Math.round(content.length / 1024),
    gzip_kilobytes: Math.round(gzipSync(content).length / 1024),
    load_ms: rounded(median(times)),
  };
}

async function loadMilliseconds(file: string): Promise<number> {
  const script = `
    const started = performance.now();
    await import(${JSON.stringify(pathToFileURL(file).href)});
    console.log(performance.now() - started);
    process.exit();`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script]);
  return Number(stdout);
}
