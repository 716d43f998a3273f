import type { Shape } from '../../lib/domain/campaigns/shape.ts';
import type { Template } from '../../lib/domain/campaigns/template.ts';
import { isJsonObject, type JsonValue } from '../../lib/domain/values/json.ts';
import { colorOf, hexOf } from '../../lib/web/css/color.ts';
import { readingOf } from '../warnings/shapes.ts';

/** A value that is not edited in the page, but in a field beside it. */
export type EditableField = { path: string; text: string; label: string; is: Shape['is']; color?: string };

type Declared = { at: RegExp; label: string; shape: Shape; isOfAll?: true };

const text: Shape = { is: 'text' };
const file: Shape = { is: 'file', type: 'image' };
const block = String.raw`^(?:/template_pages/\d+/page)?/content_blocks/\d+/data/(?:.*/)?`;

/** By the path in the template. `isOfAll`: the same on every page. */
const declared: readonly Declared[] = [
  { at: /^\/template_pages\/\d+\/page\/navigation_title$/, label: 'Title of the step', shape: text },
  { at: new RegExp(`${block}(?:file_id|image)$`), label: 'Image', shape: file },
  { at: new RegExp(`${block}dark_file_id$`), label: 'Image in dark colors', shape: file },
  { at: new RegExp(`${block}(?:altText|alt)$`), label: 'Description of the image', shape: text },
  { at: /^\/logo_file_id$/, label: 'Logo', shape: file, isOfAll: true },
  { at: /^\/footer_content(?:\/text)?$/, label: 'Footer', shape: text, isOfAll: true },
  { at: /^\/footer_content\/links\/\d+\/text$/, label: 'Link of the footer', shape: text, isOfAll: true },
  { at: /^\/footer_content\/links\/\d+\/url$/, label: 'URL of the link', shape: { is: 'url' }, isOfAll: true },
  {
    ...{ at: /^\/(?:theme(?:_base|_overrides)?|styles(?:\/overrides)?)\/palette\/(?:dark\/)?\w+$/, label: 'Color' },
    shape: { is: 'setting', form: 'color' },
  },
];

/** @param page the number of the page that is shown. Fields of other pages are left out */
export function fieldAt(path: string, page: number): Declared | undefined {
  const [, of] = /^\/template_pages\/(\d+)\//.exec(path) ?? [];
  return of === undefined || Number(of) === page ? declared.find(({ at }) => at.test(path)) : undefined;
}

const settingAt = (path: string): Declared | undefined => {
  const found = declared.find(({ at }) => at.test(path.replace(/^\/templates\/\d+/, '')));
  return found?.shape.is === 'text' ? undefined : found;
};

/** True if the path in a file is that of a value that is no text. */
export const isSetting = (path: string): boolean => path.startsWith('/templates/') && settingAt(path) !== undefined;

/** Why a page would not use the value. */
export function wrongSetting({ path, text }: { path: string; text: string }): string | undefined {
  const setting = settingAt(path);
  return setting && readingOf(text, setting.shape, path).warnings[0]?.message;
}

/** The colors that the campaign says, those of the dark palette too. */
export const colorsOf = (template: Template, pathOf: (path: string) => string | undefined): EditableField[] =>
  (['theme_base', 'theme', 'theme_overrides', 'styles'] as const).flatMap((name) =>
    textsIn(template[name], `/${name}`).flatMap(({ path, text }) => {
      const [at, found, color] = [pathOf(path), fieldAt(path, -1), colorOf(text)];
      if (at === undefined || found === undefined || color === undefined) return [];
      const label = `${found.label}: ${path.replace(/.*\/palette\//, '').replace('/', ' ')}`;
      return [{ ...{ path: at, text, label, is: found.shape.is }, color: hexOf(color) }];
    }),
  );

const textsIn = (value: JsonValue | undefined, path: string): { path: string; text: string }[] => {
  if (typeof value === 'string') return [{ path, text: value }];
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([name, each]) => textsIn(each, `${path}/${name}`));
};
