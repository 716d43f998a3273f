import { type Colour, colourOf, mix } from '../css/colour.ts';

/** A color with its opacity, from 0 to 1. */
export type Shade = { colour: Colour; alpha: number };
/** The colors of a background: one, or the stops of a gradient. */
export type Paint = readonly [Shade, ...Shade[]];

/** The words whose contrast is computed, as `#rrggbb`. */
const basicColours: Readonly<Record<string, string>> = {
  ...{ white: '#ffffff', black: '#000000', red: '#ff0000', green: '#008000', blue: '#0000ff', yellow: '#ffff00' },
  ...{ navy: '#000080', gray: '#808080', grey: '#808080', silver: '#c0c0c0', orange: '#ffa500', gold: '#ffd700' },
  ...{ purple: '#800080', teal: '#008080', maroon: '#800000', lightgray: '#d3d3d3', whitesmoke: '#f5f5f5' },
  ...{ darkblue: '#00008b', darkgreen: '#006400', lightblue: '#add8e6', lightyellow: '#ffffe0', pink: '#ffc0cb' },
};

/** The color of a value. `undefined` if it is another notation, whose contrast is not computed. */
export function shadeOf(value: string): Shade | undefined {
  const text = value.trim().toLowerCase();
  if (text === 'transparent') return { colour: [0, 0, 0], alpha: 0 };
  const colour = colourOf(basicColours[text] ?? text);
  if (colour) return { colour, alpha: 1 };
  const [, digits] = /^#([\da-f]{4}|[\da-f]{8})$/.exec(text) ?? [];
  if (digits !== undefined) return ofDigits(digits);
  const [, name, inside = ''] = /^(rgb|hsl)a?\(([^()]*)\)$/.exec(text) ?? [];
  const [a, b, c, alpha = '1', ...rest] = inside.split(/[\s,/]+/).filter(Boolean);
  if (name === undefined || a === undefined || b === undefined || c === undefined || rest.length > 0) return undefined;
  const found = name === 'rgb' ? ofChannels([a, b, c]) : ofHue(a, b, c);
  const opacity = shareOf(alpha, 1);
  return found && opacity !== undefined ? { colour: found, alpha: opacity } : undefined;
}

function ofDigits(digits: string): Shade {
  const pairs = digits.length === 4 ? [...digits].map((digit) => digit + digit) : (digits.match(/../g) ?? []);
  const [red = 0, green = 0, blue = 0, alpha = 0] = pairs.map((pair) => Number.parseInt(pair, 16));
  return { colour: [red, green, blue], alpha: alpha / 255 };
}

function ofChannels(texts: readonly string[]): Colour | undefined {
  const [red, green, blue] = texts.map((text) => shareOf(text, 255));
  if (red === undefined || green === undefined || blue === undefined) return undefined;
  return [red * 255, green * 255, blue * 255];
}

/** The colors of the formula of CSS Color 4 for HSL. */
function ofHue(hueText: string, saturationText: string, lightnessText: string): Colour | undefined {
  const [, degrees] = /^(-?[\d.]+)(?:deg)?$/.exec(hueText) ?? [];
  const saturation = shareOf(saturationText, 100);
  const lightness = shareOf(lightnessText, 100);
  if (degrees === undefined || saturation === undefined || lightness === undefined) return undefined;
  const hue = ((Number(degrees) % 360) + 360) % 360;
  const range = saturation * Math.min(lightness, 1 - lightness);
  const channel = (offset: number) => {
    const place = (offset + hue / 30) % 12;
    return 255 * (lightness - range * Math.max(-1, Math.min(place - 3, 9 - place, 1)));
  };
  return [channel(0), channel(8), channel(4)];
}

/** A number or a percentage as a share of 1. @param whole the number that is the whole */
function shareOf(text: string, whole: number): number | undefined {
  const [, number, percent] = /^([\d.]+)(%?)$/.exec(text) ?? [];
  if (number === undefined || Number.isNaN(Number(number))) return undefined;
  return Math.min(1, Number(number) / (percent ? 100 : whole));
}

type Declaration = { prop: string; value: string };

/**
 * The background of a rule: a color or one gradient, if its color can be computed. `unknown` for all other backgrounds,
 * `undefined` if the rule has none.
 */
export function groundOf(declarations: readonly Declaration[]): Paint | 'unknown' | undefined {
  let color: string | undefined;
  let image: string | undefined;
  const own = declarations.filter(({ prop }) => /^background(?:-color|-image)?$/i.test(prop));
  for (const { prop, value } of own) {
    const name = prop.toLowerCase();
    if (name === 'background') ({ color, image } = partsOf(value));
    if (name === 'background-color') color = value;
    if (name === 'background-image') image = value.trim().toLowerCase() === 'none' ? undefined : value;
  }
  if (color === undefined && image === undefined) return own.length === 0 ? undefined : 'unknown';
  const under = color === undefined ? undefined : shadeOf(color);
  if (color !== undefined && !under) return 'unknown';
  if (image === undefined) return under ? [under] : 'unknown';
  const stops = stopsOf(image);
  if (!stops) return 'unknown';
  return under ? (stops.map((stop) => over(stop, under)) as unknown as Paint) : stops;
}

const gradient = /^(?:repeating-)?(?:linear|radial|conic)-gradient\((.*)\)$/is;

/** The color and the image of the shorthand. A color beside other words is one that is not known. */
function partsOf(value: string): { color: string | undefined; image: string | undefined } {
  const words = split(value.trim(), /\s/);
  const images = words.filter((each) => gradient.test(each));
  const others = words.filter((each) => !gradient.test(each) && !/^none$/i.test(each));
  return {
    color: others.length === 0 ? undefined : others.join(' '),
    image: images.length === 0 ? undefined : images.join(' '),
  };
}

/** The colors of one gradient. `undefined` if it is more than that, or one of them is not known. */
function stopsOf(image: string): Paint | undefined {
  const [, inside] = gradient.exec(image.trim()) ?? [];
  if (inside === undefined) return undefined;
  const [first = '', ...rest] = split(inside, /,/).map((each) => each.trim());
  const isDirection = /^(?:to\s|from\s|at\s|circle|ellipse|closest|farthest|-?[\d.]+(?:deg|g?rad|turn))/i.test(first);
  const colors = (isDirection ? rest : [first, ...rest]).filter((each) => !/^[\d.]+(?:%|[a-z]+)$/i.test(each));
  const shades = colors.map((each) => shadeOf(each.replace(/(?:\s+-?[\d.]+(?:%|[a-z]+)?){1,2}$/i, '')));
  return shades.length > 0 && shades.every((each) => each !== undefined) ? (shades as unknown as Paint) : undefined;
}

/** Splits at characters that are not inside brackets. */
function split(text: string, at: RegExp): string[] {
  const parts = [''];
  let depth = 0;
  for (const character of text) {
    if (character === '(') depth++;
    if (character === ')') depth--;
    if (depth === 0 && at.test(character)) parts.push('');
    else parts[parts.length - 1] += character;
  }
  return parts.filter((each) => each.trim() !== '');
}

/** A color with what is behind it. */
export function over(front: Shade, behind: Shade): Shade {
  const alpha = front.alpha + behind.alpha * (1 - front.alpha);
  if (alpha === 0) return front;
  return { colour: mix(behind.colour, front.colour, front.alpha / alpha), alpha };
}
