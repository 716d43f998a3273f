/** An exported function and the expression that replaces its result. */
export type Operation = { name: string; isAsync: boolean; value: string };

const exported = /^export (?:(async )?function(\*?) (\w+)|const (\w+) = (async )?(?=[(<]))/gm;

/** The functions that a source exports. Classes and constants are not operations. */
export function operationsIn(source: string): Operation[] {
  return [...source.matchAll(exported)].map(
    ({ 0: start, 1: async, 2: star, 3: declared, 4: assigned, 5: arrow, index }) => {
      const type = resultType(source.slice(index + start.length));
      const isPromise = type.startsWith('Promise<') || (type === '' && !star && Boolean(async ?? arrow));
      return { name: (declared ?? assigned)!, isAsync: isPromise, value: emptyOf(type) };
    },
  );
}

/** The declared type of the result, from the text that begins with the parameters; empty if none is declared. */
function resultType(text: string): string {
  let depth = 0;
  let end = text.indexOf('(');
  do {
    if (text[end] === '(') depth++;
    if (text[end] === ')') depth--;
    end++;
  } while (depth > 0);
  return /^: (.*?)\s*(?:=>|\{\n)/s.exec(text.slice(end))?.[1] ?? '';
}

function emptyOf(declared: string): string {
  const type = declared.replace(/^Promise<(.*)>$/s, '$1');
  if (type === '' || /\b(void|undefined)$/.test(type)) return 'undefined';
  if (type.startsWith('AsyncGenerator<')) return '(async function* () {})()';
  if (type.endsWith('[]') || type.startsWith('Array<')) return '[]';
  const [, collection] = /^(?:Readonly)?(Map|Set)</.exec(type) ?? [];
  if (collection) return `new ${collection}()`;
  return { boolean: 'false', number: '0', string: "''" }[type] ?? '{}';
}

/** The source with these operations replaced by functions that do nothing. Calls inside the source remain as they are. */
export function emptied(source: string, operations: readonly Operation[]): string {
  const names = new Set(operations.map(({ name }) => name));
  const hidden = source.replace(exported, (start, ...groups) =>
    names.has(groups[2] ?? groups[3]) ? start.replace('export ', '') : start,
  );
  const stubs = operations.map(
    ({ name, isAsync, value }) => `const emptied_${name} = ${isAsync ? 'async ' : ''}() => (${value});
export { emptied_${name} as ${name} };`,
  );
  return [hidden, ...stubs].join('\n');
}
