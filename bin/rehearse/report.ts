import { tableOf } from '../admin/text.ts';
import { notExercised } from '../smoke/grants.ts';
import type { Rehearsal } from './rehearsal.ts';
import type { Removal } from './removals.ts';
import type { TemplateChange } from './template.ts';
import { notTried } from './template-rules.ts';

export const isComplete = ({ stages, removals }: Rehearsal): boolean =>
  stages.every(({ isRight }) => isRight) && unexplained(removals).length === 0;

/** Removals that no step found, and for which no reason is known. */
const unexplained = (removals: readonly Removal[]): Removal[] =>
  removals.filter((removal) => removal.found_by === undefined && reasonOf(removal) === undefined);

/** Why no step uses the part. */
const reasonOf = ({ function: id, removed }: Removal): string | undefined => {
  const whole = removed.replace('(whole)', '').trim();
  const known = Object.entries(notExercised).find(([part]) => part.startsWith(`${id} ${whole}`));
  return known?.[1];
};

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
    const own = removals.filter((each) => each.function === id);
    const found = own.filter(({ found_by }) => found_by !== undefined);
    const missed = own.filter(({ found_by }) => found_by === undefined).map(({ removed }) => removed);
    return [id, String(own.length), String(found.length), missed.join(', ')];
  });
  const reasons = removals
    .filter(({ found_by }) => found_by === undefined)
    .map((each) => `- ${each.function}, ${each.removed}: ${reasonOf(each) ?? 'NO STEP FOUND IT'}`);
  return [
    'Permissions that were removed, one at a time:',
    tableOf(['FUNCTION', 'REMOVED', 'FOUND', 'NOT FOUND'], rows, ''),
    ...(reasons.length > 0 ? [reasons.join('\n')] : []),
  ].join('\n\n');
}
