export type LogLine = { level: string; message: string; route?: string; requestId?: string } & Record<string, unknown>;

/** The log lines of functions in a text that may contain other output. */
export const logLines = (text: string): LogLine[] =>
  text
    .split('\n')
    .filter((line) => line.startsWith('{"level"'))
    .map((line) => JSON.parse(line));
