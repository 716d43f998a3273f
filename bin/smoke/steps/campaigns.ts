import { image } from '../content.ts';
import { expect } from '../failure.ts';
import type { Step } from '../step.ts';
import type { World } from '../world.ts';

const ofTemplate = ({ content }: World) => ({ params: { id: content.ids.open } });

export const campaignSteps: readonly Step[] = [
  {
    name: 'list the templates',
    function: 'list-templates',
    async run(world) {
      const { body } = await world.api('list-templates');
      expect(body.templates.length === 2, 'the two templates are not listed', 'list-templates');
    },
  },
  {
    name: 'read a template',
    function: 'get-template',
    run: async (world) => void (await world.api('get-template', ofTemplate(world))),
  },
  {
    name: 'list the messages of a template',
    function: 'list-template-messages',
    run: async (world) => void (await world.api('list-template-messages', ofTemplate(world))),
  },
  {
    name: 'list the pages of a template',
    function: 'list-template-pages',
    run: async (world) => void (await world.api('list-template-pages', ofTemplate(world))),
  },
  {
    name: 'list the objectives',
    function: 'list-objectives',
    run: async (world) => void (await world.api('list-objectives')),
  },
  {
    name: 'list the engagement channels',
    function: 'list-engagement-channels',
    run: async (world) => void (await world.api('list-engagement-channels')),
  },
  {
    name: 'show an image',
    function: 'get-file',
    uses: { ReadImages: [] },
    async run(world) {
      const { headers } = await world.call('get-file', { params: { id: world.fileId }, status: 200 });
      const length = headers.get('content-length');
      expect(length === null || Number(length) === image.length, 'another image was sent', 'get-file');
    },
  },
];

const html = 'text/html';

export const documentSteps: readonly Step[] = [
  {
    name: 'read the OpenAPI document',
    function: 'get-openapi',
    run: async (world) => void (await world.call('get-openapi', { status: 200 })),
  },
  {
    name: 'read the metadata of the authorization server',
    function: 'get-oauth-metadata',
    run: async (world) => void (await world.call('get-oauth-metadata', { status: 200 })),
  },
  {
    name: 'read the public signing keys',
    function: 'get-jwks',
    uses: { Query: [] },
    async run(world) {
      const { body } = await world.call('get-jwks', { status: 200 });
      expect(body.keys.length > 0, 'no key is published: has the signing key been rotated once?', 'rotate-signing-key');
    },
  },
  {
    name: 'refuse a path that does not exist',
    function: 'no-route',
    run: async (world) => void (await world.call('no-route', { status: 404 })),
  },
  {
    name: 'show the API reference',
    function: 'get-docs',
    skip: ({ hasDocs }) => (hasDocs ? undefined : 'the setting docs is off'),
    async run(world) {
      const { headers } = await world.call('get-docs', { status: 200 });
      expect(headers.get('content-type')?.startsWith(html), 'the reference is not a page', 'get-docs');
    },
  },
  {
    name: 'read a file of the API reference',
    function: 'get-docs-file',
    skip: ({ hasDocs }) => (hasDocs ? undefined : 'the setting docs is off'),
    async run(world) {
      const { text } = await world.call('get-docs', { status: 200 });
      const file = /\/docs\/(swagger-ui-[\w.-]+\.css)/.exec(text)?.[1];
      expect(file, 'the reference names no style sheet', 'get-docs');
      await world.call('get-docs-file', { params: { file }, status: 200 });
    },
  },
];
