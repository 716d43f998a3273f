import { describe, expect, test } from 'vitest';
import { contactList, idsIn, sent } from '../support/contact-list.ts';

const { api, list, refused } = await contactList();

describe('a cursor', () => {
  const next = (answer: { body: { next_cursor?: string } }) => encodeURIComponent(answer.body.next_cursor ?? '');

  test.each([
    '',
    'sort_direction=desc',
    'sort_column=name_first',
    'sort_column=birthdate&sort_direction=desc',
    'search=nordmann',
  ])('of the list with %j continues to the end, without repeating or skipping', async (query) => {
    const whole = idsIn(await list(`?limit=100&${query}`));
    const pages = [await list(`?limit=6&${query}`)];
    while (pages.at(-1)!.body.has_more) pages.push(await list(`?cursor=${next(pages.at(-1)!)}`));
    expect(pages.flatMap(idsIn)).toEqual(whole);
    expect(pages.map(({ body }) => body.limit)).toEqual(pages.map(() => 6));
  });

  test('comes with a Link to the next page while there is more, and not at the end', async () => {
    const first = await list('?limit=20');
    const link = first.headers.get('link')!;
    expect(link).toBe(`<${api.baseUrl}/v1/contacts?cursor=${first.body.next_cursor}>; rel="next"`);
    const last = await list(link.slice(link.indexOf('?'), link.indexOf('>')));
    expect(idsIn(last)).toEqual(sent.slice(20));
    expect(last.body).not.toHaveProperty('next_cursor');
    expect(last.headers.has('link')).toBe(false);
  });

  test('belongs to the query that gave it: the same parameters are taken, others are 400', async () => {
    const first = await list('?limit=6&search=NORDMANN&sort_column=birthdate');
    const same = await list(`?limit=6&search=NORDMANN&sort_column=birthdate&sort_direction=asc&cursor=${next(first)}`);
    expect(idsIn(same)).toEqual(sent.slice(6, 12));
    const differing = `?limit=7&search=x&sort_column=id&sort_direction=desc&offset=1&cursor=${next(first)}`;
    expect(await refused(differing)).toEqual(['search', 'sort_column', 'sort_direction', 'limit', 'offset']);
  });

  test('that does not open is 400', async () => {
    const { body } = await list('?limit=6');
    const cursor: string = body.next_cursor;
    const changed = `${cursor.slice(0, 40)}${cursor[40] === 'A' ? 'B' : 'A'}${cursor.slice(41)}`;
    for (const bad of ['', 'x', changed, cursor.slice(1), `${cursor}A`, '%F0%9F%98%80']) {
      expect(await refused(`?cursor=${bad}`)).toEqual(['cursor']);
    }
  });

  test('of another team does not open', async () => {
    const { body } = await list('?limit=6');
    const { token } = await api.newTeam();
    expect((await list(`?cursor=${body.next_cursor}`, token)).status).toBe(400);
  });

  test('shows nothing of the values that it holds', async () => {
    const { body } = await list('?limit=6&sort_column=name_last&search=nordmann');
    expect(Buffer.from(body.next_cursor, 'base64url').toString('latin1').toLowerCase()).not.toContain('nordmann');
  });
});
