import { expect, test } from 'vitest';
import { filesNamedIn } from '../../bin/content/files.ts';
import { storedDocument } from '../../lib/domain/content/document.ts';
import { noContent } from '../../lib/domain/content/link.ts';
import { id } from '../support/content-documents.ts';

const image = (n: number, file_id: unknown) => ({ id: id(n), type: 'image', data: { file_id } });
const text = { id: id(50), type: 'text' };

test('every file that content names is listed with its place, in lower case', () => {
  const page = {
    id: id(5),
    content_name: 'Start',
    content_blocks: [image(1, 'PAGE'), text, image(2, 7)],
    content_containers: [{ id: id(6), content_blocks: [image(3, 'Container')] }],
  };
  const template = {
    id: id(10),
    name: 'Welcome',
    logo_file_id: 'LOGO',
    theme_base: { icon_file_id: 'Icon', file: 'a', name: 'no_file_id' },
    theme: { typography: { body_file_id: 'Body', heading_file_id: 8 } },
    theme_overrides: { list: [{ a_file_id: 'Listed' }] },
    styles: { typography: { heading_file_id: 'Heading' } },
    content_blocks: [image(4, 'template')],
    template_pages: [{ id: id(11), page }],
    template_messages: [
      { id: id(12), message: { id: id(13), content_name: 'Hello', content_blocks: [image(14, 'MESSAGE')] } },
    ],
  };
  const content = storedDocument.parse({
    templates: [template],
    engagement_channels: [{ id: id(20), name: 'Web', default_content: { content_blocks: [image(21, 'Channel')] } }],
  });
  const place = `the template "Welcome" (${id(10)})`;
  const inPage = `the page "Start" (${id(5)}) of ${place}`;
  expect(filesNamedIn(content)).toEqual([
    { file_id: 'logo', place: `the logo of ${place}` },
    { file_id: 'icon', place: `the theme of ${place}` },
    { file_id: 'body', place: `the theme of ${place}` },
    { file_id: 'listed', place: `the theme of ${place}` },
    { file_id: 'heading', place: `the theme of ${place}` },
    { file_id: 'template', place: `the block ${id(4)} in ${place}` },
    { file_id: 'page', place: `the block ${id(1)} in ${inPage}` },
    { file_id: 'container', place: `the block ${id(3)} in ${inPage}` },
    { file_id: 'message', place: `the block ${id(14)} in the message "Hello" (${id(13)}) of ${place}` },
    { file_id: 'channel', place: `the block ${id(21)} in the default content of the channel "Web" (${id(20)})` },
  ]);
});

test('objects without a name are named by their ids', () => {
  const content = storedDocument.parse({
    templates: [{ id: id(10), logo_file_id: 'a' }],
    engagement_channels: [{ id: id(20), default_content: { content_blocks: [image(21, 'b')] } }],
  });
  expect(filesNamedIn(content).map(({ place }) => place)).toEqual([
    `the logo of the template ${id(10)}`,
    `the block ${id(21)} in the default content of the channel ${id(20)}`,
  ]);
});

test('content without files names none', () => {
  expect(filesNamedIn(noContent)).toEqual([]);
  expect(
    filesNamedIn(storedDocument.parse({ templates: [{ id: id(1) }], engagement_channels: [{ id: id(2) }] })),
  ).toEqual([]);
});
