/** Red, green and blue, each from 0 to 255. */
export type Color = readonly [number, number, number];

/** Parses `#rgb`, `#rrggbb` and `rgb(r, g, b)`. The contrast of other notations cannot be computed here. */
export function colorOf(text: unknown): Color | undefined {
  if (typeof text !== 'string') return undefined;
  const hex = /^#(?:([0-9a-f])([0-9a-f])([0-9a-f])|([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2}))$/i.exec(text.trim());
  if (hex)
    return channels(
      hex
        .slice(1)
        .filter(Boolean)
        .map((part) => Number.parseInt(part.padEnd(2, part), 16)),
    );
  const rgb = /^rgb\(\s*(\d{1,3})\s*,\s*(\d{1,3})\s*,\s*(\d{1,3})\s*\)$/i.exec(text.trim());
  return rgb ? channels(rgb.slice(1).map(Number)) : undefined;
}

function channels(values: readonly number[]): Color | undefined {
  const [red = 256, green = 256, blue = 256] = values;
  return Math.max(red, green, blue) <= 255 ? [red, green, blue] : undefined;
}

export const hexOf = (color: Color): string =>
  `#${color.map((channel) => Math.round(channel).toString(16).padStart(2, '0')).join('')}`;

export const white: Color = [255, 255, 255];
export const ink: Color = [27, 34, 44];

/** Contrast ratio of WCAG 2.2, from 1 to 21. */
export function contrast(a: Color, b: Color): number {
  const [light, dark] = [luminance(a), luminance(b)].toSorted((x, y) => y - x) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

function luminance(color: Color): number {
  const [red, green, blue] = color.map((channel) => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as unknown as Color;
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

export const mix = (a: Color, b: Color, share: number): Color =>
  a.map((channel, at) => channel + (b[at]! - channel) * share) as unknown as Color;

/** The contrast ratio that text needs (4.5), and a little more because mixed colors are rounded. */
export const legible = 4.6;

/** The color, mixed with white or ink as far as needed for readable text on that background. */
export function legibleOn(color: Color, ground: Color): Color {
  const end = contrast(white, ground) > contrast(ink, ground) ? white : ink;
  for (let share = 0; share < 1; share += 0.1) {
    const mixed = mix(color, end, share);
    if (contrast(mixed, ground) >= legible) return mixed;
  }
  return contrast(end, ground) >= legible ? end : blackOrWhite(ground);
}

/** The same for several backgrounds. Undefined if no color can be read on all of them. */
export function legibleOnAll(color: Color, grounds: readonly [Color, ...Color[]]): Color | undefined {
  const isLegible = (each: Color) => grounds.every((ground) => contrast(each, ground) >= legible);
  const end = contrast(white, grounds[0]) > contrast(ink, grounds[0]) ? white : ink;
  for (let share = 0; share < 1; share += 0.1) {
    const mixed = mix(color, end, share);
    if (isLegible(mixed)) return mixed;
  }
  return [end, blackOrWhite(grounds[0])].find(isLegible);
}

const blackOrWhite = (ground: Color): Color =>
  contrast(white, ground) > contrast([0, 0, 0], ground) ? white : [0, 0, 0];
