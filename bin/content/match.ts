/** How objects of a document are recognised among the stored ones (contract, section 6). */

/** What an object is recognised by. Objects of different kinds are never the same. */
export type Traits = {
  kind: string;
  /** Its own id, and others that name it. An object that has one is matched by nothing else. */
  ids: readonly string[];
  /** The first is its title. The others are used only if the title and the content match nothing. */
  titles: readonly string[];
  /** The rest of it, in a comparable form. */
  content: string;
  /** True if there is no text in the content by which it can be recognised. */
  isBare: boolean;
};

/**
 * The index of the stored object that each given object is, or `undefined` for a new one. Objects are matched by id,
 * then by title, then by content, then by their other titles, and only then by place.
 * @param guesses match by index where objects were inserted or removed among those that are left
 */
export function matched(
  given: readonly Traits[],
  stored: readonly Traits[],
  { guesses }: { guesses: boolean },
): (number | undefined)[] {
  const found = given.map(({ ids }) => {
    const index = stored.findIndex((other) => ids.some((id) => other.ids.includes(id)));
    return index === -1 ? undefined : index;
  });
  const taken = new Set(found);
  const isLeft = (at: number) => found[at] === undefined && given[at]!.ids.length === 0;
  const take = (at: number, index: number) => {
    found[at] = index;
    taken.add(index);
  };
  const same: ((one: Traits, other: Traits) => boolean)[] = [
    (one, other) => one.titles[0] === other.titles[0] && one.content === other.content,
    (one, other) => one.titles.length > 0 && one.titles[0] === other.titles[0],
    (one, other) => !one.isBare && one.content === other.content,
    haveCommonTitle,
  ];
  for (const isSame of same) {
    for (const [at, one] of given.entries()) {
      if (!isLeft(at)) continue;
      const index = stored.findIndex(
        (other, place) => !taken.has(place) && one.kind === other.kind && isSame(one, other),
      );
      if (index !== -1) take(at, index);
    }
  }
  for (const kind of new Set(given.map((each) => each.kind))) {
    const left = [...given.keys()].filter((at) => isLeft(at) && given[at]!.kind === kind);
    const others = [...stored.keys()].filter((index) => !taken.has(index) && stored[index]!.kind === kind);
    if (left.length === others.length) for (const [n, at] of left.entries()) take(at, others[n]!);
    else if (guesses) for (const at of left) if (others.includes(at)) take(at, at);
  }
  return found;
}

/** True if nothing but the place says that the two are the same. @param isMoved their places differ too */
export const isAnother = (one: Traits, other: Traits, isMoved: boolean): boolean =>
  !haveCommonTitle(one, other) &&
  (one.content !== other.content || (isMoved && one.isBare && one.titles.length + other.titles.length > 0));

const haveCommonTitle = (one: Traits, other: Traits): boolean =>
  one.titles.some((title) => other.titles.includes(title));
