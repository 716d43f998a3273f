import { randomUUID } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { contentJsonSchema } from '../../../bin/content/document-schema.ts';
import { loadStoredContent } from '../../../lib/store/campaigns/content.ts';
import { projectRoot } from '../../support/architecture/sources.ts';
import { putContent } from '../../support/operations/content.ts';
import { png, putFile } from '../../support/samples/images.ts';
import { admin, adminJson, fileOf } from '../../support/service/admin.ts';
import { temporaryDirectory } from '../../support/service/process.ts';
import { service } from '../../support/service/service.ts';

const sample = join(projectRoot, 'examples/campaigns.json');
const counts = (created: number, unchanged = 0) => ({ created, updated: 0, unchanged });

const api = await service();
const team = await api.newTeam();
const folder = temporaryDirectory();

const revisionOf = async (teamId: string) => (await loadStoredContent(api.database, teamId)).revision;

/** Accepted, with two things that a page cannot show. */
const doubtful = () => ({
  templates: [{ name: 'Doubtful', language: 'fi', template_pages: [{ page: { content: 'A', colour: 'red' } }] }],
});
const warnings = [
  { path: '/templates/0/template_pages/0/page/colour', message: 'is not a known field and is ignored' },
  {
    path: '/templates/0/language',
    message: 'is a language for which the service has no words: buttons and notices of the pages are in English',
  },
];

describe('content export --template', () => {
  const block = (file_id: string) => ({ type: 'image', data: { file_id, altText: 'A house' } });
  const [used, unused, channel, other] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
  const page = (objective_id: string, engagement_channel_id: string, file_id: string) => ({
    content_name: 'Hello',
    objective_id,
    completion_condition: 'objective',
    content_blocks: [block(file_id)],
    content_containers: [{ engagement_channel_id, content_blocks: [{ type: 'text', data: { body: 'Hi' } }] }],
  });

  test('goes from stage to stage with its objectives, its channels and its images', async () => {
    const [{ teamId }, next] = [await api.newTeam(), await api.newTeam()];
    const { file_id } = (await putFile(teamId, png('campaign'))).value;
    await putContent(api.database, teamId, {
      objectives: [
        { id: used, key: 'used' },
        { id: unused, key: 'unused' },
      ],
      engagement_channels: [
        { id: channel, name: 'Site' },
        { id: other, name: 'App' },
      ],
      templates: [
        {
          name: 'Welcome',
          status: 'live',
          is_cce_enabled: true,
          template_pages: [{ page: page(used, channel, file_id) }],
        },
        { name: 'Other', template_pages: [{ page: page(unused, other, file_id) }] },
      ],
    });
    const exported = (name: string) => admin(['content', 'export', '--team', teamId, '--template', name]);
    const { stdout, stderr } = await exported('Welcome');
    expect(stderr).toBe(`It names files of the team: ${file_id}.\n`);
    const document = JSON.parse(stdout);
    expect(document).toMatchObject({
      objectives: [{ id: used }],
      engagement_channels: [{ id: channel }],
      templates: [{ name: 'Welcome' }],
    });
    const [{ id }] = document.templates;
    expect(JSON.parse((await exported(id.toUpperCase())).stdout)).toEqual(document);

    const path = join(folder, 'campaign.png');
    writeFileSync(path, Buffer.from(await (await fetch(`${api.baseUrl}/files/${file_id}`)).arrayBuffer()));
    const put = await adminJson('file', 'put', path, '--team', next.teamId);
    const carried = JSON.parse(stdout.replaceAll(file_id, put.value.file_id));
    const imported = await adminJson('content', 'import', fileOf(carried), '--team', next.teamId, '--strict');
    expect(imported).toMatchObject({ status: 0, value: { templates: counts(1) } });
    expect((await api.request('GET', `/files/${put.value.file_id}`)).status).toBe(200);
  });

  test.each([
    ['Nothing', 'not_found'],
    ['Twice', 'ambiguous'],
  ])('of the template %s is refused: %s', async (name, error) => {
    const { teamId } = await api.newTeam();
    await putContent(api.database, teamId, { templates: [used, unused].map((id) => ({ id, name: 'Twice' })) });
    expect(await adminJson('content', 'export', '--team', teamId, '--template', name)).toMatchObject({
      status: 1,
      value: { error, details: [{ path: '--template' }] },
    });
  });
});

