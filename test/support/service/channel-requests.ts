import { secretsOf } from '../../../lib/domain/teams/team.ts';
import { loadTeam } from '../../../lib/store/teams/teams.ts';
import { type Embedding, embedding, pageFor } from './channels.ts';
import { service } from './service.ts';

export const block = (type: string, data: object) => ({ type, data });
export const text = (body: string) => ({ content_blocks: [block('text', { body })] });
const confirmBlocks = [
  block('text', { body: 'Dear {{name_first}} of {{meta_public.branch}}:' }),
  block('confirm', { text: 'Agree', acceptedConfirmationText: 'Agreed.' }),
];
export const pagesOf = (channel: string) => [
  pageFor(channel, null, { navigation_title: 'Nowhere' }),
  pageFor(channel, 'confirm', {
    navigation_title: 'Agree & go',
    completion_message: 'We know.',
    hide_when_complete: true,
    container: { content_blocks: confirmBlocks },
  }),
  pageFor(channel, 'view', { navigation_title: 'Look', container: text('Look at {{journey_url}}') }),
  pageFor(channel, 'objective', {
    navigation_title: 'Elsewhere',
    container: text('Elsewhere {{meta_private.pin}}{{birthdate}}'),
  }),
];
export const channel = {
  show_navigation: true,
  properties: { width: '480px', height: 300 },
  frame_ancestors: ['https://online.bank.example', 'https://*.branch.example:8443'],
  default_content: { layout_basis: 'none', content_blocks: [block('text', { body: 'For {{name_first}} everybody' })] },
};

const api = await service();

export const get = (path: string, headers: Record<string, string> = {}) => api.request('GET', path, { headers });
export const act = (path: string, type: string) => api.request('POST', `${path}/actions`, { body: { type } });
export const form = (path: string, fields: Record<string, string>) =>
  api.request('POST', `${path}/actions`, {
    body: new URLSearchParams(fields).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
/** The URLs in the navigation of the frame, by title. */
export async function neighbours(path: string): Promise<Record<string, string>> {
  const links = (await get(path)).body.matchAll(/<a href="(\/c\/[^"]+)" target="_self"[^>]*>([^<]*)<\/a>/g);
  return Object.fromEntries([...links].map(([, address, title]) => [title, address]));
}
export const secretOf = async ({ teamId }: Embedding) => secretsOf((await loadTeam(api.database, teamId))!);

/** A new team with a channel and a campaign. */
export const channelBank = () => embedding(api, pagesOf, channel);
