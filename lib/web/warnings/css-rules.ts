import type { ChildNode, Container, Declaration, Root } from 'postcss';
import parse from 'postcss/lib/parse';
import { statementsOf } from '../css/text.ts';

/** A rule of a style sheet. `group`: the prelude of the group it is in, such as `@media print`; `''` if it is in none. */
export type CssRule = {
  selectors: readonly string[];
  declarations: readonly Pick<Declaration, 'prop' | 'value' | 'important'>[];
  group: string;
};

/** The style rules of a style sheet. Statements that cannot be parsed have another warning. */
export const rulesOf = (css: string): CssRule[] =>
  statementsOf(css).flatMap((text) => {
    try {
      return rulesIn((parse(text) as Root).nodes, '');
    } catch {
      return [];
    }
  });

const rulesIn = (nodes: readonly ChildNode[], group: string): CssRule[] =>
  nodes.flatMap((node) => {
    if (node.type === 'rule') {
      const declarations = (node.nodes ?? []).filter((each) => each.type === 'decl');
      return [{ selectors: node.selectors, declarations, group }];
    }
    if (node.type !== 'atrule') return [];
    const name = node.name.toLowerCase();
    return name.endsWith('keyframes')
      ? []
      : rulesIn(((node as Container).nodes as ChildNode[]) ?? [], `${group} @${name} ${node.params}`.trim());
  });
