import { tableOf } from '../admin/text.ts';
import type { Rehearsal } from './rehearsal.ts';
import { nothing, type Removal } from './removals.ts';
import type { TemplateChange } from './template.ts';
import { notTried } from './template-rules.ts';

export const isComplete = ({ stages, removals }: Rehearsal): boolean =>
  stages.every(({ isRight }) => isRight) && unexpected(removals).length === 0;

const isFound = ({ found_by }: Removal): boolean => found_by !== undefined;
const isControl = ({ removed }: Removal): boolean => removed === nothing;

/** Removals that no step found, and failures although nothing was removed. */
const unexpected = (removals: readonly Removal[]): Removal[] =>
  removals.filter((each) => isControl(each) === isFound(each));

/** What was left out, what the removals showed, and what was not tried. The stages were printed as they ended. */
export function textOf(rehearsal: Rehearsal): string {
  const { changes, removals, upgrade, stages } = rehearsal;
  const seconds = stages.reduce((sum, each) => sum + each.seconds, 0);
  const failed = stages.filter(({ isRight }) => !isRight).length;
  return [
    `Left out of the copy of the template, or rewritten in it:\n\n${changesText(changes)}`,
    ...(removals.length > 0 ? [removalsText(removals)] : []),
    `Not tried:\n\n${notTried.map((each) => `- ${each}`).join('\n')}`,
    ...('reason' in upgrade ? [`No upgrade was tried: ${upgrade.reason}.`] : []),
    `${stages.length} stages, ${failed} failed, ${Math.round(seconds)} seconds.`,
  ].join('\n\n');
}

const changesText = (changes: readonly TemplateChange[]): string =>
  tableOf(
    ['RESOURCE', 'CHANGE', 'WHY'],
    changes.map(({ resource, type, change, why }) => [`${type} ${resource}`, change, why]),
    'Nothing.',
  );

function removalsText(removals: readonly Removal[]): string {
  const functions = [...new Set(removals.map((each) => each.function))];
  const rows = functions.map((id) => {
    const own = removals.filter((each) => each.function === id && !isControl(each));
    const missed = own.filter((each) => !isFound(each)).map(({ removed }) => removed);
    return [id, String(own.length), String(own.length - missed.length), missed.join(', ')];
  });
  const failures = removals
    .filter((each) => isControl(each) && isFound(each))
    .map((each) => `- ${each.function} FAILED WITH ITS WHOLE POLICY: ${each.found_by}: ${each.reason}`);
  return [
    'Permissions that were removed, one at a time:',
    tableOf(['FUNCTION', 'REMOVED', 'FOUND', 'NOT FOUND'], rows, ''),
    ...(failures.length > 0 ? [failures.join('\n')] : []),
  ].join('\n\n');
}