describe('warnings', () => {
  test.each(['check', 'import'])('content %s refuses them with --strict, and otherwise gives them', async (verb) => {
    const { teamId } = await api.newTeam();
    const given = ['content', verb, fileOf(doubtful()), '--team', teamId];
    const refused = { error: 'validation_failed', details: warnings };
    expect(await adminJson(...given, '--strict')).toEqual({ status: 1, value: refused });
    expect(await revisionOf(teamId)).toBeUndefined();
    const expected = { objectives: counts(0), engagement_channels: counts(0), templates: counts(1) };
    const added = expect.objectContaining({ kind: 'template', change: 'added' });
    const receipt = {
      team_id: teamId,
      ...expected,
      ids: expect.any(Object),
      changes: [added],
      rules: [],
      consequences: [],
      warnings,
    };
    expect(await adminJson(...given)).toEqual({ status: 0, value: receipt });
    expect(await revisionOf(teamId)).toEqual(verb === 'import' ? expect.any(String) : undefined);
    const { stdout, stderr } = await admin(given);
    expect(stdout).toMatch(verb === 'import' ? /templates +0 +0 +1\n$/ : /templates +1 +0 +0\n$/);
    const warned = warnings.map(({ path, message }) => `Warning: ${path}: ${message}\n`).join('');
    expect(stderr).toBe(verb === 'import' ? warned : `Adds the campaign "Doubtful"\n${warned}`);
    const right = ['content', verb, fileOf({ objectives: [{ key: 'k' }] }), '--team', teamId, '--strict'];
    expect(await adminJson(...right)).toMatchObject({ status: 0, value: { objectives: counts(1), warnings: [] } });
  });
});

describe('content check', () => {
  test('says what an import would leave as it is', async () => {
    const { teamId } = await api.newTeam();
    const document = { templates: [{ name: 'A' }] };
    await putContent(api.database, teamId, document);
    const more = { templates: [{ name: 'A' }, { name: 'B' }] };
    const { value } = await adminJson('content', 'check', fileOf(more), '--team', teamId);
    expect(value).toMatchObject({ templates: counts(1, 1) });
  });
});

test('content schema prints the JSON Schema, without a running service', async () => {
  const { stdout, status } = await admin(['content', 'schema'], folder);
  expect([status, JSON.parse(stdout)]).toEqual([0, contentJsonSchema()]);
  const { stdout: line } = await admin(['content', 'schema', '--json'], folder);
  expect(line).toBe(`${JSON.stringify(JSON.parse(stdout))}\n`);
});

describe('content export', () => {
  test('is what import takes: it changes nothing, and makes the same content in a new team', async () => {
    const { teamId } = await api.newTeam();
    await putContent(api.database, teamId, JSON.parse(readFileSync(sample, 'utf8')));
    const { stdout } = await admin(['content', 'export', '--team', teamId]);
    const path = fileOf(JSON.parse(stdout));
    expect(await adminJson('content', 'export', '--team', teamId)).toEqual({ status: 0, value: JSON.parse(stdout) });
    const again = await adminJson('content', 'import', path, '--team', teamId);
    expect(again).toMatchObject({ status: 0, value: { templates: counts(0, 4), engagement_channels: counts(0, 2) } });
    const other = await api.newTeam();
    await putContent(api.database, other.teamId, JSON.parse(stdout));
    expect(await adminJson('content', 'export', '--team', other.teamId)).toEqual({
      status: 0,
      value: JSON.parse(stdout),
    });
  });

  test('prints the revision that a response names, also after an import', async () => {
    const { teamId } = await api.newTeam();
    const exported = (...more: string[]) => adminJson('content', 'export', '--team', teamId, ...more);
    await putContent(api.database, teamId, { templates: [{ name: 'Terms of May' }] });
    const revision = await revisionOf(teamId);
    const before = await exported();
    await putContent(api.database, teamId, { templates: [{ name: 'Terms of June' }] });
    expect((await exported()).value.templates).toHaveLength(2);
    expect(await exported('--revision', revision!)).toEqual(before);
    for (const unknown of [randomUUID(), 'none', 'x'.repeat(3000)]) {
      const details = [{ path: '--revision', message: 'is not a stored revision' }];
      expect(await exported('--revision', unknown)).toEqual({ status: 1, value: { error: 'not_found', details } });
    }
  });

  test('without a team prints the global objectives', async () => {
    const key = `exported_${randomUUID()}`;
    await putContent(api.database, null, { objectives: [{ key }] });
    const { value } = await adminJson('content', 'export');
    expect(Object.keys(value)).toEqual(['objectives']);
    expect(value.objectives).toContainEqual({ id: expect.any(String), key });
  });
});

