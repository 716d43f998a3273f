import selectorParser, { type Node, type Selector } from 'postcss-selector-parser';
import { isSound, loadsNothing } from './text.ts';

/**
 * The selectors, each confined to elements inside the root. `undefined` if none is left.
 * @param root a selector of the page, not of the campaign
 */
export function confinedSelectors(selectors: string, root: string): string | undefined {
  const confined = selectorParser()
    .astSync(selectors, { lossless: false })
    .nodes.flatMap((selector) => confinedSelector(selector, root) ?? []);
  return confined.length > 0 ? confined.join(',') : undefined;
}

/** `html`, `body` and `:root` at the beginning become the root. */
function confinedSelector(selector: Selector, root: string): string | undefined {
  if (!isPlain(selector)) return undefined;
  const rest = [...selector.nodes];
  let head = root;
  let combinator = ' ';
  while (rest.length > 0) {
    const end = rest.findIndex(({ type }) => type === 'combinator');
    const compound = end === -1 ? rest : rest.slice(0, end);
    if (!compound.some(isRoot)) break;
    const own = compound.filter((node) => !isRoot(node) && node.type !== 'universal');
    if (own.some(({ type }) => type === 'tag')) return undefined;
    head += own.join('');
    rest.splice(0, compound.length);
    combinator = rest.shift()?.toString().trim() || ' ';
    // A sibling of the root is outside the root.
    if (combinator !== ' ' && combinator !== '>') return undefined;
  }
  const confined = rest.length === 0 ? head : `${head}${combinator}${rest.join('')}`;
  return rest[0]?.type === 'combinator' || !isSound(confined) || !loadsNothing(confined) ? undefined : confined;
}

const isRoot = ({ type, value }: Node): boolean =>
  (type === 'tag' && /^(?:html|body)$/i.test(value ?? '')) ||
  (type === 'pseudo' && /^:(?:root|scope|host)$/i.test(value ?? ''));

const combinators: readonly string[] = ['', '>', '+', '~'];

/** True if the selector has no nesting, no comments and only the combinators in `combinators`. */
function isPlain(selector: Selector): boolean {
  let isGood = selector.nodes.length > 0;
  selector.walk((node) => {
    if (node.type === 'nesting' || node.type === 'comment') isGood = false;
    if (node.type === 'combinator' && !combinators.includes(node.value.trim())) isGood = false;
  });
  return isGood;
}
