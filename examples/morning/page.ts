import { evening, morning, prelude, type Step } from './steps.ts';

/** A command and what it printed. */
export type Played = { command: string; output: string };

const introduction = `# A morning of an operator

What the operator of a bank does between seven and eight, played on a local service by \`node examples/morning/run.ts\`. Everything below is the real output of the last run; ids and times differ in each run. Each section does what the [runbook](runbook.md) says. For a deployed service, use the function \`admin\` of the [runbook](runbook.md#prepare-the-terminal) instead of this one:`;

/** Most lines of an output that the page shows. */
const shownLines = 40;

/** The page, from what each step printed. */
export function pageOf(played: ReadonlyMap<Step, readonly Played[]>): string {
  const sections = [evening, ...morning].map((step) => sectionOf(step, played.get(step) ?? []));
  return `${[introduction, block('console', prelude), ...sections].join('\n\n')}\n`;
}

const sectionOf = ({ heading, text }: Step, played: readonly Played[]): string =>
  [
    `## ${heading}`,
    text,
    ...played.flatMap(({ command, output }) => [block('console', command), ...(output ? [shown(output)] : [])]),
  ].join('\n\n');

const block = (language: string, text: string): string => `\`\`\`${language}\n${text}\n\`\`\``;

function shown(output: string): string {
  const lines = output.split('\n');
  const more = lines.length - shownLines;
  return block('text', [...lines.slice(0, shownLines), ...(more > 0 ? [`… ${more} more lines`] : [])].join('\n'));
}
