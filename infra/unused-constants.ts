import { readFile } from 'node:fs/promises';
import { type Plugin, transform } from 'esbuild';

/**
 * Lets esbuild leave out the module-level constants that a function does not use. It keeps most schemas otherwise,
 * because it cannot know that a chain of calls such as `z.string().meta(…)` has no side effects. So creating a constant
 * of a module in the folder must not have side effects that other code needs.
 */
export const unusedConstants = (folder: string): Plugin => ({
  name: 'unused-constants',
  setup({ onLoad }) {
    onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      if (!path.startsWith(folder)) return undefined;
      const { code } = await transform(await readFile(path, 'utf8'), { loader: 'ts', target: 'esnext' });
      return { contents: markedPure(code), loader: 'js' };
    });
  },
});

/** A constant in the layout of esbuild: all lines of a statement but the first and the last are indented. */
const constants = /^((?:export )?const \w+ = )(.*(?:\n .*)*(?:\n[\])}].*)?);(?=\n[^\s\])}]|\n?(?![\s\S]))/gm;
const callsNothing = /^(?:async )?(?:\w+ => |\([^()]*\) => |function\b|class\b|[^(]*$)/;

/** @param code as esbuild prints it */
export function markedPure(code: string): string {
  if (hasTextOfSeveralLines(code)) return code;
  return code.replace(constants, (statement, head: string, value: string) =>
    callsNothing.test(value) || /\bawait\b/.test(value)
      ? statement
      : `${head}/* @__PURE__ */ (() => ${wrapped(value)})();`,
  );
}

/** The body of an arrow function must not begin with a brace. */
const wrapped = (value: string): string => (value.startsWith('{') ? `(${value})` : value);

/** Such a text can contain lines that look like statements. */
const hasTextOfSeveralLines = (code: string): boolean =>
  code.split('`').some((part, index) => index % 2 === 1 && part.includes('\n'));
