import type { GivenDocument } from '../../lib/domain/campaigns/document.ts';
import { pathOfNamedFile, type TeamFile } from '../../lib/domain/teams/team-file.ts';
import { isJsonObject, type JsonValue } from '../../lib/domain/values/json.ts';
import { type ErrorDetail, pointer } from '../../lib/domain/values/problem.ts';
import { warnIf, warning } from './given.ts';

/** Files and products that a document names and that the team does not have. */

/** The id of a file that a document names, with its JSON Pointer. */
type NamedFile = { fileId: string; path: string; use: 'image' | 'font' };

const uses: Readonly<Record<string, NamedFile['use']>> = {
  logo_file_id: 'image',
  icon_file_id: 'image',
  logo_dark_file_id: 'image',
  dark_file_id: 'image',
  file_id: 'image',
  image: 'image',
  heading_file_id: 'font',
  body_file_id: 'font',
};

export const filesShownBy = ({ templates, engagement_channels }: GivenDocument): NamedFile[] =>
  filesIn({ engagement_channels, templates } as unknown as JsonValue);

/** Logos, icons, images and fonts. Values that cannot be the id of a file are left out. */
export function filesIn(value: JsonValue, path = ''): NamedFile[] {
  if (Array.isArray(value)) return value.flatMap((each, index) => filesIn(each, `${path}/${index}`));
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    const at = path + pointer([name]);
    const use = uses[name];
    if (use === undefined || typeof member !== 'string') return filesIn(member, at);
    return pathOfNamedFile(member) === undefined ? [] : [{ fileId: member.toLowerCase(), path: at, use }];
  });
}

/**
 * A warning for each logo, image and font that is not a file of the team, or a file of another kind.
 * @param files all files of the team
 */
export function fileWarnings(
  shown: readonly NamedFile[],
  files: readonly Pick<TeamFile, 'file_id' | 'type'>[],
): ErrorDetail[] {
  const types = new Map(files.map(({ file_id, type }) => [file_id, type]));
  const reason = ({ fileId, use }: NamedFile): string | undefined => {
    const type = types.get(fileId);
    if (type === undefined)
      return 'is not the id of a file of the team: store the file with `file put`, and write the id that the command prints';
    const needed = use === 'font' ? 'a font (WOFF2)' : 'an image';
    const isUsable = type.startsWith('font/') === (use === 'font');
    return isUsable ? undefined : `names a file of the type ${type}: it must be ${needed}`;
  };
  return shown.flatMap((file) => warning(file.path, reason(file)));
}

/** The ids of products that complete pages of the document, each with its JSON Pointer. */
type NamedProduct = { productId: string; path: string };

/** Only for the condition `open`. With another, the fields have no effect, which is another warning. */
export const productsNamedIn = ({ templates }: GivenDocument): NamedProduct[] =>
  templates.flatMap(({ template_pages }, index) =>
    template_pages.flatMap(({ page }, place) => {
      if (page?.completion_condition !== 'open') return [];
      const at = `/templates/${index}/template_pages/${place}/page`;
      const { completion_product_id: id, completion_product_ids: ids } = page;
      return [
        ...(id === null ? [] : [{ productId: id, path: `${at}/completion_product_id` }]),
        ...ids.map((productId, each) => ({ productId, path: `${at}/completion_product_ids/${each}` })),
      ];
    }),
  );

/**
 * A warning for each product that the team does not have. Imports create products, so a team without any is not ready
 * yet. @param products all of the team
 */
export function productWarnings(named: readonly NamedProduct[], products: readonly { id: string }[]): ErrorDetail[] {
  if (products.length === 0) return [];
  const known = new Set(products.map(({ id }) => id.toLowerCase()));
  const message =
    'is not the id of a product of the team, so no account completes the page by it: write the `id` that the `product` of an account has in the API';
  return named.flatMap(({ productId, path }) => warnIf(!known.has(productId.toLowerCase()), path, message));
}
