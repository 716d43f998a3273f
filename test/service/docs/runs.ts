import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../support/architecture/sources.ts';
import { type Block, blocksOf, pages } from '../../support/docs/pages.ts';
import type { TestService } from '../../support/service/service.ts';
import { expectAnswer } from './answers.ts';
import { notRun } from './not-run.ts';
import { paste, readersFolder } from './shell.ts';

/** All other pages continue in the shell after the last of these pages. */
const beginnings = ['README.md', 'docs/getting-started.md'];

/** Without the comment after it. */
export const firstLine = ({ text }: Block) => text.split('\n', 1)[0]!.replace(/\s+# .*$/, '');
export const isLeftOut = (page: string) => (block: Block) =>
  block.language === 'console' || (notRun[page] ?? []).some(({ first }) => first === firstLine(block));
export const runOf = (page: string) =>
  blocksOf(page).filter((block) => block.language === 'sh' && !isLeftOut(page)(block));

/** The commands whose output a JSON or text block shows: those before it in its section. */
export const answeredBy = (page: string, { language, place, section }: Block): Block | undefined => {
  if (language !== 'json' && language !== 'text') return undefined;
  const blocks = blocksOf(page);
  const before = blocks[blocks.findIndex((block) => block.place === place) - 1];
  return runOf(page).find((block) => block.place === before?.place && block.section === section);
};

const beginning = () => runOf('docs/getting-started.md').slice(0, 2);

/** Runs the commands of a page in a folder like that of a reader. They must print what the page says. */
export async function expectToWork(page: string, running: TestService): Promise<void> {
  const reader = await readersFolder(running);
  try {
    const prelude = beginnings.includes(page) ? [] : beginning();
    // The guide asks the reader to write its first document to this file.
    const [first] = blocksOf(page).filter(({ kind }) => kind === 'content');
    if (page === 'docs/campaigns.md') writeFileSync(join(reader.path, 'campaign.json'), first!.text);
    const commands = [...prelude, ...runOf(page)];
    const outputs = await paste(commands, reader.path);
    for (const block of blocksOf(page)) {
      const asked = answeredBy(page, block)?.place;
      if (asked) expectAnswer(outputs[commands.findIndex(({ place }) => place === asked)]!, block, running.baseUrl);
    }
  } finally {
    reader.remove();
  }
}

/** The TypeScript programs of all pages, with names for their files. */
export const programs = pages
  .flatMap((page) => blocksOf(page))
  .filter(({ language }) => language === 'ts')
  .map(({ place, kind, text }) => ({ place, kind, text, file: `${place.replaceAll(/\W+/g, '-')}.ts` }));

/** A folder like that of a reader, with the programs. */
export async function programsFolder(running: TestService): ReturnType<typeof readersFolder> {
  const folder = await readersFolder(running);
  for (const { file, text } of programs) writeFileSync(join(folder.path, file), text);
  return folder;
}

export const bin = (name: string): string => join(projectRoot, 'node_modules/.bin', name);
