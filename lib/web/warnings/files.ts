import type { GivenDocument } from '../../domain/content/document.ts';
import type { ErrorDetail } from '../../domain/problem.ts';
import { pathOfNamedFile } from '../../domain/team-file.ts';
import { typeOf } from '../blocks/blocks.ts';
import { image } from '../blocks/texts.ts';
import type { GivenBlock } from './block-data.ts';

/** The ids of files that pages of the document show, each with its JSON Pointer. */
type ShownFile = { fileId: string; path: string };

/** A warning for each logo and image that names no file of the team. @param fileIds of all files of the team */
export function fileWarnings(shown: readonly ShownFile[], fileIds: readonly string[]): ErrorDetail[] {
  const known = new Set(fileIds);
  const unknown = shown.filter(({ fileId }) => !known.has(fileId.toLowerCase()));
  return unknown.map(({ path }) => ({ path, message: 'names no file of the team' }));
}

/** Messages are not included, because no page shows them. */
export const filesShownBy = ({ templates, engagement_channels }: GivenDocument): ShownFile[] => [
  ...engagement_channels.flatMap(({ default_content: content }, index) =>
    filesOfBlocks(content?.content_blocks ?? [], `/engagement_channels/${index}/default_content`),
  ),
  ...templates.flatMap((template, index) => filesOfTemplate(template, `/templates/${index}`)),
];

function filesOfTemplate(template: GivenDocument['templates'][number], path: string): ShownFile[] {
  const { logo_file_id: logo, content_blocks, template_pages } = template;
  return [
    // A logo whose id is no UUID belongs to another system: the specification allows any text.
    ...(logo !== null && pathOfNamedFile(logo) ? [{ fileId: logo, path: `${path}/logo_file_id` }] : []),
    ...themes(template).flatMap(([name, source]) => filesOfTheme(source, `${path}/${name}`)),
    ...filesOfBlocks(content_blocks, path),
    ...template_pages.flatMap(({ page }, index) => {
      const at = `${path}/template_pages/${index}/page`;
      return [
        ...filesOfBlocks(page?.content_blocks ?? [], at),
        ...(page?.content_containers ?? []).flatMap((container, position) =>
          filesOfBlocks(container.content_blocks, `${at}/content_containers/${position}`),
        ),
      ];
    }),
  ];
}

const themes = ({ theme_base, theme, theme_overrides, styles }: GivenDocument['templates'][number]) =>
  Object.entries({ theme_base, theme, theme_overrides, styles, 'styles/overrides': styles?.overrides });

/** The icon and the fonts of an object with parts of a theme. */
function filesOfTheme(source: unknown, path: string): ShownFile[] {
  const { icon_file_id, typography } = (source ?? {}) as { icon_file_id?: unknown; typography?: unknown };
  const { heading_file_id, body_file_id } = (typography ?? {}) as { [name: string]: unknown };
  return [
    { fileId: icon_file_id, path: `${path}/icon_file_id` },
    { fileId: heading_file_id, path: `${path}/typography/heading_file_id` },
    { fileId: body_file_id, path: `${path}/typography/body_file_id` },
  ].flatMap(({ fileId, path: at }) => (typeof fileId === 'string' ? [{ fileId, path: at }] : []));
}

const filesOfBlocks = (blocks: readonly GivenBlock[], path: string): ShownFile[] =>
  blocks.flatMap(({ type, data }, index) => {
    const fileId = data?.file_id;
    const isShown = typeOf(type) === image && typeof fileId === 'string';
    return isShown ? [{ fileId, path: `${path}/content_blocks/${index}/data/file_id` }] : [];
  });
