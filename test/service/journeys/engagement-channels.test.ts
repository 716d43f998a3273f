import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { putContent } from '../../support/operations/content.ts';
import { service } from '../../support/service/service.ts';

test('GET /v1/engagement-channels lists the channels of the team by name, without what is the administrator’s', async () => {
  const api = await service();
  const [{ teamId, token }, other] = await Promise.all([api.newTeam(), api.newTeam()]);
  const list = async (of: string) => (await api.request('GET', '/v1/engagement-channels', { token: of })).body;
  const [web, app] = [randomUUID(), randomUUID()];
  const engagement_channels = [
    { id: web, name: 'Web', lookup_fields: ['email'], frame_ancestors: ['https://bank.example'], default_content: {} },
    { id: app, name: 'App', properties: { width: 320, height: '20rem' }, show_navigation: true },
  ];
  await putContent(api.database, teamId, { engagement_channels });
  const unset = { name: null, properties: null, show_navigation: null, theme_styles: null };
  expect(await list(token)).toEqual({
    engagement_channels: [
      { ...unset, id: app, name: 'App', properties: { width: 320, height: '20rem' }, show_navigation: true },
      { ...unset, id: web, name: 'Web' },
    ],
  });
  expect(await list(other.token)).toEqual({ engagement_channels: [] });
  expect((await api.request('GET', '/v1/engagement-channels')).status).toBe(401);
});
