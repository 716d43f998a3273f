import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readDocument } from '../../bin/content/read.ts';
import { freePort } from '../../bin/local/ports.ts';
import { projectRoot } from '../architecture/sources.ts';
import { adminJson } from '../support/admin.ts';
import { service, type TestService } from '../support/service.ts';
import { expectAnswer } from './answers.ts';
import { notRun } from './not-run.ts';
import { type Block, blocksOf, pages } from './pages.ts';
import { paste, readersFolder } from './shell.ts';

/** All other pages continue in the shell after the last of these pages. */
const beginnings = ['README.md', 'docs/getting-started.md'];

/** Without the comment after it. */
const firstLine = ({ text }: Block) => text.split('\n', 1)[0]!.replace(/\s+# .*$/, '');
const isLeftOut = (page: string) => (block: Block) =>
  block.language === 'console' || (notRun[page] ?? []).some(({ first }) => first === firstLine(block));
const runOf = (page: string) => blocksOf(page).filter((block) => block.language === 'sh' && !isLeftOut(page)(block));

/** The commands whose output a JSON or text block shows: those before it in its section. */
const answeredBy = (page: string, { language, place, section }: Block): Block | undefined => {
  if (language !== 'json' && language !== 'text') return undefined;
  const blocks = blocksOf(page);
  const before = blocks[blocks.findIndex((block) => block.place === place) - 1];
  return runOf(page).find((block) => block.place === before?.place && block.section === section);
};

let running: TestService;
let folder: Awaited<ReturnType<typeof readersFolder>>;
beforeAll(async () => {
  running = await service();
});

describe('every code block', () => {
  const all = pages.flatMap((page) => blocksOf(page).map((block) => ({ page, block })));

  test('says what it is, and so what holds it', () => {
    const unheld = all.filter(({ page, block }) => {
      if (block.language === 'json') return block.kind !== 'content' && !answeredBy(page, block);
      // The HTML is the frame that test/web/channel.test.ts embeds. The Python needs a package of PyPI.
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

describe('what a page shows as an answer', () => {
  const holds = (language: string, written: string, text: string) => () =>
    expectAnswer(written, { place: '', language, kind: '', text, section: 0 }, 'http://127.0.0.1:4711');

  test.each([
    ['json', '{"a": 1, "b": [2]}', '{"a": 1, "b": "…"}'],
    ['json', '{"a": {"b": 1, "c": 2}}', '{"a": {"b": 1, "…": "…"}}'],
    ['json', '{"a": "http://127.0.0.1:4711/j/x"}', '{"a": "http://127.0.0.1:3000/j/…"}'],
    ['text', '\ntook 7 ms (all)\n', 'took … ms (all)\n'],
  ])('is %s like %s', (language, written, text) => {
    expect(holds(language, written, text)).not.toThrow();
  });

  test.each([
    ['json', '{"a": 1, "b": 2}', '{"a": 1}'],
    ['json', '{"a": 1}', '{"a": 1, "b": "…"}'],
    ['json', '{"a": {"b": 3}}', '{"a": {"b": 1, "…": "…"}}'],
    ['json', '{"a": "http://127.0.0.1:4711/c/x"}', '{"a": "http://127.0.0.1:3000/j/…"}'],
    ['json', 'curl: (7) Failed', '{}'],
    ['text', 'took 7 ms', 'took … s'],
  ])('is not %s like %s', (language, written, text) => {
    expect(holds(language, written, text)).toThrow();
  });
});

describe('when they are pasted, one after another,', () => {
  const beginning = runOf('docs/getting-started.md').slice(0, 2);

  test.each(pages.filter((page) => runOf(page).length > 0))(
    'the commands of %s work, and answer what it says',
    async (page) => {
      const reader = await readersFolder(running);
      try {
        const prelude = beginnings.includes(page) ? [] : beginning;
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
    },
    60_000,
  );
});

describe('the programs in the pages', () => {
  const programs = pages
    .flatMap((page) => blocksOf(page))
    .filter(({ language }) => language === 'ts')
    .map(({ place, kind, text }) => ({ place, kind, text, file: `${place.replaceAll(/\W+/g, '-')}.ts` }));
  const [[receiver], others] = [true, false].map((isReceiver) =>
    programs.filter(({ kind }) => (kind === 'receiver') === isReceiver),
  ) as [typeof programs, typeof programs];

  beforeAll(async () => {
    folder = await readersFolder(running);
    for (const { file, text } of programs) writeFileSync(join(folder.path, file), text);
  });
  afterAll(() => folder.remove());

  const bin = (name: string) => join(projectRoot, 'node_modules/.bin', name);

  test('pass the check of types', async () => {
    const config = { extends: './tsconfig.json', include: programs.map(({ file }) => file) };
    writeFileSync(join(folder.path, 'programs.json'), JSON.stringify(config));
    if (programs.length > 0) await promisify(execFile)(bin('tsc'), ['-p', 'programs.json'], { cwd: folder.path });
  });

  test.each(others)('$place runs', async ({ file }) => {
    const {
      base_url: BASE_URL,
      client_id: CLIENT_ID,
      client_secret: CLIENT_SECRET,
    } = JSON.parse(
      await promisify(execFile)('cat', [join(folder.path, '.data/local.json')]).then(({ stdout }) => stdout),
    );
    const env = { ...process.env, BASE_URL, CLIENT_ID, CLIENT_SECRET };
    await promisify(execFile)(bin('node'), [file], { cwd: folder.path, env, timeout: 15_000 });
  });

  test('the receiver of webhooks accepts those with its secret, and no others', async () => {
    const { local } = running;
    const PORT = String(await freePort());
    const args = ['webhook', 'create', '--team', local.team_id, '--url', `http://127.0.0.1:${PORT}/`];
    const [own, other] = [(await adminJson(...args)).value, (await adminJson(...args)).value];
    const env = { ...process.env, WEBHOOK_SECRET: own.secret, PORT };
    const child = execFile(bin('node'), [receiver!.file], { cwd: folder.path, env });
    try {
      const statusOf = async ({ webhook_id }: { webhook_id: string }) =>
        (await adminJson('webhook', 'test', webhook_id)).value.status;
      while ((await statusOf(own)) === null) await new Promise((resolve) => setTimeout(resolve, 100));
      expect([await statusOf(own), await statusOf(other)]).toEqual([204, 400]);
    } finally {
      child.kill();
      for (const { webhook_id } of [own, other]) await adminJson('webhook', 'remove', webhook_id);
    }
  });
});
