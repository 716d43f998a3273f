import { readFileSync } from 'node:fs';
import { dirname, relative } from 'node:path';
import type { Stryker } from '@stryker-mutator/core';

type Mutant = Awaited<ReturnType<Stryker['runMutationTest']>>[number];
type Outcome = 'killed' | 'timed out' | 'survived';
type Tested = { file: string; line: number; code: string; outcome: Outcome };

/** Mutants that do not load, and those that are ignored, have no outcome. */
const outcomes: Partial<Record<Mutant['status'], Outcome>> = {
  Killed: 'killed',
  Timeout: 'timed out',
  Survived: 'survived',
  NoCoverage: 'survived',
};

/** A line for each folder and file, then the survivors as they read in the code. */
export function reportOf(mutants: readonly Mutant[]): string {
  const tested = mutants.flatMap(testedOf);
  const rows = [
    ...Map.groupBy(tested, ({ file }) => `${dirname(file)}/`),
    ...Map.groupBy(tested, ({ file }) => file),
  ].map(([name, group]) => `${scoreOf(group)}  ${name}`);
  const survivors = tested.filter(({ outcome }) => outcome === 'survived');
  return [
    ...survivors.map(({ file, line, code }) => `${file}:${line}: ${code}`),
    ' score  killed  timed out  survived',
    ...rows,
  ].join('\n');
}

function testedOf(mutant: Mutant): Tested[] {
  const outcome = outcomes[mutant.status];
  if (!outcome) return [];
  const file = relative('', mutant.fileName);
  const { start, end } = mutant.location;
  const lines = readFileSync(mutant.fileName, 'utf8').split('\n');
  const [first = '', last = ''] = [lines[start.line - 1], lines[end.line - 1]];
  const code = shortened(`${first.slice(0, start.column - 1)}${mutant.replacement}${last.slice(end.column - 1)}`);
  return [{ file, line: start.line, code, outcome }];
}

/** Code as one line: Stryker writes some replacements on several. */
const shortened = (code: string): string => code.trim().replaceAll(/\s+/g, ' ');

/** Timed out mutants count as neither killed nor survived. */
function scoreOf(tested: readonly Tested[]): string {
  const count = (outcome: Outcome) => tested.filter((each) => each.outcome === outcome).length;
  const [killed, survived] = [count('killed'), count('survived')];
  const score = killed + survived === 0 ? 100 : (100 * killed) / (killed + survived);
  const columns = [killed, count('timed out'), survived];
  const widths = [8, 11, 10];
  return `${score.toFixed(1).padStart(6)}${columns.map((value, at) => String(value).padStart(widths[at]!)).join('')}`;
}
