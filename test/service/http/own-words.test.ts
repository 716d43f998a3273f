import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { admin, adminJson } from '../../support/service/admin.ts';
import { campaign, testPage } from '../../support/service/journeys.ts';
import { service } from '../../support/service/service.ts';

const api = await service();
const get = async (path: string): Promise<string> => (await api.request('GET', path)).body;
const folder = mkdtempSync(join(tmpdir(), 'words-'));

const pages = [
  testPage('confirm', { navigation_title: 'Tu cuenta', content_blocks: [{ type: 'agreement', data: {} }] }),
  testPage('view', { navigation_title: 'Listo' }),
];

describe('the words of the pages', () => {
  test('are those of the template, else those of the team, else their own', async () => {
    const words = { es: { agree: 'De acuerdo', step_at: '{title} ({at}/{count})' }, en: { agree: 'Yes' } };
    const [own, other] = [
      await campaign(api, pages, { language: 'es-MX', words }),
      await campaign(api, pages, { language: 'es' }),
    ];
    expect(await get(`/j/${(await other.start()).slug}`)).toContain('Omitir por ahora');
    const file = join(folder, 'words.json');
    writeFileSync(file, JSON.stringify({ es: { agree: 'Acepta', skip: 'Más tarde, ¿te parece?' } }));
    await adminJson('team', 'update', '--team', own.teamId, '--words', file);
    const html = await get(`/j/${(await own.start()).slug}`);
    expect(html).toContain('<button class="button">De acuerdo</button>');
    expect(html).toContain('<span>Tu cuenta (1/2)</span>');
    expect(html).toContain('Más tarde, ¿te parece?');
    expect((await adminJson('team', 'update', '--team', own.teamId, '--no-words')).value.words).toBeNull();
  });

  test('can be replaced on the identity check and on notices too', async () => {
    const words = { en: { identity_title: 'Is it you?', notice_no_page_title: 'Not here any more' } };
    const own = await campaign(api, pages, { is_auth_required: true, words });
    const { slug } = await own.start({ birthdate: '1985-03-27', post_code: '12345' });
    expect(await get(`/j/${slug}`)).toContain('<h1>Is it you?</h1>');
    expect(await get(`/j/${slug}?page=${crypto.randomUUID()}`)).toContain('<h1>Not here any more</h1>');
  });

  test('of a team are refused with what was probably meant', async () => {
    const { teamId } = await campaign(api, pages);
    const file = join(folder, 'wrong.json');
    writeFileSync(file, JSON.stringify({ en: { agre: 'Yes' } }));
    const { status, stderr } = await admin(['team', 'update', '--team', teamId, '--words', file]);
    expect([status, stderr]).toEqual([
      1,
      expect.stringContaining('/en/agre: is not a key of the words: did you mean `agree`?'),
    ]);
  });

  test('are no field of the template in responses', async () => {
    const { teamId } = await campaign(api, pages, { words: { en: { agree: 'Yes' } } });
    const exported = await adminJson('content', 'export', '--team', teamId);
    expect(exported.value.templates[0].words).toEqual({ en: { agree: 'Yes' } });
  });
});
