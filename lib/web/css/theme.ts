import { isJsonObject, type JsonObject, type JsonValue } from '../../domain/json.ts';
import { type Colour, colourOf, hexOf, ink, legibleOn, mix, white } from './colour.ts';

/** An object that can have parts of a theme. Later sources override earlier ones. */
export type ThemeSource = JsonValue | null | undefined;

/**
 * A campaign's colours and fonts as custom properties for the whole page. Only valid values are used, and colours are
 * changed until text is readable. So the values are also safe for the frame around the campaign's content.
 */
export function themeCss(sources: readonly ThemeSource[]): string {
  const parts = sources.filter((source) => isJsonObject(source ?? null)) as JsonObject[];
  const palette = merged(parts, 'palette');
  const typography = merged(parts, 'typography');
  const properties = { ...colours(palette), ...type(typography), ...shape(parts) };
  return `:root{${Object.entries(properties)
    .map(([name, value]) => `--${name}:${value}`)
    .join(';')}}`;
}

const merged = (parts: readonly JsonObject[], name: string): JsonObject =>
  Object.assign({}, ...parts.map((part) => part[name]).filter((value) => isJsonObject(value)));

function colours(palette: JsonObject): Record<string, string> {
  const of = (name: string, otherwise: Colour) => colourOf(palette[name]) ?? otherwise;
  const ground = of('background', [245, 246, 248]);
  const surface = of('surface', white);
  const primary = of('primary', [31, 78, 121]);
  const accent = of('secondary', primary);
  const text = legibleOn(of('text', ink), surface);
  return {
    ground: hexOf(ground),
    'on-ground': hexOf(legibleOn(of('text', ink), ground)),
    surface: hexOf(surface),
    text: hexOf(text),
    soft: hexOf(legibleOn(mix(text, surface, 0.35), surface)),
    line: hexOf(mix(surface, text, 0.14)),
    primary: hexOf(primary),
    'on-primary': hexOf(legibleOn(white, primary)),
    link: hexOf(legibleOn(primary, surface)),
    tint: hexOf(mix(surface, primary, 0.07)),
    accent: hexOf(accent),
    fault: hexOf(legibleOn([178, 32, 32], surface)),
  };
}

function type(typography: JsonObject): Record<string, string> {
  const base = typography.base_size;
  return {
    'heading-font': fontOf(typography.heading),
    'body-font': fontOf(typography.body),
    ...(isBaseSize(base) ? { size: base } : {}),
  };
}

/** The named family, which the device may not have, followed by a fallback. */
function fontOf(value: JsonValue | undefined): string {
  const family = isFontName(value) ? value : undefined;
  const sans = 'system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif';
  const serif = 'Charter,"Iowan Old Style",Georgia,"Times New Roman",serif';
  const fallback = /\bserif\b/i.test(family ?? '') && !/\bsans\b/i.test(family ?? '') ? serif : sans;
  const named = (family ?? '').split(',').map((name) => name.trim());
  return [...named.filter(Boolean).map((name) => `"${name}"`), fallback].join(',');
}

function shape(parts: readonly JsonObject[]): Record<string, string> {
  const radius = parts.map(({ button_radius }) => button_radius).findLast((value) => typeof value === 'string');
  return isRadius(radius) ? { radius } : {};
}

type Setting = JsonValue | undefined;
export const isFontName = (value: Setting): value is string =>
  typeof value === 'string' && /^[\w ,-]{1,80}$/.test(value);
export const isBaseSize = (value: Setting): value is string =>
  typeof value === 'string' && /^(?:1[4-9]|2[0-2])px$/.test(value);
export const isRadius = (value: Setting): value is string => typeof value === 'string' && /^\d{1,2}px$/.test(value);
