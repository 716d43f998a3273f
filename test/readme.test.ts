import { execFile } from 'node:child_process';
import { existsSync, globSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, inject, test } from 'vitest';
import { projectRoot, read } from './architecture/sources.ts';
import { service } from './support/service.ts';

const readme = read('README.md');

/** The code blocks of a section, in order. */
function blocksUnder(heading: string): { language: string; text: string }[] {
  const section = readme.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
  return [...section.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(([, language, text]) => ({
    language: language!,
    text: text!,
  }));
}

/** Runs the blocks in one shell, as somebody who pastes them would. @returns what each wrote. */
async function paste(blocks: string[], folder: string): Promise<string[]> {
  const mark = '--- next block ---';
  const script = blocks.join(`\necho; echo '${mark}'\n`);
  const { stdout } = await promisify(execFile)('bash', ['-e', '-u', '-c', script], { cwd: folder, timeout: 20_000 });
  return stdout.split(mark);
}

/** `…` in the README stands for whatever the service chose. */
const anything = (_: string, value: unknown) => (value === '…' ? expect.anything() : value);

test('the first steps of the README work when they are pasted, and answer what it says', async () => {
  await service();
  const folder = mkdtempSync(join(tmpdir(), 'onboarding-readme-'));
  symlinkSync(inject('serviceDirectory'), join(folder, '.data'));
  try {
    const blocks = blocksUnder('First steps');
    const outputs = await paste(
      blocks.filter(({ language }) => language === 'sh').map(({ text }) => text),
      folder,
    );
    let step = -1;
    let compared = 0;
    for (const { language, text } of blocks) {
      if (language === 'sh') step++;
      else {
        expect(JSON.parse(outputs[step]!)).toEqual(JSON.parse(text, anything));
        compared++;
      }
    }
    expect(compared).toBe(2);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test.each(['README.md', 'docs'])('every link of %s into the project leads somewhere', (place) => {
  const files = place === 'docs' ? globSync('docs/*.md', { cwd: projectRoot }) : [place];
  const broken = files.flatMap((file) =>
    [...read(file).matchAll(/\]\((?!https?:)([^)#]+)[^)]*\)/g)]
      .map(([, target]) => target!)
      .filter((target) => !existsSync(join(projectRoot, dirname(file), target)))
      .map((target) => `${file}: ${target}`),
  );
  expect(broken).toEqual([]);
});
