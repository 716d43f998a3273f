import { isJsonObject, isRawNumber, type JsonObject, type JsonValue, numberText } from '../../domain/values/json.ts';

/** The minimum width in pixels of each size of the grid. */
export const breakpoints = { xs: 0, sm: 576, md: 768, lg: 992, xl: 1200 } as const;
export type Size = keyof typeof breakpoints;
export const sizes = Object.keys(breakpoints) as Size[];

/**
 * Converts a style object to CSS, which must still be confined. Strings and numbers are declarations of the root. An
 * object has the declarations for the selector or the grid size in its name.
 */
export function cssOfObject(styles: JsonObject | null | undefined): string {
  const own = declarationsOf(styles ?? {});
  const inner = Object.entries(styles ?? {}).flatMap(([name, value]) => {
    if (!isJsonObject(value)) return [];
    const declarations = declarationsOf(value);
    if (declarations === '') return [];
    if (!isSize(name)) return [`${name}{${declarations}}`];
    return [`@media (min-width:${breakpoints[name]}px){:root{${declarations}}}`];
  });
  return [...(own === '' ? [] : [`:root{${own}}`]), ...inner].join('\n');
}

const isSize = (name: string): name is Size => Object.hasOwn(breakpoints, name);

const declarationsOf = (styles: JsonObject): string =>
  Object.entries(styles)
    .flatMap(([name, value]) => {
      const text = cssValue(name, value);
      return text === undefined ? [] : [`${propertyOf(name)}:${text};`];
    })
    .join('');

const propertyOf = (name: string): string =>
  name.startsWith('--') ? name : name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

const withoutUnit = /^(?:opacity|z-?index|order|flex.*|font-?weight|line-?height|zoom|--.*)$/i;

function cssValue(name: string, value: JsonValue): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value !== 'number' && !isRawNumber(value)) return undefined;
  const text = numberText(value);
  return withoutUnit.test(name) || text === '0' ? text : `${text}px`;
}
