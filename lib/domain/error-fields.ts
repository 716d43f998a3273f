import { Problem } from './problem.ts';

/**
 * The fields of an error in a log line: its name and code, and those of its causes. The message of other errors than
 * Problem is left out, because it can contain stored values. If IAM refused an action, the line has its name.
 */
export function errorFields(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { error: typeof error };
  const { code } = error as { code?: unknown };
  return {
    error: error.name,
    ...(typeof code === 'string' ? { code } : {}),
    ...deniedOf(error),
    ...(error instanceof Problem ? { reason: error.message } : { frames: framesOf(error) }),
    ...(error.cause === undefined ? {} : { cause: errorFields(error.cause) }),
  };
}

/** AWS names the action in this form in the message. */
const deniedAction = /\bnot authorized to perform: ([a-z0-9-]{1,40}:[A-Za-z]{1,60})(?= |$)/;

function deniedOf({ name, message }: Error): { denied?: string } {
  const denied = name.startsWith('AccessDenied') ? deniedAction.exec(message)?.[1] : undefined;
  return denied === undefined ? {} : { denied };
}

/** Removes the message from the stack first, because a line of the message can look like a frame. */
const framesOf = ({ stack = '', message }: Error): string[] =>
  stack
    .replace(message, '')
    .split('\n')
    .filter((line) => line.startsWith('    at '));
