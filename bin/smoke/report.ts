import { tableOf } from '../admin/text.ts';
import type { Cleaned } from './clean-up.ts';
import type { StepResult } from './walk.ts';

export type SmokeReport = {
  base_url: string;
  team_id: string;
  passed: number;
  failed: number;
  skipped: number;
  seconds: number;
  steps: StepResult[];
  clean_up: Cleaned | null;
};

export function reportOf(
  { baseUrl, teamId }: { baseUrl: string; teamId: string },
  steps: StepResult[],
  cleaned: Cleaned | null,
  seconds: number,
): SmokeReport {
  const count = (result: StepResult['result']) => steps.filter((each) => each.result === result).length;
  const [passed, failed, skipped] = [count('passed'), count('failed'), count('skipped')];
  return { base_url: baseUrl, team_id: teamId, passed, failed, skipped, seconds, steps, clean_up: cleaned };
}

export const isRight = ({ failed, clean_up }: SmokeReport): boolean =>
  failed === 0 && (clean_up?.failures.length ?? 0) === 0;

/** A line for each step, then what failed and why, then the summary. */
export function textOf(report: SmokeReport): string {
  const rows = report.steps.map((step) => [step.name, step.function, step.result, timeOf(step)]);
  const table = tableOf(['STEP', 'FUNCTION', 'RESULT', 'MS'], rows, 'There are no steps.');
  return [table, ...report.steps.flatMap(notesOf), summaryOf(report), ...cleanedText(report.clean_up)].join('\n\n');
}

const timeOf = ({ result, milliseconds }: StepResult): string => (result === 'skipped' ? '' : String(milliseconds));

function notesOf({ name, result, reason, failed_function, likely_grants = [], request_id, log }: StepResult): string[] {
  if (result === 'passed') return [];
  if (result === 'skipped') return [`Skipped: ${name}: ${reason}.`];
  return [
    [
      `Failed: ${name}`,
      `  ${reason}`,
      ...(failed_function ? [`  function: ${failed_function}`] : []),
      ...(likely_grants.length > 0 ? [`  if a permission is missing, it is one of: ${likely_grants.join(', ')}`] : []),
      ...(log ? [`  log: ${log}`] : []),
      ...(request_id ? [`  request id: ${request_id}`] : []),
    ].join('\n'),
  ];
}

const summaryOf = ({ passed, failed, skipped, seconds, base_url }: SmokeReport): string =>
  `${passed} steps passed, ${failed} failed, ${skipped} skipped in ${seconds} seconds at ${base_url}.`;

function cleanedText(cleaned: Cleaned | null): string[] {
  if (!cleaned) return [];
  const { contacts_erased, clients_revoked, images_removed, files_removed, failures, remains } = cleaned;
  const removed =
    `Cleaned up: ${contacts_erased} contacts erased, ${clients_revoked} clients revoked, ` +
    `${images_removed} images and ${files_removed} dropped files removed.`;
  return [
    [removed, `What remains: ${remains.join('; ')}.`, ...failures.map((each) => `Not cleaned up: ${each}`)].join('\n'),
  ];
}
