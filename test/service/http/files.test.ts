import { describe, expect, test } from 'vitest';
import { png, putFile, svg } from '../../support/samples/images.ts';
import { service } from '../../support/service/service.ts';

const api = await service();
const { teamId } = await api.newTeam();
const { url, file_id: id } = (await putFile(teamId, png())).value;

const kept = {
  'cache-control': 'public, max-age=31536000, immutable',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
  'cross-origin-resource-policy': 'cross-origin',
  'x-content-type-options': 'nosniff',
};
const headersOf = ({ headers }: { headers: Headers }) => Object.fromEntries(headers);

describe('an image of a team', () => {
  test('is given as it was put, to anyone, for good', async () => {
    const response = await fetch(url);
    expect(response.status).toBe(200);
    expect(headersOf(response)).toMatchObject({ ...kept, etag: `"${id}"`, 'content-type': 'image/png' });
    expect(Buffer.from(await response.arrayBuffer())).toEqual(png());
  });

  test('has the type of its content, an SVG too', async () => {
    const { value } = await putFile(teamId, svg(), 'logo.svg');
    const response = await fetch(value.url, { headers: { 'accept-encoding': 'gzip' } });
    expect(headersOf(response)).toMatchObject({ ...kept, 'content-type': 'image/svg+xml' });
    expect(Buffer.from(await response.arrayBuffer())).toEqual(svg());
  });

  test('fits into a response at 2 MB', async () => {
    const whole = Buffer.concat([png(), Buffer.alloc(2 * 1024 * 1024 - png().length, 7)]);
    const { value } = await putFile(teamId, whole);
    const response = await fetch(value.url);
    expect(Buffer.from(await response.arrayBuffer()).equals(whole)).toBe(true);
  });

  test('answers HEAD without its content', async () => {
    const response = await fetch(url, { method: 'HEAD' });
    expect([response.status, await response.text()]).toEqual([200, '']);
    expect(headersOf(response)).toMatchObject({ ...kept, etag: `"${id}"`, 'content-type': 'image/png' });
  });

  test('is not sent again to a browser that has it', async () => {
    const again = await fetch(url, { headers: { 'if-none-match': `"${id}"` } });
    expect([again.status, await again.text()]).toEqual([304, '']);
    expect(headersOf(again)).toMatchObject({ ...kept, etag: `"${id}"` });
    expect((await fetch(url, { headers: { 'if-none-match': '"other"' } })).status).toBe(200);
  });

  test('is known by an id in either case', async () => {
    expect((await api.request('GET', `/files/${id.toUpperCase()}`)).status).toBe(200);
  });

  test.each([
    ['an id that nothing has', () => crypto.randomUUID()],
    ['what is no id', () => 'logo.png'],
    ['a path to elsewhere', () => '..%2fdrop-box'],
    ['the id with an extension', () => `${id}.png`],
  ])('is not found by %s', async (_, name) => {
    const { status, body, headers } = await api.request('GET', `/files/${name()}`);
    expect([status, body.error]).toEqual([404, 'not_found']);
    expect(headers.get('cache-control')).toBeNull();
  });
});
