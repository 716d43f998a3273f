import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import { readDocument } from '../../../lib/content/read.ts';
import { blocksOf, pages } from '../../support/docs/pages.ts';
import { service, type TestService } from '../../support/service/service.ts';
import { notRun } from './not-run.ts';
import { answeredBy, bin, expectToWork, firstLine, isLeftOut, programs, programsFolder } from './runs.ts';

let running: TestService;
beforeAll(async () => {
  running = await service();
});

describe('every code block', () => {
  const all = pages.flatMap((page) => blocksOf(page).map((block) => ({ page, block })));

  test('says what it is, and so what holds it', () => {
    const unheld = all.filter(({ page, block }) => {
      if (block.language === 'json') return block.kind !== 'content' && !answeredBy(page, block);
      // The HTML is the frame that test/browser/channel.test.ts embeds. The Python needs a package of PyPI.
      return !['sh', 'ts', 'text', 'console', 'html', 'python'].includes(block.language);
    });
    expect(unheld.map(({ block }) => `${block.place} (${block.language})`)).toEqual([]);
  });

  test('is run, or stands in the list of those that are not, with the reason', () => {
    const left = all.filter(({ page, block }) => isLeftOut(page)(block));
    const named = left.map(({ page, block }) => `${page}: ${block.language === 'console' ? '*' : firstLine(block)}`);
    const listed = Object.entries(notRun).flatMap(([page, entries]) => entries.map(({ first }) => `${page}: ${first}`));
    expect([...new Set(named)].sort()).toEqual(listed.sort());
  });

  test.each(all.filter(({ block }) => block.kind === 'content'))('$block.place is taken as content', ({ block }) => {
    expect(readDocument(JSON.parse(block.text)).errors).toEqual([]);
  });
});

test('the commands of README.md work, and answer what it says', () => expectToWork('README.md', running), 180_000);

test('the programs in the pages pass the check of types', async () => {
  const folder = await programsFolder(running);
  try {
    const config = { extends: './tsconfig.json', include: programs.map(({ file }) => file) };
    writeFileSync(join(folder.path, 'programs.json'), JSON.stringify(config));
    await promisify(execFile)(bin('tsc'), ['-p', 'programs.json'], { cwd: folder.path });
  } finally {
    folder.remove();
  }
}, 180_000);
