import { existsSync, globSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot, read } from '../architecture/sources.ts';

export type Block = {
  /** `docs/imports.md:12`, for messages. */
  place: string;
  language: string;
  /** The text after the language: `content` in "json content". */
  kind: string;
  text: string;
  /** The number of its section. */
  section: number;
};

export const pages: readonly string[] = [
  'README.md',
  'CHANGELOG.md',
  'SECURITY.md',
  'client/README.md',
  ...globSync('docs/**/*.md', { cwd: projectRoot }),
]
  .filter((page) => existsSync(join(projectRoot, page)))
  .sort();

/** The code blocks of a page, in order. A fence without a language has the language ''. */
export function blocksOf(page: string, markdown = read(page)): Block[] {
  const blocks: Block[] = [];
  let section = 0;
  let open: Block | undefined;
  for (const [index, line] of markdown.split('\n').entries()) {
    const fence = /^\s*```\s*(\S*)\s*(.*?)\s*$/.exec(line);
    if (open && fence) {
      blocks.push(open);
      open = undefined;
    } else if (open) open.text += `${line}\n`;
    else if (fence) {
      open = { place: `${page}:${index + 1}`, language: fence[1]!, kind: fence[2]!, text: '', section };
    } else if (/^#+ /.test(line)) section++;
  }
  if (open) throw new Error(`${open.place} is never closed`);
  return blocks;
}
