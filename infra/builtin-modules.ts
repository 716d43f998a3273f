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
    onResolve({ filter: /^[a-z_/:]+$/ }, ({ path }) =>
      isBuiltin(path) ? { path, namespace: 'builtin', sideEffects: false } : undefined,
    );
    onLoad({ filter: /.*/, namespace: 'builtin' }, ({ path }) => ({
      contents: `module.exports = process.getBuiltinModule(${JSON.stringify(path)})`,
    }));
  },
};