describe('content preview', () => {
  const page = (heading: string, fields: object = {}) => ({
    page: { navigation_title: heading, content_blocks: [{ type: 'heading', data: { heading } }], ...fields },
  });
  const document = {
    templates: [
      { name: 'First', template_pages: [page('Hello {{name_first}}'), page('A draft', { is_live: false })] },
      { name: 'Second', template_pages: [page('Gone', { is_archived: true }), page('{{meta_private.code}}')] },
    ],
  };
  const preview = (...args: string[]) =>
    adminJson('content', 'preview', fileOf(document), '--team', team.teamId, ...args);

  test('writes each page as a file with sample values, linked to the others, and stores nothing', async () => {
    const out = join(folder, 'sample/pages');
    const { status, value } = await preview('--out', out);
    expect({ status, value }).toEqual({
      status: 0,
      value: [
        { path: join(out, 'template-1-page-1.html'), template: 'First', page: 'Hello {{name_first}}' },
        { path: join(out, 'template-1-page-2.html'), template: 'First', page: 'A draft' },
        { path: join(out, 'template-2-page-1.html'), template: 'Second', page: '{{meta_private.code}}' },
      ],
    });
    const html = readFileSync(join(out, 'template-1-page-1.html'), 'utf8');
    expect(html).toMatch(/^<!doctype html>.*<h2>Hello Alex<\/h2>/s);
    expect(html).toContain('href="template-1-page-2.html"');
    expect(html).not.toContain('href="?page=');
    expect(await revisionOf(team.teamId)).toBeUndefined();
  });

  test('shows the values of a contact', async () => {
    const body = { unique_id: randomUUID(), name_first: 'Jana', meta_private: { code: 'P-7' } };
    await api.request('POST', '/v1/contacts', { body, token: team.token });
    const { value } = await preview('--contact', body.unique_id);
    const [first, , last] = value.map(({ path }: { path: string }) => readFileSync(path, 'utf8'));
    expect(first).toContain('<h2>Hello Jana</h2>');
    expect(last).toContain('<h2>P-7</h2>');
    rmSync(join(value[0].path, '..'), { recursive: true });
  });

  test('shows the language of the contact, as the page does', async () => {
    const body = { unique_id: randomUUID(), meta_public: { language: 'es-MX' } };
    await api.request('POST', '/v1/contacts', { body, token: team.token });
    const [first] = document.templates;
    const translated = {
      ...first,
      language: 'en',
      translations: { es: { 'Hello {{name_first}}': 'Hola {{name_first}}' } },
    };
    const file = fileOf({ templates: [translated] });
    const { value } = await adminJson('content', 'preview', file, '--team', team.teamId, '--contact', body.unique_id);
    const html = readFileSync(value[0].path, 'utf8');
    expect(html).toMatch(/<html lang="es"/);
    expect(html).toContain('<h2>Hola ');
    rmSync(join(value[0].path, '..'), { recursive: true });
  });

  test('refuses a contact and a document that are not there', async () => {
    const details = async (refused: ReturnType<typeof adminJson>) => {
      const { status, value } = await refused;
      return [status, value.error, value.details[0].path];
    };
    expect(await details(preview('--contact', randomUUID()))).toEqual([1, 'not_found', '--contact']);
    const empty = adminJson('content', 'preview', fileOf({}), '--team', team.teamId);
    expect(await details(empty)).toEqual([1, 'validation_failed', '/templates']);
  });
});
