import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { adminProgram } from '../../bin/admin/program.ts';
import { pageOf } from '../../examples/morning/page.ts';
import { evening, morning, prelude } from '../../examples/morning/steps.ts';
import { read } from '../architecture/sources.ts';
import { blocksOf } from './pages.ts';

const page = 'docs/morning.md';
const steps = [evening, ...morning];
const commands = steps.flatMap((step) => step.commands);

/** Without the output, which differs in each run. */
const withoutOutput = (text: string) => text.replaceAll(/```text\n.*?\n```\n\n?/gs, '').trimEnd();

describe('the page of the morning', () => {
  test('has the sections, texts and commands of the script: if this fails, run node examples/morning/run.ts', () => {
    const played = new Map(
      steps.map((step) => [step, step.commands.map((command) => ({ command, output: 'something' }))] as const),
    );
    expect(withoutOutput(read(page))).toBe(withoutOutput(pageOf(played)));
  });

  test('shows the output of each command but those that print nothing', () => {
    const blocks = blocksOf(page).slice(1);
    const silent = blocks.filter(({ language }, at) => language === 'console' && blocks[at + 1]?.language !== 'text');
    for (const { text } of silent) expect(text).toMatch(/ mv | > /);
    for (const { text } of blocks) expect(text).not.toMatch(/cannot be read: |\{"error"|not_found|invalid_arguments/);
  });

  test('shows what the operator must see in each case', () => {
    const text = read(page);
    for (const seen of [
      / accounts +\d\d:\d\d +UTC +missing /,
      /belongs to no team/,
      /300 read, 200 accepted, 100 rejected/,
      /given up after 5 attempts/,
      /Redriven: 1 chunk with 1 record\./,
      /The rest of the file is not read\./,
      /state +failed: An administrator cancelled the import/,
      /contact +nothing was found/,
      /batch cancel .* done .*batch_id=drop-/,
    ]) {
      expect(text).toMatch(seen);
    }
  });
});

describe('the commands of the morning', () => {
  test('are valid in bash', () => {
    const script = [prelude, ...commands].join('\n');
    expect(() => execFileSync('bash', ['-n'], { input: script, stdio: 'pipe' })).not.toThrow();
  });

  test('are verbs of the admin command, with options that they have', async () => {
    const nouns = (await adminProgram()).commands;
    const runs = [prelude, ...commands].flatMap((text) => [...text.matchAll(/admin ([a-z]+) ([a-z-]+)([^)|;]*)/g)]);
    expect(runs.length).toBeGreaterThan(15);
    for (const [, noun, verb, rest] of runs) {
      const command = nouns.find((each) => each.name() === noun)?.commands.find((each) => each.name() === verb);
      const options = command?.options.map(({ long }) => long) ?? [];
      expect([noun, verb, command !== undefined]).toEqual([noun, verb, true]);
      for (const [option] of rest!.matchAll(/--[a-z-]+/g))
        expect([noun, verb, options.includes(option)]).toEqual([noun, verb, true]);
    }
  });
});
