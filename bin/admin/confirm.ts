import { createInterface } from 'node:readline/promises';
import { AdminFailure } from './failure.ts';

/** Asks at a terminal; where there is none, whoever runs the command has decided. @throws AdminFailure */
export async function confirm(question: string): Promise<void> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return;
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await terminal.question(`${question} [y/N] `).finally(() => terminal.close());
  if (/^y(?:es)?$/i.test(answer.trim())) return;
  throw new AdminFailure('not_confirmed', [{ path: '--yes', message: 'nothing was done' }]);
}
