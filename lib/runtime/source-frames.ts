import { existsSync, readFileSync } from 'node:fs';
import { SourceMap, type SourceOrigin } from 'node:module';
import { fileURLToPath } from 'node:url';

/** A stack frame in a file: `async` if it has it, the URL of the file, the line and the column. */
const frameInFile = /^ {4}at (async )?(?:[^(]*\()?(file:\/\/\/[^()\s]+):(\d+):(\d+)\)?$/;

const maps = new Map<string, SourceMap | undefined>();

/**
 * The stack frames with the positions in the source files, for example `at async lib/store/table/requests.ts:42:11`. They are
 * in the source map next to the bundle, which is read at the first error only. Without a map, a frame is not changed.
 */
export const sourceFrames = (frames: readonly string[]): string[] =>
  frames.map((frame) => {
    const [, isAsync = '', url, line, column] = frameInFile.exec(frame) ?? [];
    const origin: Partial<SourceOrigin> = (url && mapOf(url)?.findOrigin(Number(line), Number(column))) || {};
    const { fileName, lineNumber, columnNumber } = origin;
    if (fileName === undefined) return frame;
    return `    at ${isAsync}${fileName.replace(/^(?:\.\.\/)+/, '')}:${lineNumber}:${columnNumber}`;
  });

function mapOf(url: string): SourceMap | undefined {
  if (!maps.has(url)) {
    const file = `${fileURLToPath(url)}.map`;
    maps.set(url, existsSync(file) ? new SourceMap(JSON.parse(readFileSync(file, 'utf8'))) : undefined);
  }
  return maps.get(url);
}
