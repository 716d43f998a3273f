export type LogLine = { level: string; message: string; route?: string; requestId?: string } & Record<string, unknown>;

/** The lines of a log that the functions wrote, among whatever else is in the text. */
export const logLines = (text: string): LogLine[] =>
  text
    .split('\n')
    .filter((line) => line.startsWith('{"level"'))
    .map((line) => JSON.parse(line));
