import { readFileSync } from 'node:fs';
import { dirname, relative } from 'node:path';
import type { Stryker } from '@stryker-mutator/core';
import { equivalents } from './equivalent.ts';

type Mutant = Awaited<ReturnType<Stryker['runMutationTest']>>[number];
type Outcome = 'killed' | 'timed out' | 'survived' | 'equivalent';
type Tested = { file: string; line: number; mutant: string; outcome: Outcome };

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
  const unknown = unknownEquivalents(tested).map(({ file, mutant }) => `not a survivor: ${file}: ${mutant}`);
  return [
    ...survivors.map(({ file, line, mutant }) => `${file}:${line}: ${mutant}`),
    ...unknown,
    ' score  killed  timed out  survived  equivalent',
    ...rows,
  ].join('\n');
}

function testedOf(mutant: Mutant): Tested[] {
  const known = outcomes[mutant.status];
  if (!known) return [];
  const file = relative('', mutant.fileName);
  const text = mutatedLine(mutant);
  const isEquivalent = known === 'survived' && equivalents.some((each) => each.file === file && each.mutant === text);
  return [{ file, line: mutant.location.start.line, mutant: text, outcome: isEquivalent ? 'equivalent' : known }];
}

/** The first mutated line, as it reads with the mutant. */
function mutatedLine({ fileName, location: { start, end }, replacement }: Mutant): string {
  const lines = readFileSync(fileName, 'utf8').split('\n');
  const before = lines[start.line - 1]?.slice(0, start.column - 1) ?? '';
  const after = lines[end.line - 1]?.slice(end.column - 1) ?? '';
  return `${before}${replacement}${after}`.trim().replaceAll(/\s+/g, ' ');
}

/** Timed out mutants count as neither killed nor survived. */
function scoreOf(tested: readonly Tested[]): string {
  const count = (outcome: Outcome) => tested.filter((each) => each.outcome === outcome).length;
  const [killed, survived] = [count('killed'), count('survived')];
  const score = killed + survived === 0 ? 100 : (100 * killed) / (killed + survived);
  const columns = [killed, count('timed out'), survived, count('equivalent')];
  const widths = [8, 11, 10, 12];
  return `${score.toFixed(1).padStart(6)}${columns.map((value, at) => String(value).padStart(widths[at]!)).join('')}`;
}

const unknownEquivalents = (tested: readonly Tested[]) =>
  equivalents.filter(
    ({ file, mutant }) =>
      tested.some((each) => each.file === file) &&
      !tested.some((each) => each.file === file && each.mutant === mutant && each.outcome === 'equivalent'),
  );
