import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { type Plugin, transform } from 'esbuild';

/**
 * Lets esbuild leave out the module-level constants of `lib/` that a function does not use. It keeps most schemas
 * otherwise, because it cannot know that a chain of calls such as `z.string().meta(…)` has no side effects. So creating
 * a constant must not have side effects that other code needs.
 * @param root the folder that contains `lib/`
 * @param options.describesResponses keeps the responses of contracts, which only the OpenAPI document reads
 */
export const withoutUnusedConstants = (root: string, { describesResponses = false } = {}): Plugin => ({
  name: 'unused-constants',
  setup({ onLoad }) {
    onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      if (!path.startsWith(join(root, 'lib'))) return undefined;
      const options = { loader: 'ts', target: 'esnext', sourcemap: 'inline', sourcesContent: false } as const;
      const { code } = await transform(await readFile(path, 'utf8'), { ...options, sourcefile: basename(path) });
      const isContract = path.startsWith(join(root, 'lib/http/contracts'));
      const marked = markedPure(code);
      return { contents: isContract && !describesResponses ? withoutResponses(marked) : marked, loader: 'js' };
    });
  },
});

/** A constant as esbuild prints it: the further lines of a statement are indented or begin with a closing bracket. */
const constants = /^((?:export )?const \w+ = )(.*(?:\n[ \])}].*)*);$/gm;
/**
 * A function, or a value without calls, spreads, property reads and templates. esbuild sees by itself that creating it
 * has no side effects.
 */
const isPlain = /^(?:async )?(?:\w+ => |\([^()]*\) => |function\b|class\b|[^(.`]*$)/;

/** @param code as esbuild prints it */
export function markedPure(code: string): string {
  if (hasTextOfSeveralLines(code)) return code;
  return code.replace(constants, (statement, head: string, value: string) =>
    isPlain.test(value) || /\bawait\b/.test(value) ? statement : `${head}/* @__PURE__ */ (() => ${wrapped(value)})();`,
  );
}

/** The body of an arrow function must not begin with a brace. */
const wrapped = (value: string): string => (value.startsWith('{') ? `(${value})` : value);

/** Such a text can contain lines that look like statements. */
const hasTextOfSeveralLines = (code: string): boolean =>
  code.split('`').some((part, index) => index % 2 === 1 && part.includes('\n'));

/**
 * Keeps the number of lines, for the source map.
 * @param code of contracts, as esbuild prints it
 */
export const withoutResponses = (code: string): string =>
  code.replace(
    /^ {2}responses: \{(?:.*|\n(?: {4}.*\n)* {2})\}(?=,?\n)/gm,
    (responses) => `  responses: {${responses.replaceAll(/[^\n]/g, '')}}`,
  );
