import { type AnyNode, type MemberNode, parse } from '@humanwhocodes/momoa';
import { type ErrorDetail, pointer } from '../../lib/domain/problem.ts';

/**
 * The keys that an object of a JSON document has twice or more, of which `JSON.parse` keeps only the last.
 * @param text well-formed JSON
 */
export const repeatedKeys = (text: string): ErrorDetail[] => repeatedIn(parse(text).body, []);

function repeatedIn(node: AnyNode, path: readonly (string | number)[]): ErrorDetail[] {
  if (node.type === 'Array') return node.elements.flatMap(({ value }, index) => repeatedIn(value, [...path, index]));
  if (node.type !== 'Object') return [];
  return [...membersByName(node.members)].flatMap(([name, members]) => {
    const at = [...path, name];
    const inner = members.flatMap(({ value }) => repeatedIn(value, at));
    return members.length === 1 ? inner : [{ path: pointer(at), message: messageOf(members) }, ...inner];
  });
}

function membersByName(members: readonly MemberNode[]): Map<string, MemberNode[]> {
  const named = new Map<string, MemberNode[]>();
  for (const member of members) {
    const name = member.name.type === 'String' ? member.name.value : member.name.name;
    named.set(name, [...(named.get(name) ?? []), member]);
  }
  return named;
}

function messageOf(members: readonly MemberNode[]): string {
  const lines = [...new Set(members.map(({ loc }) => String(loc.start.line)))];
  const last = lines.pop();
  const where = lines.length === 0 ? `line ${last}` : `lines ${lines.join(', ')} and ${last}`;
  const times = members.length === 2 ? 'twice' : `${members.length} times`;
  return `is written ${times}, in ${where}: only the last is used`;
}
