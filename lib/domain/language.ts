/** A language range with its weight (RFC 9110, section 12.5.4). */
const range = /^([a-z]{2,3}(?:-[a-z0-9]{1,8})*)(?:\s*;\s*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?))?$/i;

/** Maximum number of characters of `Accept-Language` that are read. No browser sends a longer header. */
const longest = 1000;

/** The languages that a browser accepts, the preferred one first. */
export function acceptedLanguages(acceptLanguage: string | undefined): string[] {
  const asked = (acceptLanguage ?? '').slice(0, longest).split(',').flatMap(weighted);
  return asked
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight)
    .map(({ tag }) => tag);
}

function weighted(text: string): { tag: string; weight: number }[] {
  const [, tag, weight = '1'] = range.exec(text.trim()) ?? [];
  return tag === undefined ? [] : [{ tag, weight: Number(weight) }];
}

/** The first wish that is available: the tag itself, or else another tag of the same language. */
export function availableLanguage(available: readonly string[], wishes: readonly string[]): string | undefined {
  for (const wish of wishes.map((each) => each.toLowerCase())) {
    const found =
      available.find((tag) => tag.toLowerCase() === wish) ?? available.find((tag) => primary(tag) === primary(wish));
    if (found !== undefined) return found;
  }
  return undefined;
}

const primary = (tag: string): string => tag.toLowerCase().split('-')[0]!;
