import { expect, test } from 'vitest';
import { act, block, get, text } from '../../support/service/channel-requests.ts';
import { embedding, type Person, pageFor } from '../../support/service/channels.ts';
import { service } from '../../support/service/service.ts';

/** Content that a channel shows until the journey is completed, and refusals that complete a page. */

const api = await service();
const teaser = (fields: object = {}) => ({
  ...text('Begin at {{journey_url}}'),
  show_until: 'journey_completed',
  ...fields,
});
const agreement = block('agreement', { agreementText: 'I agree', disagreeText: 'I decline', declineCompletes: true });
const slugOf = ({ journeyUrl }: Person) => new URL(journeyUrl).pathname;
const send = (person: Person, body: object) => api.request('POST', `${slugOf(person)}/actions`, { body });

const bank = await embedding(api, (channel) => [
  pageFor(channel, 'view', { hide_when_complete: true, container: teaser(), ...text('The whole welcome') }),
  pageFor(channel, 'confirm', { content_blocks: [agreement] }),
]);
const [welcome, terms] = bank.pages.map(({ id }) => id);

test('a teaser completes no page that has more to show, and leads there until the journey is completed', async () => {
  const person = await bank.person();
  const uniqueId = (await api.request('GET', `/v1/contacts/${person.contactId}`, { token: bank.token })).body.unique_id;
  expect((await get(person.path)).body).toContain('data-unseen=""');
  expect(await act(person.path, 'page_viewed')).toMatchObject({ status: 204 });
  expect(await bank.analytics(person)).toMatchObject({ pages_viewed: [], pages_completed: [] });
  await send(person, { type: 'page_viewed', page_id: welcome });
  expect(await bank.analytics(person)).toMatchObject({ pages_completed: [welcome], is_completed: false });
  expect((await bank.search(uniqueId)).journeyUrl).toBe(person.journeyUrl);
  await send(person, { type: 'page_completed', page_id: terms });
  expect(await bank.analytics(person)).toMatchObject({ is_completed: true });
  expect((await bank.search(uniqueId)).journeyUrl).toBeNull();
});

test('a teaser of a page that shows nothing else is a view of the page', async () => {
  const plain = await embedding(api, (channel) => [pageFor(channel, 'view', { container: teaser() })]);
  const person = await plain.person();
  await act(person.path, 'page_viewed');
  expect(await plain.analytics(person)).toMatchObject({ pages_completed: [plain.pages[0]!.id] });
});

test('responses of the API have no field that the specification does not have', async () => {
  const { body } = await api.request('GET', '/v1/templates', { token: bank.token });
  const { body: pages } = await api.request('GET', `/v1/templates/${body.templates[0].id}/template_pages`, bank);
  const [container] = pages[0].page.content_containers;
  expect(container).not.toHaveProperty('show_until');
  expect(container.content_blocks).toHaveLength(1);
});

test('a refusal completes the page if its block says so, and the page says declined', async () => {
  const person = await bank.person();
  const { body } = await api.request('GET', slugOf(person), {});
  expect(body).not.toContain('I decline');
  const page = await api.request('GET', `${slugOf(person)}?page=${terms}`);
  const [, block_id] = page.body.match(/name="block_id" value="([^"]+)"/);
  const answers = [{ block_id, answer: 'declined' }];
  expect(await send(person, { type: 'page_completed', page_id: terms, answers })).toMatchObject({ status: 204 });
  expect(await bank.analytics(person)).toMatchObject({ pages_completed: [terms] });
  const after = (await api.request('GET', `${slugOf(person)}?page=${terms}`)).body;
  expect(after).toContain('We have recorded that you do not agree.');
  expect(after).not.toContain('Thank you. Your answer is recorded.');
});
