import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { contentCachedFor } from '../../lib/store/content.ts';
import { type Institution, institution, type Page, page, shownAt, template } from '../support/channel-lookup.ts';
import { putContent } from '../support/content.ts';
import { service } from '../support/service.ts';

type Campaign = ReturnType<typeof template>;

const api = await service();

/** Which content is offered is tested in test/domain/channel-content.test.ts. */
describe('the content', () => {
  let bank: Institution;
  const channels = { web: randomUUID(), app: randomUUID() };
  const objective = { id: randomUUID(), key: `opened_${randomUUID()}` };
  const byObjective = () =>
    Object.assign(page(channels.web, { hide_when_complete: true, completion_condition: 'objective' }), {
      objective_id: objective.id,
    });
  const [first, next] = [page(channels.web), page(channels.web)];
  const templates = [
    template(6, [next]),
    template(5, [page(undefined), page(channels.web, { exclude_from_cce: true }), first]),
    template(4, [page(channels.app)]),
  ];
  const [after, main, ofApp] = templates as [Campaign, Campaign, Campaign];
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
    expect(await shown()).toBe(containerOf(first));
    expect(await shown(channels.app)).toBe(containerOf(ofApp.template_pages[0]!.page));
    expect(await (await contactIn(main)).shown(channels.app)).toBe('default');
    const { unique_id } = await bank.post({ unique_id: randomUUID() });
    expect((await bank.ask(`?unique_id=${unique_id}`, channels.web)).body.journey_url).toBeNull();
  });

  test('passes over for good what it has passed over once', async () => {
    const [done, left] = [byObjective(), page(channels.web)];
    const own = template(-1, [done, left]);
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
    const finished = template(1, [byObjective()]);
    await putContent(api.database, bank.teamId, { templates: [finished] });
    const { unique_id, shown } = await contactIn(after, finished);
    await bank.post({ unique_id, [objective.key]: 'done' });
    expect(await shown()).toBe(containerOf(next));
  });
});
