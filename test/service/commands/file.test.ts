import { randomBytes } from 'node:crypto';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { maxImageBytes } from '../../../lib/domain/teams/team-file.ts';
import { putContent } from '../../support/operations/content.ts';
import { png, putFile, svg, withFile } from '../../support/samples/images.ts';
import { admin, adminJson, atTerminal } from '../../support/service/admin.ts';
import { service, type TestTeam } from '../../support/service/service.ts';

const api = await service();
const team = await api.newTeam();

const listed = async ({ teamId }: TestTeam) => (await adminJson('file', 'list', '--team', teamId)).value;
const remove = (id: string) => adminJson('file', 'remove', id, '--team', team.teamId, '--yes');

describe('file put', () => {
  test('stores an image, and prints its URL', async () => {
    const { status, value } = await putFile(team.teamId, png());
    expect(status).toBe(0);
    expect(value).toEqual({
      file_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      team_id: team.teamId,
      type: 'image/png',
      bytes: png().length,
      url: `${api.baseUrl}/files/${value.file_id}`,
    });
    expect((await api.request('GET', new URL(value.url).pathname)).status).toBe(200);
  });

  test('decides the type by the content, and says so where the name disagrees', async () => {
    expect((await putFile(team.teamId, svg(), 'logo.png')).value).toMatchObject({ type: 'image/svg+xml' });
    const put = (path: string) => admin(['file', 'put', path, '--team', team.teamId]);
    const { stdout, stderr } = await withFile(svg(), 'logo.png', put);
    expect(stdout).toMatch(/^type +image\/svg\+xml$/m);
    expect(stderr).toBe('logo.png is stored as image/svg+xml, because that is its content.\n');
  });

  test.each([
    ['without', 'image/jpeg', 3],
    ['with', 'image/webp', 4],
  ] as const)(
    'makes a photo of more than 2 MB %s transparent parts smaller, turned as its camera says',
    async (_, type, channels) => {
      const [width, height] = [1800, 1200];
      const noise = randomBytes(width * height * channels);
      const photo = await sharp(noise, { raw: { width, height, channels } })
        .png()
        .withExif({ IFD3: { GPSLatitude: '50/1' } })
        .withMetadata({ orientation: 6 })
        .toBuffer();
      expect(photo.length).toBeGreaterThan(maxImageBytes);
      const { status, value } = await putFile(team.teamId, photo, 'house.png');
      expect([status, value]).toEqual([0, expect.objectContaining({ type, bytes: expect.any(Number) })]);
      const image = await (await fetch(value.url)).arrayBuffer();
      expect(image.byteLength).toBe(value.bytes);
      expect(value.bytes).toBeLessThanOrEqual(maxImageBytes);
      const stored = await sharp(image).metadata();
      expect(stored.width).toBeLessThan(stored.height);
      expect([stored.exif, stored.orientation]).toEqual([undefined, undefined]);
    },
  );

  test.each([
    ['script', svg('<script>alert(1)</script>'), 'has the element script'],
    ['a page', Buffer.from('<!doctype html><p>'), /^is not well-formed XML: |^must be an svg element/],
    ['a document', Buffer.from('%PDF-1.7'), 'is not a PNG, JPEG, WebP, GIF or SVG image, and not a WOFF2 font'],
    ['too much', png('x'.repeat(2 * 1024 * 1024)), 'is larger than 2 MB'],
  ])('refuses %s, and stores nothing of it', async (_, content, message) => {
    const before = await listed(team);
    const { status, value } = await putFile(team.teamId, content, 'logo.svg');
    expect(status).toBe(1);
    expect(value).toEqual({
      error: 'validation_failed',
      details: [{ path: 'path', message: typeof message === 'string' ? message : expect.stringMatching(message) }],
    });
    expect(await listed(team)).toEqual(before);
  });

  test('refuses a path that cannot be read, and an unknown team', async () => {
    const args = ['file', 'put', '/nowhere/logo.png', '--team'];
    expect((await adminJson(...args, team.teamId)).value.error).toBe('invalid_arguments');
    expect((await adminJson(...args, crypto.randomUUID())).value.error).toBe('not_found');
  });
});

describe('file list', () => {
  test('names the files of the team alone, oldest first', async () => {
    const mine = await api.newTeam();
    const first = (await putFile(mine.teamId, png('1'), 'first.png')).value;
    const second = (await putFile(mine.teamId, svg(), 'second.svg')).value;
    const inserted_at = expect.stringMatching(/Z$/);
    expect(await listed(mine)).toEqual([
      { ...first, name: 'first.png', inserted_at },
      { ...second, name: 'second.svg', inserted_at },
    ]);
    const { stdout } = await admin(['file', 'list', '--team', mine.teamId]);
    expect(stdout).toMatch(/^FILE +TYPE +BYTES +NAME +PUT\n/);
  });
});

describe('file remove', () => {
  test('deletes a file, which is not found from then on', async () => {
    const { value } = await putFile(team.teamId, png('to be removed'));
    const removed = await remove(value.file_id.toUpperCase());
    expect(removed.value).toEqual({ file_id: value.file_id, team_id: team.teamId, named_by: [] });
    expect((await api.request('GET', `/files/${value.file_id}`)).status).toBe(404);
    expect((await remove(value.file_id)).value.error).toBe('not_found');
    expect((await putFile(team.teamId, png('to be removed'))).value).toEqual(value);
    expect((await api.request('GET', `/files/${value.file_id}`)).status).toBe(200);
  });

  test('says which content names the file', async () => {
    const mine = await api.newTeam();
    const { file_id } = (await putFile(mine.teamId, png())).value;
    const block = { id: crypto.randomUUID(), type: 'image', data: { file_id: file_id.toUpperCase() } };
    const page = { id: crypto.randomUUID(), content_name: 'Hello', content_blocks: [block] };
    const template = { id: crypto.randomUUID(), name: 'Welcome', logo_file_id: file_id, template_pages: [{ page }] };
    await putContent(api.database, mine.teamId, { templates: [template] });
    const { stderr } = await admin(['file', 'remove', file_id, '--team', mine.teamId, '--yes']);
    expect(stderr).toContain('Content names it: ');
    expect(stderr).toContain('/templates/0/logo_file_id');
    expect(stderr).toContain('/templates/0/template_pages/0/page/content_blocks/0/data/file_id');
  });

  test('asks for --yes at a terminal', async () => {
    const { value } = await putFile(team.teamId, png('kept'));
    atTerminal();
    const asked = await adminJson('file', 'remove', value.file_id, '--team', team.teamId);
    expect(asked).toMatchObject({ status: 1, value: { error: 'confirmation_required' } });
    expect((await api.request('GET', `/files/${value.file_id}`)).status).toBe(200);
  });
});
