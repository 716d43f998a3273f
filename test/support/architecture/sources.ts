import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

export const projectRoot = fileURLToPath(new URL('../../..', import.meta.url));

export type Import = {
  /** As written. */
  specifier: string;
  /** The project file that a relative specifier names, from the root; else undefined. */
  file: string | undefined;
  typeOnly: boolean;
  reExport: boolean;
};

export type Source = { file: string; text: string; imports: readonly Import[] };

/** Every TypeScript file under these folders. */
export const sourcesOf = (...folders: string[]): Source[] =>
  globSync(
    folders.map((folder) => `${folder}/**/*.ts`),
    { cwd: projectRoot, exclude: ['**/node_modules/**'] },
  )
    .sort()
    .map((file) => {
      const text = read(file);
      return { file, text, imports: importsOf(file, text) };
    });

export const read = (file: string): string => readFileSync(join(projectRoot, file), 'utf8');

// The project's formatting puts a declaration at the start of its line, which keeps text inside strings out.
const declaration =
  /^(import|export)\s+(type\s+)?(\{[^}]*\}|\*(?:\s+as\s+\w+)?|\w+(?:\s*,\s*(?:\{[^}]*\}|\*\s+as\s+\w+))?)\s+from\s+'([^']+)'/gm;
const sideEffect = /^import\s+'([^']+)'/gm;
const dynamic = /\bimport\(\s*'([\w@./:-]+)'/g;

export function importsOf(file: string, text: string): Import[] {
  const found = (specifier: string, typeOnly: boolean, reExport: boolean): Import => ({
    specifier,
    file: specifier.startsWith('.') ? relative('.', join(dirname(file), specifier)) : undefined,
    typeOnly,
    reExport,
  });
  return [
    ...[...text.matchAll(declaration)].map(([, keyword, type, names, specifier]) =>
      found(specifier!, type !== undefined || isAllTypes(names!), keyword === 'export'),
    ),
    ...[...text.matchAll(sideEffect)].map(([, specifier]) => found(specifier!, false, false)),
    ...[...text.matchAll(dynamic)].map(([, specifier]) => found(specifier!, false, false)),
  ];
}

const isAllTypes = (names: string): boolean =>
  names.startsWith('{') &&
  names
    .slice(1, -1)
    .split(',')
    .map((name) => name.trim())
    .every((name) => name === '' || name.startsWith('type '));

/** The text without comments, for rules that apply only to code. */
export const withoutComments = (text: string): string =>
  text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '$1');

/** The files of the first import cycle. */
export function cycleIn(sources: readonly Source[]): string[] | undefined {
  const byFile = new Map(sources.map((source) => [source.file, source]));
  const finished = new Set<string>();
  const visit = (file: string, path: string[]): string[] | undefined => {
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file];
    if (finished.has(file)) return undefined;
    for (const imported of byFile.get(file)?.imports ?? []) {
      const cycle = imported.file === undefined ? undefined : visit(imported.file, [...path, file]);
      if (cycle) return cycle;
    }
    finished.add(file);
    return undefined;
  };
  for (const { file } of sources) {
    const cycle = visit(file, []);
    if (cycle) return cycle;
  }
  return undefined;
}

/** The values that are spread into the arguments of a call. */
export function spreadArguments(text: string): string[] {
  const code = withoutComments(text).replace(/'(?:[^'\\\n]|\\.)*'/g, "''");
  return [...code.matchAll(/\.\.\./g)].flatMap(({ index }) => {
    const open = openBefore(code, index);
    const isCall = code[open] === '(' && /[\w\])>]$/.test(code.slice(0, open));
    // After the parameters of a function comes its type, its body or an arrow.
    const isDeclaration = /^\s*(?:=>|:|\{)/.test(code.slice(closeAfter(code, open) + 1));
    return isCall && !isDeclaration ? [/^[^,()\n]+/.exec(code.slice(index + 3))?.[0] ?? ''] : [];
  });
}

const openings = '([{';
const closings = ')]}';

/** The position of the bracket that is open at this position. */
function openBefore(code: string, from: number): number {
  let depth = 0;
  for (let at = from - 1; at >= 0; at--) {
    if (closings.includes(code[at]!)) depth++;
    else if (openings.includes(code[at]!) && depth-- === 0) return at;
  }
  return -1;
}

function closeAfter(code: string, open: number): number {
  let depth = 0;
  for (let at = open; at < code.length; at++) {
    if (openings.includes(code[at]!)) depth++;
    else if (closings.includes(code[at]!) && --depth === 0) return at;
  }
  return code.length;
}
