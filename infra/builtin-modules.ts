import { isBuiltin } from 'node:module';
import type { Plugin } from 'esbuild';

/**
 * Gets Node's modules by a call instead of an import. An import of a module such as `node:crypto` reads all of its exports,
 * and loads parts of Node that a function does not use. CommonJS packages also get Node's modules from here, because ES
 * modules have no `require`.
 */
export const builtinModules: Plugin = {
  name: 'builtin-modules',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^[a-z_/:]+$/ }, ({ path, kind }) => {
      if (!isBuiltin(path)) return undefined;
      // esbuild would make a file of each, and of what it shares with others.
      if (kind === 'dynamic-import') return { path, external: true };
      return { path, namespace: 'builtin', sideEffects: false };
    });
    onLoad({ filter: /.*/, namespace: 'builtin' }, ({ path }) => ({
      contents: `module.exports = process.getBuiltinModule(${JSON.stringify(path)})`,
    }));
  },
};
