import { readFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import type { Plugin } from 'esbuild';

/**
 * Gets Node's modules by a call instead of an import. An import of a module such as `node:crypto` reads all of its exports,
 * and loads parts of Node that a function does not use: with `node:http`, a second HTTP client. CommonJS packages also
 * get Node's modules from here, because ES modules have no `require`.
 */
export const builtinModules: Plugin = {
  name: 'builtin-modules',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^[a-z_/:]+$/ }, ({ path, kind }) => {
      if (!isBuiltin(path)) return undefined;
      // A file of its own for each would be made. In packages, the call replaces them below.
      if (kind === 'dynamic-import') return { path, external: true };
      return { path, namespace: 'builtin', sideEffects: false };
    });
    onLoad({ filter: /node_modules\/.*(?:node-http-handler|invoke-store)\.js$/ }, async ({ path }) => {
      const source = await readFile(path, 'utf8');
      return { contents: source.replaceAll(/\bimport\((["'])(node:\w+)\1\)/g, 'process.getBuiltinModule("$2")') };
    });
    onLoad({ filter: /.*/, namespace: 'builtin' }, ({ path }) => ({
      contents: `module.exports = process.getBuiltinModule(${JSON.stringify(path)})`,
    }));
  },
};
