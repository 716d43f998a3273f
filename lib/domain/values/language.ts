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

/** The canonical form of a BCP 47 language tag: `es` for `spa`. `undefined` if the tag is not well-formed. */
export function canonicalLanguage(tag: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(tag)[0];
  } catch {
    return undefined;
  }
}

/**
 * The first wish that is available: the tag itself or a shorter one (RFC 4647, section 3.4), or else another tag of the
 * same language, such as `es-MX` for `es`.
 * @returns the tag as it is written in `available`
 */
export function availableLanguage(available: readonly string[], wishes: readonly string[]): string | undefined {
  const offered = available.flatMap((written) => {
    const tag = canonicalLanguage(written);
    return tag === undefined ? [] : [{ written, tag }];
  });
  for (const wish of wishes.flatMap((each) => canonicalLanguage(each) ?? [])) {
    const found =
      rangesOf(wish).flatMap((range) => offered.find(({ tag }) => tag === range) ?? [])[0] ??
      offered.find(({ tag }) => primary(tag) === primary(wish));
    if (found) return found.written;
  }
  return undefined;
}

/** The tag, then shorter and shorter ones. */
function rangesOf(tag: string): string[] {
  const shorter = tag.replace(/-[^-]*$/, '');
  return shorter === tag ? [tag] : [tag, ...rangesOf(shorter)];
}

const primary = (tag: string): string => tag.split('-')[0]!;
