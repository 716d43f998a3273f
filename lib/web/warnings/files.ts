import { blockKindOf } from '../../domain/content/block-types.ts';
import type { GivenDocument } from '../../domain/content/document.ts';
import type { ErrorDetail } from '../../domain/problem.ts';
import { pathOfNamedFile, type TeamFile } from '../../domain/team-file.ts';
import type { GivenBlock } from './given.ts';

/** The ids of files that pages of the document show, each with its JSON Pointer. */
type ShownFile = { fileId: string; path: string; use: 'image' | 'font' };

/**
 * A warning for each logo, image and font that is not a file of the team, or a file of another kind. Values that cannot
 * be the id of a file have a warning of their own. @param files all files of the team
 */
export function fileWarnings(
  shown: readonly ShownFile[],
  files: readonly Pick<TeamFile, 'file_id' | 'type'>[],
): ErrorDetail[] {
  const types = new Map(files.map(({ file_id, type }) => [file_id, type]));
  return shown
    .filter(({ fileId }) => pathOfNamedFile(fileId) !== undefined)
    .flatMap(({ fileId, path, use }) => {
      const type = types.get(fileId.toLowerCase());
      if (type === undefined)
        return [
          {
            path,
            message:
              'is not the id of a file of the team: store the file with `file put`, and write the id that the command prints',
          },
        ];
      const is = type.startsWith('font/') ? 'font' : 'image';
      return is === use ? [] : [{ path, message: `names a file of the type ${type}: it must be ${kinds[use]}` }];
    });
}

const kinds = { image: 'an image', font: 'a font (WOFF2)' };

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
    ...(logo !== null ? [{ fileId: logo, path: `${path}/logo_file_id`, use: 'image' as const }] : []),
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
  const named = [
    { fileId: icon_file_id, path: `${path}/icon_file_id`, use: 'image' },
    { fileId: heading_file_id, path: `${path}/typography/heading_file_id`, use: 'font' },
    { fileId: body_file_id, path: `${path}/typography/body_file_id`, use: 'font' },
  ] as const;
  return named.flatMap(({ fileId, ...rest }) => (typeof fileId === 'string' ? [{ fileId, ...rest }] : []));
}

const filesOfBlocks = (blocks: readonly GivenBlock[], path: string): ShownFile[] =>
  blocks.flatMap(({ type, data }, index) => {
    const fileId = data?.file_id;
    const isShown = blockKindOf(type) === 'image' && typeof fileId === 'string';
    return isShown ? [{ fileId, path: `${path}/content_blocks/${index}/data/file_id`, use: 'image' }] : [];
  });
