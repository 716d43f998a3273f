import { Problem } from './problem.ts';

/**
 * What a log line says of an error: its name and code, and those of what caused it. Only the reason of a Problem is
 * ours and holds no values; other messages may, and stay out.
 */
export function errorFields(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { error: typeof error };
  const { code } = error as { code?: unknown };
  return {
    error: error.name,
    ...(typeof code === 'string' ? { code } : {}),
    ...(error instanceof Problem ? { reason: error.message } : { frames: framesOf(error) }),
    ...(error.cause === undefined ? {} : { cause: errorFields(error.cause) }),
  };
}

/** The stack begins with the message, of which a line may look like a frame. */
const framesOf = ({ stack = '', message }: Error): string[] =>
  stack
    .replace(message, () => '')
    .split('\n')
    .filter((line) => line.startsWith('    at '));
