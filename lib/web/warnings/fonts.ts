import { isJsonObject } from '../../domain/json.ts';
import type { ErrorDetail } from '../../domain/problem.ts';
import { pathOfNamedFile } from '../../domain/team-file.ts';
import { isFontName } from '../css/theme.ts';
import type { ThemePart } from './contrast.ts';

/** Families that most devices have, or that each device replaces by one of its own. */
export const onDevices: ReadonlySet<string> = new Set([
  ...['arial', 'helvetica', 'helvetica neue', 'verdana', 'tahoma', 'trebuchet ms', 'georgia', 'times'],
  ...['times new roman', 'courier', 'courier new', 'palatino', 'segoe ui', 'roboto'],
  ...['serif', 'sans-serif', 'monospace', 'cursive', 'fantasy', 'system-ui', '-apple-system'],
  ...['ui-serif', 'ui-sans-serif', 'ui-monospace', 'ui-rounded', 'inherit'],
]);

/** Fonts that few devices have, without a file and without another font. @param parts of a theme */
export function fontWarnings(parts: readonly ThemePart[]): ErrorDetail[] {
  const given = parts.flatMap(({ value, path }) => {
    const typography = isJsonObject(value) ? value.typography : undefined;
    return isJsonObject(typography) ? [{ own: typography, path: `${path}/typography` }] : [];
  });
  return ['heading', 'body'].flatMap((use) => {
    const file = `${use}_file_id`;
    if (given.some(({ own }) => pathOfNamedFile(own[file]) !== undefined)) return [];
    const last = given.findLast(({ own }) => isFontName(own[use]) && own[use].trim() !== '');
    const families = String(last?.own[use] ?? '').split(',');
    if (!last || families.some((name) => onDevices.has(name.trim().toLowerCase()))) return [];
    const message = `is shown only on devices that have this font: store its file with \`file put\` and write the id into \`${file}\`, or name another font after it, such as "${families[0]!.trim()}, sans-serif"`;
    return [{ path: `${last.path}/${use}`, message }];
  });
}
