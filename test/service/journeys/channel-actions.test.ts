import { beforeAll, describe, expect, test } from 'vitest';
import { act, block, channelBank, form, get, neighbours, text } from '../../support/service/channel-requests.ts';
import { embedding, type Person, pageFor } from '../../support/service/channels.ts';
import { service } from '../../support/service/service.ts';

const api = await service();
const bank = await channelBank();

describe('POST /c/:channel_id/:reference/actions', () => {
  let person: Person;
  beforeAll(async () => {
    person = await bank.person();
  });
  const agree = async () => {
    const [, block_id = ''] = /name="block_id" value="([^"]+)"/.exec((await get(person.path)).body) ?? [];
    const sent = { type: 'page_completed', page_id: bank.pages[2]!.id, stay: 'yes', block_id, answer: 'accepted' };
    return form(person.path, sent);
  };

  test('records what was done on the page of the content, once, and leads a form back into the frame', async () => {
    const done = await agree();
    expect([done.status, done.headers.get('location')]).toEqual([303, person.path]);
    expect((await act(person.path, 'page_viewed')).status).toBe(204);
    expect(await bank.analytics(person)).toMatchObject({
      pages_completed: [bank.pages[1]!.id],
      pages_viewed: [bank.pages[1]!.id],
    });
  });

  test('of content that hides once complete leaves it where it is, and out of the navigation elsewhere', async () => {
    await agree();
    const { body } = await get(person.path);
    expect(body).toContain('Agreed.');
    expect(body).toContain('We know.');
    expect(body).not.toMatch(/<form/);
    const { Look } = await neighbours(person.path);
    expect(Object.keys(await neighbours(Look!))).toEqual(['Look', 'Elsewhere']);
  });

  test('completes the page of the content that was gone to', async () => {
    const { Look } = await neighbours(person.path);
    await act(Look!, 'page_completed');
    expect((await bank.analytics(person)).pages_completed).toContain(bank.pages[2]!.id);
  });

  test('refuses what comes from another site, before anything of it is read', async () => {
    const headers = { 'sec-fetch-site': 'cross-site', 'content-type': 'application/x-www-form-urlencoded' };
    for (const body of ['type=page_viewed', '%%%']) {
      const refused = await api.request('POST', `${person.path}/actions`, { body, headers });
      expect([refused.status, refused.body.error]).toEqual([403, 'forbidden']);
    }
  });

  test('looks at the reference before the body', async () => {
    const path = `/c/${bank.channelId}/short/actions`;
    expect((await api.request('POST', path, { body: 'no JSON' })).status).toBe(404);
  });

  test.each([
    ['of a campaign that asks for a proof', { is_auth_required: true }, {}, 403],
    ['of content that withholds something', {}, { container: text('Your {{account.balance}}') }, 204],
    ['of a page that withholds something', {}, { content: '{{meta_private.pin}}', container: text('Hi') }, 204],
  ])('%s can neither be completed nor offered here', async (_, template, page, viewed) => {
    const own = await embedding(
      api,
      (id) => [pageFor(id, 'confirm', { ...page, container: confirming(page) })],
      {},
      template,
    );
    const { path } = await own.person();
    const refused = await act(path, 'page_completed');
    expect([refused.status, refused.body.error]).toEqual([403, 'identity_required']);
    expect((await act(path, 'page_viewed')).status).toBe(viewed);
    const { body } = await get(path);
    expect(body).not.toContain('<form');
    expect(body.includes('viewed.gif')).toBe(viewed === 204);
  });
  const confirming = (page: { container?: { content_blocks: object[] } }) => ({
    content_blocks: [...(page.container?.content_blocks ?? []), block('confirm', { text: 'Agree' })],
  });

  test('refuses what the page does not complete by, what is no action, and the default content', async () => {
    const { Elsewhere } = await neighbours(person.path);
    expect((await act(Elsewhere!, 'page_completed')).status).toBe(422);
    expect((await act(person.path, 'journey_completed')).status).toBe(422);
    expect((await act((await bank.search('nobody')).path, 'page_viewed')).status).toBe(404);
  });
});
