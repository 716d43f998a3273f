import { tableOf } from '../admin/text.ts';
import type { Rehearsal } from './rehearsal.ts';
import type { TemplateChange } from './template.ts';
import { notTried } from './template-rules.ts';

export const isComplete = ({ stages }: Rehearsal): boolean => stages.every(({ isRight }) => isRight);

/** What was left out, and what was not tried. The stages were printed as they ended. */
export function textOf(rehearsal: Rehearsal): string {
  const { changes, upgrade, stages } = rehearsal;
  const seconds = stages.reduce((sum, each) => sum + each.seconds, 0);
  const failed = stages.filter(({ isRight }) => !isRight).length;
  return [
    `Left out of the copy of the template, or rewritten in it:\n\n${changesText(changes)}`,
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
