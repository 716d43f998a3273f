import { existsSync, globSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { projectRoot, read } from '../../support/architecture/sources.ts';
import { pages } from '../../support/docs/pages.ts';

/** The anchor that GitHub creates for a heading: lower case, no punctuation, dashes for spaces. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');
const anchorsOf = (page: string) => [...read(page).matchAll(/^#+ (.+)$/gm)].map(([, heading]) => anchorOf(heading!));

function isBroken(page: string, link: string): boolean {
  const [target = '', anchor] = link.split('#');
  const file = target === '' ? page : join(dirname(page), target);
  if (!existsSync(join(projectRoot, file))) return true;
  return anchor !== undefined && !anchorsOf(file).includes(anchor);
}

describe('the pages', () => {
  test.each(pages)('%s leads nowhere but to what is there', (page) => {
    const links = [...read(page).matchAll(/\]\((?!https?:)([^)]+)\)/g)].map(([, link]) => link!);
    expect(links.filter((link) => isBroken(page, link))).toEqual([]);
  });

  test('are all named by the README', () => {
    const readme = read('README.md');
    const unnamed = globSync('docs/*.md', { cwd: projectRoot }).filter((page) => !readme.includes(`](${page})`));
    expect(unnamed).toEqual([]);
  });
});
