import type { Runtime } from 'node:inspector';
import type { SourceMap } from 'node:module';

/** A part of the code, as the tables and pictures name it. */
export type Part = string;

/** Paths of source files, the first that matches. */
const sources: [RegExp, Part][] = [
  [/(?:^|\/)lib\/store\//, 'ours: store'],
  [/(?:^|\/)lib\/(?:http|runtime|route)/, 'ours: endpoint'],
  [/(?:^|\/)lib\/auth\//, 'ours: tokens'],
  [/(?:^|\/)(?:lib|functions)\//, 'ours: domain and operations'],
  [/node_modules\/zod\//, 'zod'],
  [/node_modules\/@middy\//, 'middy'],
  [/node_modules\/@aws-lambda-powertools\//, 'logger'],
  [/node_modules\/@smithy\/(?:signature-v4|core\/.*checksum)/, 'SDK: signer'],
  [/node_modules\/@smithy\//, 'SDK: HTTP handler'],
  [/node_modules\/@aws\//, 'logger'],
];

const builtins: [RegExp, Part][] = [
  [/crypto/, 'Node: crypto'],
  [/zlib/, 'Node: compression'],
  [/http|net|stream|tls|events|buffer|timers|dns/, 'Node: HTTP and sockets'],
];

/** The part of a frame. Undefined if it belongs to the part that calls it. */
export function partOf({ functionName, url, lineNumber, columnNumber }: Runtime.CallFrame, map: SourceMap) {
  if (functionName === '(garbage collector)') return 'garbage collection';
  if (functionName === '(program)') return 'V8 and the kernel';
  if (url.startsWith('node:')) return builtins.find(([pattern]) => pattern.test(url))?.[1];
  if (!url.endsWith('/index.mjs')) return undefined;
  const entry = map.findEntry(lineNumber, columnNumber);
  const source = 'originalSource' in entry ? entry.originalSource : undefined;
  return source === undefined ? undefined : sources.find(([pattern]) => pattern.test(source))?.[1];
}
