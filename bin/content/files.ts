import type { StoredBlock, StoredDocument, StoredTemplate } from '../../lib/domain/content/document.ts';
import { blocksOfPage } from './stored-parts.ts';

/** The id of a file that content names, and the place in the content. */
export type NamedFile = { file_id: string; place: string };

/** Every file that the content names: logos of templates and `file_id` of blocks. A shared page counts in each template. */
export const filesNamedIn = ({ templates, engagement_channels }: StoredDocument): NamedFile[] => [
  ...templates.flatMap(filesOfTemplate),
  ...engagement_channels.flatMap(({ id, name, default_content: content }) =>
    content === null
      ? []
      : filesOfBlocks(content.content_blocks, `the default content of the channel ${named(id, name)}`),
  ),
];

function filesOfTemplate(template: StoredTemplate): NamedFile[] {
  const { id, name, logo_file_id, content_blocks, template_pages, template_messages } = template;
  const place = `the template ${named(id, name)}`;
  return [
    ...(logo_file_id === null ? [] : [{ file_id: logo_file_id.toLowerCase(), place: `the logo of ${place}` }]),
    ...filesOfThemes(template, place),
    ...filesOfBlocks(content_blocks, place),
    ...template_pages.flatMap(({ page }) => {
      const at = `the page ${named(page.id, page.content_name)} of ${place}`;
      return filesOfBlocks(blocksOfPage(page), at);
    }),
    ...template_messages.flatMap(({ message }) =>
      filesOfBlocks(message.content_blocks, `the message ${named(message.id, message.content_name)} of ${place}`),
    ),
  ];
}

/** Icons and fonts: every text in a theme whose name ends with `_file_id`. */
function filesOfThemes({ theme_base, theme, theme_overrides, styles }: StoredTemplate, place: string): NamedFile[] {
  const files: string[] = [];
  JSON.stringify([theme_base, theme, theme_overrides, styles], (name, value: unknown) => {
    if (name.endsWith('_file_id') && typeof value === 'string') files.push(value.toLowerCase());
    return value;
  });
  return files.map((file_id) => ({ file_id, place: `the theme of ${place}` }));
}

const filesOfBlocks = (blocks: readonly StoredBlock[], place: string): NamedFile[] =>
  blocks.flatMap(({ id, data }) => {
    const file = data?.file_id;
    return typeof file === 'string' ? [{ file_id: file.toLowerCase(), place: `the block ${id} in ${place}` }] : [];
  });

const named = (id: string, name: string | null): string => (name === null ? id : `"${name}" (${id})`);
