import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { bundleOptions } from '../../../infra/bundle.ts';
import { sourceFrames } from '../../../lib/runtime/source-frames.ts';
import { temporaryDirectory } from '../../support/service/process.ts';

const source = `export function fail(value: unknown) {
  if (value === 1)
    throw new Error('failed');
}
const failLater = async () => {
  await null;
  fail(1);
};
export const failInside = async () => {
  await failLater();
};
`;

/** A bundle of the source, with its map unless it is left out. */
async function bundled(sourcemap: 'external' | false) {
  const outfile = join(temporaryDirectory(), 'index.mjs');
  const stdin = { contents: source, sourcefile: 'lib/fails.ts', loader: 'ts', resolveDir: '/' } as const;
  await build({ ...bundleOptions, plugins: [], stdin, outfile, sourcemap });
  return pathToFileURL(outfile).href;
}

/** The stack frames of the error, as V8 prints them. */
const framesIn = (url: string, call: string): string[] => {
  const code = `import { fail, failInside } from '${url}'; try { await ${call} } catch ({ stack }) { console.log(stack) }`;
  const stack = execFileSync(process.execPath, ['--input-type=module', '--eval', code], { encoding: 'utf8' });
  return stack.split('\n').filter((line) => line.startsWith('    at '));
};

test('a frame of a bundle has the position in the source file', async () => {
  const url = await bundled('external');
  const own = (frames: readonly string[]) => sourceFrames(frames).filter((frame) => frame.includes('lib/'));
  expect(own(framesIn(url, 'fail(1)'))).toEqual(['    at lib/fails.ts:3:11']);
  const frames = ['    at lib/fails.ts:3:11', '    at lib/fails.ts:7:3', '    at async lib/fails.ts:10:3'];
  expect(own(framesIn(url, 'failInside()'))).toEqual(frames);
});

test('a frame without a map is not changed', async () => {
  const frames = framesIn(await bundled(false), 'fail(1)');
  expect(frames[0]).toMatch(/index\.mjs:\d+:\d+\)$/);
  const others = ['    at async Promise.all (index 0)', '    at TCPConnectWrap.afterConnect (node:net:2021:16)', 'at'];
  expect(sourceFrames([...frames, ...others])).toEqual([...frames, ...others]);
});
