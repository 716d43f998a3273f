import { expect, test } from 'vitest';
import { updateTeam } from '../../../bin/admin/operations/teams/teams.ts';
import { read } from '../../support/architecture/sources.ts';
import { putContent } from '../../support/operations/content.ts';
import { serviceOn } from '../../support/operations/operations.ts';
import { service } from '../../support/service/service.ts';

const api = await service();

/** Bytes of a document with its images. If a page needs more, look for styles and script parts that it does not use. */
const budget = 18_000;

/** As the demo team of the local service. */
const site = 'https://www.cedarvalley.example';

type Sample = {
  id: string;
  template_pages: { page: { id: string; content_blocks: { id: string; type: string }[] } }[];
};
const sample = JSON.parse(read('examples/campaigns.json'));
const { id, template_pages }: Sample = sample.templates[0];
const pages = template_pages.map(({ page }) => page);

test('each page of the sample campaign is a document of less than 18 KB, before and after it is answered', async () => {
  const { teamId, token } = await api.newTeam();
  const links = { privacy_policy_url: `${site}/privacy`, terms_of_service_url: `${site}/terms` };
  await updateTeam(serviceOn(api.database), teamId, { name: 'Cedar Valley Credit Union', ...links });
  await putContent(api.database, teamId, sample);
  const contact = { unique_id: 'c-1', name_first: 'Jana', name_last: 'Novotna' };
  const { body: journey } = await api.request('POST', `/v1/templates/${id}/journeys`, { body: { contact }, token });
  const url = `/j/${journey.slug}`;
  const sizes = async () => {
    const found: number[] = [];
    for (const page of pages) {
      const { status, body } = await api.request('GET', `${url}?page=${page.id}`);
      expect(status).toBe(200);
      found.push(Buffer.byteLength(body));
    }
    return found;
  };
  const before = await sizes();
  const after: number[][] = [];
  for (const page of pages) {
    const agreement = page.content_blocks.find(({ type }) => type === 'agreement');
    const answers = agreement && [{ block_id: agreement.id, answer: 'accepted', typed_name: 'Jana Novotna' }];
    await api.request('POST', `${url}/actions`, { body: { type: 'page_viewed', page_id: page.id } });
    await api.request('POST', `${url}/actions`, { body: { type: 'page_completed', page_id: page.id, answers } });
    after.push(await sizes());
  }
  expect(before).toHaveLength(7);
  expect(Math.max(...before), `bytes: ${before.join(', ')}`).toBeLessThan(budget);
  expect(Math.max(...after.flat()), `bytes: ${after.flat().join(', ')}`).toBeLessThan(budget);
});
