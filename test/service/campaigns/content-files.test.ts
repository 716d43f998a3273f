import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { png, putFile } from '../../support/samples/images.ts';
import { adminJson, fileOf } from '../../support/service/admin.ts';
import { temporaryDirectory } from '../../support/service/process.ts';
import { service } from '../../support/service/service.ts';

const api = await service();
const team = await api.newTeam();
// Without these, no message is sent, which is a warning of its own.
const settings = ['--sender', 'welcome@bank.example', '--postal-address', '1 Main Street', '--no-earlier-list'];
await adminJson('team', 'update', '--team', team.teamId, ...settings);
const fileId = (await putFile(team.teamId, png())).value.file_id;

const image = (id: string) => ({ type: 'image', data: { file_id: id, altText: 'A' } });
const channel = randomUUID();
const button = { type: 'button', data: { text: 'Open', url: '{{page_url}}' } };
/** Names the files in every place where a page or a message shows one. */
const documentWith = (id: string) => ({
  engagement_channels: [{ id: channel, name: 'Banner', default_content: { content_blocks: [image(id)] } }],
  templates: [
    {
      ...{ name: 'Welcome', status: 'live', is_cce_enabled: true },
      logo_file_id: id,
      content_blocks: [{ type: 'text', data: { heading: 'A' } }, image(id)],
      template_pages: [
        {
          page: {
            content_blocks: [image(id)],
            content_containers: [{ engagement_channel_id: channel, content_blocks: [image(id)] }],
          },
        },
      ],
      template_messages: [
        {
          send_offset_hours: 1,
          message: { payload: { subject: 'A' }, content_blocks: [image(id), button] },
        },
      ],
    },
  ],
});

const run = (verb: string, document: object, ...args: string[]) =>
  adminJson('content', verb, fileOf(document), '--team', team.teamId, ...args);

test('a file that the team does not have is a warning, wherever a page or a message shows it', async () => {
  const { value } = await run('check', documentWith(randomUUID()));
  const page = '/templates/0/template_pages/0/page';
  expect(value.warnings).toEqual(
    [
      '/engagement_channels/0/default_content/content_blocks/0/data/file_id',
      '/templates/0/logo_file_id',
      '/templates/0/content_blocks/1/data/file_id',
      `${page}/content_blocks/0/data/file_id`,
      `${page}/content_containers/0/content_blocks/0/data/file_id`,
      '/templates/0/template_messages/0/message/content_blocks/0/data/file_id',
    ].map((path) => ({
      path,
      message:
        'is not the id of a file of the team: store the file with `file put`, and write the id that the command prints',
    })),
  );
});

test('a value that is no id of a file is a warning at an image and at a logo', async () => {
  const template = { name: 'Other', logo_file_id: 'bank-logo', content_blocks: [image('bank.png')] };
  const message = 'is not the id of a file: store the file with `file put` and write the id that the command prints';
  const { value } = await run('check', { templates: [{ ...template, template_pages: [{ page: { content: 'A' } }] }] });
  const paths = ['/templates/0/logo_file_id', '/templates/0/content_blocks/0/data/file_id'];
  expect(value.warnings).toEqual(paths.map((path) => ({ path, message })));
});

test('a file of the team is no warning', async () => {
  for (const id of [fileId, fileId.toUpperCase()]) {
    expect((await run('check', documentWith(id))).value.warnings).toEqual([]);
  }
});

test('a file of another kind is a warning', async () => {
  const theme = { typography: { heading_file_id: fileId } };
  const { value } = await run('check', {
    templates: [{ name: 'Font', theme, template_pages: [{ page: { content: 'A' } }] }],
  });
  const message = 'names a file of the type image/png: it must be a font (WOFF2)';
  expect(value.warnings).toEqual([{ path: '/templates/0/theme/typography/heading_file_id', message }]);
});

test('a previewed page loads its images from the service', async () => {
  const preview = await run('preview', documentWith(fileId), '--out', temporaryDirectory());
  const value = readFileSync(preview.value[0].path, 'utf8');
  const url = `${api.baseUrl}/files/${fileId}`;
  expect(value).toContain(`<img class="logo" src="${url}"`);
  expect(value).toContain(`<link rel="icon" href="${url}">`);
  expect(value).toContain(`<img src="${url}"`);
  expect(value).not.toContain('"/files/');
});
