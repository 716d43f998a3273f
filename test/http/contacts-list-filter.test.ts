import { describe, expect, test } from 'vitest';
import { contactList, idsIn, sent } from '../support/contact-list.ts';

const { api, list, refused } = await contactList();

describe('a filter', () => {
  const post = (token: string, body: object) => api.request('POST', '/v1/contacts', { token, body });

  test('by updated_since lists those updated at that time or later', async () => {
    const { token } = await api.newTeam();
    const times: string[] = [];
    for (const unique_id of ['a', 'b', 'c']) times.push((await post(token, { unique_id })).body.updated_at);
    const since = async (time: string, rest = '') =>
      idsIn(await list(`?updated_since=${encodeURIComponent(time)}${rest}`, token));
    expect(await since(times[1]!)).toEqual(['b', 'c']);
    expect(await since(times[1]!.replace('Z', '001Z'))).toEqual(['c']);
    expect(await since(times[1]!.replace('Z', '000Z'))).toEqual(['b', 'c']);
    expect(await since('2020-01-01T00:00Z')).toEqual(['a', 'b', 'c']);
    expect(await since('2999-01-01T00:00:00Z')).toEqual([]);
    expect(await since('')).toEqual(['a', 'b', 'c']);
    await post(token, { unique_id: 'a', city: 'Oslo' });
    expect(await since(times[1]!, '&sort_column=unique_id&sort_direction=desc')).toEqual(['c', 'b', 'a']);
  });

  test('by search finds a phone by its digits, and nothing that does not contain the text', async () => {
    const { token } = await api.newTeam();
    await post(token, { unique_id: 'by-phone', phone_mobile: '(555) 123-0000' });
    await post(token, { unique_id: 'by-text', city: 'born 12-30' });
    const search = async (text: string) => idsIn(await list(`?search=${encodeURIComponent(text)}`, token));
    expect(await search('1230')).toEqual(['by-phone']);
    expect(await search('12-30')).toEqual(['by-text']);
    for (const text of ['5.5.5', '55-512', '(555) 123', '+1555'])
      expect([text, await search(text)]).toEqual([text, []]);
  });

  test('goes with every other', async () => {
    const [{ updated_at: time }] = (await list('?unique_id=Ref-20')).body.contacts;
    expect(idsIn(await list(`?updated_since=${time}&search=branch&limit=2&offset=1`))).toEqual(['Ref-21', 'Ref-22']);
    expect(idsIn(await list(`?updated_since=${time}&unique_id=Ref-20&search=BRANCH`))).toEqual(['Ref-20']);
    for (const rest of ['&search=other', '&offset=1', '&updated_since=2999-01-01T00:00Z']) {
      expect(idsIn(await list(`?unique_id=Ref-20${rest}`))).toEqual([]);
    }
    const first = await list(`?updated_since=${time}&limit=3`);
    const rest = await list(`?cursor=${first.body.next_cursor}`);
    expect([...idsIn(first), ...idsIn(rest)]).toEqual(sent.slice(20));
    expect(await refused(`?cursor=${first.body.next_cursor}&updated_since=&unique_id=Ref-20`)).toEqual([
      'unique_id',
      'updated_since',
    ]);
  });

  test('by a unique_id that no contact can have lists nobody, and beyond a text is 400', async () => {
    for (const nobody of ['\ufffd', '\u{1f600}'.repeat(500)]) {
      const { status, body } = await list(`?unique_id=${encodeURIComponent(nobody)}`);
      expect([status, body.contacts]).toEqual([200, []]);
    }
    expect(await refused(`?unique_id=${'x'.repeat(1025)}`)).toEqual(['unique_id']);
  });
});
