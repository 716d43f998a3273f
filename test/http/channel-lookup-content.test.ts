import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { contentCachedFor } from '../../lib/store/content.ts';
import { type Institution, institution, type Page, page, shownAt, template } from '../support/channel-lookup.ts';
import { putContent } from '../support/content.ts';
import { service } from '../support/service.ts';

const api = await service();

describe('the content', () => {
  let bank: Institution;
  const channels = { web: randomUUID(), app: randomUUID() };
  const hidden = page(channels.web, { hide_when_complete: true, completion_condition: 'view' });
  const confirmed = page(channels.web, { hide_when_complete: true, completion_condition: 'objective' });
  const objective = { id: randomUUID(), key: `opened_${randomUUID()}` };
  Object.assign(confirmed, { objective_id: objective.id });
  const last = page(channels.web);
  const excluded = page(channels.web, { exclude_from_cce: true });
  const next = page(channels.web);
  const main = template(5, [page(undefined), excluded, hidden, confirmed, last]);
  const templates = [
    template(6, [next]),
    main,
    template(4, [page(channels.app)]),
    template(1, [page(channels.web)], { status: 'draft' }),
    template(2, [page(channels.web)], { is_muted: true }),
    template(3, [page(channels.web)], { is_cce_enabled: false }),
    template(0, [page(channels.web)], { is_cce_enabled: null }),
  ];
  beforeAll(async () => {
    bank = await institution();
    const engagement_channels = Object.entries(channels).map(([name, id]) => ({ id, name }));
    await putContent(api.database, bank.teamId, { objectives: [objective], engagement_channels, templates });
  });

  /** A contact in journeys of these templates, and the container that a channel shows it. */
  async function contactIn(...of: { id: string }[]) {
    const unique_id = randomUUID();
    for (const { id } of of) await bank.post({ unique_id, journey: { template_id: id } });
    const shown = async (channel: string = channels.web) => {
      const { body } = await bank.ask(`?unique_id=${unique_id}`, channel);
      const opened = await shownAt(bank, channel, body.url);
      expect(body.journey_url === null).toBe(opened === 'default');
      return typeof opened === 'object' ? opened.containerId : opened;
    };
    return { unique_id, shown };
  }
  const containerOf = ({ content_containers: [only] }: Page) => only!.id;

  test('is of the first page of the first journey, in targeting order, that has a container for the channel', async () => {
    const { shown } = await contactIn(...templates);
    expect(await shown()).toBe(containerOf(hidden));
    expect(await shown(channels.app)).toBe(containerOf(templates[2]!.template_pages[0]!.page));
  });

  test('is of no template that is not live, is muted, or is not enabled for other channels', async () => {
    const { shown } = await contactIn(...templates.slice(3));
    expect(await shown()).toBe('default');
  });

  test('is the default where no journey has a container for the channel, or there is no journey', async () => {
    expect(await (await contactIn(main)).shown(channels.app)).toBe('default');
    const { unique_id } = await bank.post({ unique_id: randomUUID() });
    expect((await bank.ask(`?unique_id=${unique_id}`, channels.web)).body.journey_url).toBeNull();
  });

  test('passes over a page that is hidden when complete, once it is complete', async () => {
    const { unique_id, shown } = await contactIn(main);
    const { body } = await bank.ask(`?unique_id=${unique_id}`, channels.web);
    const slug = body.journey_url.split('/').at(-1);
    const viewed = { type: 'page_viewed', page_id: hidden.id };
    expect((await api.request('POST', `/j/${slug}/actions`, { body: viewed })).status).toBe(204);
    expect(await shown()).toBe(containerOf(confirmed));
    await bank.post({ unique_id, [objective.key]: true });
    expect(await shown()).toBe(containerOf(last));
  });

  test.each([
    ['of a journey that has expired', { journey_duration_hours: 0 }, {}],
    ['of a page that is archived', {}, { is_archived: true }],
    ['of a page that is a draft', {}, { content_block_status: 'draft' }],
    ['of a page that is not live', {}, { is_live: false }],
  ])('is nothing %s, but of what comes next', async (_, ofTemplate, ofPage) => {
    const closed = template(0, [page(channels.web, ofPage)], ofTemplate);
    await putContent(api.database, bank.teamId, { templates: [closed] });
    expect(await (await contactIn(closed)).shown()).toBe('default');
    expect(await (await contactIn(closed, templates[0]!)).shown()).toBe(containerOf(next));
  });

  test('passes over for good what it has passed over once', async () => {
    const done = page(channels.web, { hide_when_complete: true, completion_condition: 'objective' });
    const left = page(channels.web);
    const own = template(-1, [Object.assign(done, { objective_id: objective.id }), left]);
    await putContent(api.database, bank.teamId, { templates: [own] });
    const { unique_id, shown } = await contactIn(own);
    await bank.post({ unique_id, [objective.key]: 'done' });
    expect(await shown()).toBe(containerOf(left));
    const changed = { ...done, objective_id: null, completion_condition: 'confirm' };
    const template_pages = [changed, left].map((each, order) => ({ order, page: each }));
    await putContent(api.database, bank.teamId, { templates: [{ ...own, template_pages }] });
    await sleep(contentCachedFor);
    expect(await shown()).toBe(containerOf(left));
  }, 15_000);

  test('goes on to the next journey where all pages of one are passed over', async () => {
    const done = page(channels.web, { hide_when_complete: true, completion_condition: 'objective' });
    const finished = template(1, [Object.assign(done, { objective_id: objective.id })]);
    await putContent(api.database, bank.teamId, { templates: [finished] });
    const { unique_id, shown } = await contactIn(templates[0]!, finished);
    await bank.post({ unique_id, [objective.key]: 'done' });
    expect(await shown()).toBe(containerOf(next));
  });
});
