/** The parts of Babel's syntax tree that the rule below reads. */
type Node = { type: string; name?: string; value?: unknown; property?: Node; callee?: Node };
type Path = { node: Node; listKey?: string; parent?: Node };

/** Functions of schemas whose text argument is a description. */
const describing = new Set(['count', 'deprecated', 'described', 'hidden', 'idOf', 'key', 'list', 'optional', 'typed']);

/**
 * Descriptions and other metadata of schemas are only used for the OpenAPI document. Tests check it in the service,
 * which runs in another process.
 */
function shouldIgnore({ node, listKey, parent }: Path): string | undefined {
  if (node.type === 'StringLiteral' && node.value === 'custom') return 'other codes of issues do not compile';
  if (listKey !== 'arguments' || parent?.type !== 'CallExpression') return undefined;
  const { callee } = parent;
  if (callee?.type === 'MemberExpression' && ['meta', 'describe'].includes(callee.property?.name ?? ''))
    return 'metadata';
  const isText =
    (node.type === 'StringLiteral' && /[A-Z ]/.test(String(node.value))) || node.type === 'TemplateLiteral';
  return isText && describing.has(callee?.name ?? '') ? 'description' : undefined;
}

export const strykerPlugins = [{ kind: 'Ignore', name: 'documentation', value: { shouldIgnore } }];
