import { isJsonObject, type JsonObject, type JsonValue } from '../../domain/values/json.ts';
import { type Color, colorOf, contrast, hexOf, ink, legibleOn, legibleOnAll, mix, white } from './color.ts';

/** The colors of a page as custom properties. */
export type Scheme = Readonly<Record<string, string>>;

type Base = { ground: Color; surface: Color; primary: Color; accent: Color; text: Color; fault: Color };

/** The colors by day, from the palette of a campaign. */
export const lightScheme = (palette: JsonObject): Scheme => schemeOf(lightBase(palette));

function lightBase(palette: JsonObject): Base {
  const of = colorIn(palette);
  const primary = of('primary', [31, 78, 121]);
  return {
    ground: of('background', [245, 246, 248]),
    surface: of('surface', white),
    primary,
    accent: of('secondary', primary),
    text: of('text', ink),
    fault: [178, 32, 32],
  };
}

/** The colors by night: the same hues on dark surfaces. The member `dark` of the palette replaces single colors. */
export const darkScheme = (palette: JsonObject): Scheme => schemeOf(darkBase(palette));

function darkBase(palette: JsonObject): Base {
  const light = lightBase(palette);
  const of = colorIn(darkPalette(palette.dark));
  const surface = of('surface', mix([25, 28, 34], light.primary, 0.06));
  const primary = of('primary', distinctOn(light.primary, surface));
  return {
    ground: of('background', mix([14, 16, 20], light.primary, 0.05)),
    surface,
    primary,
    accent: of('secondary', distinctOn(light.accent, surface)),
    text: of('text', [233, 236, 241]),
    fault: [255, 138, 128],
  };
}

export const darkPalette = (value: JsonValue | undefined): JsonObject => (isJsonObject(value) ? value : {});

const colorIn = (palette: JsonObject) => (name: string, otherwise: Color) => colorOf(palette[name]) ?? otherwise;

/** The contrast ratio that WCAG 2.2 asks of parts that are not text. */
const distinct = 3;

/** The color, made lighter as far as needed to be seen on that surface. */
function distinctOn(color: Color, surface: Color): Color {
  for (let share = 0; share < 1; share += 0.1) {
    const mixed = mix(color, white, share);
    if (contrast(mixed, surface) >= distinct) return mixed;
  }
  return white;
}

/** Every text color has a contrast of at least 4.5 on each background that it is used on. */
function schemeOf({ ground, surface, primary, accent, text: given, fault }: Base): Scheme {
  const rounded = (color: Color) => color.map(Math.round) as unknown as Color;
  const [page, sheet, button] = [rounded(ground), rounded(surface), rounded(primary)];
  const tinted = rounded(mix(sheet, button, 0.07));
  const text = legibleOn(given, sheet);
  const onBoth = (color: Color) => legibleOnAll(color, [sheet, tinted]);
  const isTinted = [text, button, fault].every((color) => onBoth(color) !== undefined);
  const on = (color: Color) => (isTinted ? onBoth(color) : undefined) ?? legibleOn(color, sheet);
  return {
    ground: hexOf(page),
    'on-ground': hexOf(legibleOn(given, page)),
    surface: hexOf(sheet),
    text: hexOf(on(text)),
    soft: hexOf(on(mix(text, sheet, 0.35))),
    line: hexOf(mix(sheet, text, 0.14)),
    primary: hexOf(button),
    'on-primary': hexOf(legibleOn(white, button)),
    link: hexOf(on(button)),
    tint: hexOf(isTinted ? tinted : sheet),
    accent: hexOf(accent),
    fault: hexOf(on(fault)),
  };
}
