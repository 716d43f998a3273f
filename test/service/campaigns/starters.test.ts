import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { admin, adminJson, fileOf } from '../../support/service/admin.ts';
import { temporaryDirectory } from '../../support/service/process.ts';
import { service } from '../../support/service/service.ts';

/** Campaigns to begin with, and the lists of translators (contract, section 9). */

const api = await service();
const folder = temporaryDirectory();
const read = (path: string) => JSON.parse(readFileSync(path, 'utf8'));
const uuids = (value: unknown): string[] =>
  JSON.stringify(value).match(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g) ?? [];

describe('content new', () => {
  test('lists the starters', async () => {
    const { value } = await adminJson('content', 'new');
    expect(value.map(({ starter }: { starter: string }) => starter)).toEqual(['welcome', 'terms', 'survey', 'offer']);
    expect((await admin(['content', 'new'])).stdout).toContain('welcome  A greeting');
  });

  test.each(['welcome', 'terms', 'survey', 'offer'])(
    '%s is a draft that passes `content check --strict`, also when it goes live, with ids of its own',
    async (name) => {
      const { teamId } = await api.newTeam();
      const made = [await adminJson('content', 'new', name), await adminJson('content', 'new', name)];
      const [first, second] = made.map(({ value }) => new Set(uuids(value)));
      expect(first!.intersection(second!).size).toBe(0);
      const [template] = made[0]!.value.templates;
      expect(Object.keys(template.translations)).toEqual(['es']);
      for (const { page } of template.template_pages)
        expect([page.id, page.content_blocks[0].id]).toEqual(uuids([page.id, page.content_blocks[0].id]));
      expect(template.status).toBe('draft');
      for (const status of ['draft', 'live']) {
        const path = fileOf({ ...made[0]!.value, templates: [{ ...template, status }] });
        const checked = await adminJson('content', 'check', path, '--team', teamId, '--strict');
        expect(checked).toMatchObject({ status: 0, value: { templates: { created: 1 }, warnings: [] } });
      }
      const { status } = await adminJson('content', 'import', fileOf(made[0]!.value), '--team', teamId);
      expect(status).toBe(0);
      const { value: targeting } = await adminJson('targeting', 'status', '--team', teamId);
      expect(targeting.templates).toMatchObject([{ live: false }]);
    },
  );

  test('writes a file that does not exist yet', async () => {
    const path = join(folder, 'campaign.json');
    expect(await adminJson('content', 'new', 'survey', '--out', path)).toEqual({ status: 0, value: { file: path } });
    expect(read(path).templates[0].name).toBe('Your opinion');
    expect(await adminJson('content', 'new', 'survey', '--out', path)).toMatchObject({ status: 1 });
    expect(await adminJson('content', 'new', 'other')).toMatchObject({ status: 1, value: { error: 'not_found' } });
  });
});

describe('content texts', () => {
  const texts = ['=1+1 is two', 'He said "go; now", and\nwent', "'quoted'", 'Plain'];
  const campaign = () => ({
    templates: [
      {
        translations: { es: { Plain: 'Sencillo' } },
        template_pages: texts.map((body, order) => ({
          order,
          page: { content_blocks: [{ type: 'text', data: { body } }] },
        })),
      },
    ],
  });
  const run = (...args: string[]) => adminJson('content', 'texts', ...args);
  const list = async (path: string, ...options: string[]) =>
    (await admin(['content', 'texts', path, '--csv', ...options])).stdout;

  test('prints each text with its translations', async () => {
    const path = fileOf(campaign());
    expect(await list(path)).toMatch(/^text,es\n'=1\+1 is two,\n[\s\S]*Plain,Sencillo\n$/);
    expect(await list(path, '--language', 'de')).toMatch(/^text,de\n/);
  });

  test('prints the texts of a block in the order in which the page shows them', async () => {
    const shown = [
      'Your consent',
      'Please read',
      'I agree to it',
      'The terms',
      'Your name',
      'Yes',
      'No',
      'Good',
      'Sad',
    ];
    const [heading, body, agreementText, documentLinkText, signatureBoxText, label, disagreeText, ...told] = shown;
    const [acceptedConfirmationText, declinedConfirmationText] = told;
    const data = {
      ...{ acceptedConfirmationText, agreementText, body, declinedConfirmationText, disagreeText, documentLinkText },
      ...{ heading, label, signatureBoxText, documentLinkUrl: 'https://bank.example/terms.pdf' },
    };
    const page = { content_blocks: [{ type: 'confirm', data }] };
    const path = fileOf({ templates: [{ template_pages: [{ order: 1, page }] }] });
    expect((await list(path)).trim().split('\n')).toEqual(['text', ...shown]);
  });

  test('writes the translations of a list into the file, and keeps the others', async () => {
    const path = fileOf(campaign());
    const csv = (await list(path, '--language', 'de'))
      .replace('is two,\n', 'is two,=zwei\n')
      .replace('Plain,', 'Plain,Einfach');
    const applied = await run(path, '--apply', fileOf(`\ufeff${csv}Other,Anders\n`, 'csv'), '--language', 'de');
    expect(applied).toEqual({
      status: 0,
      value: {
        file: path,
        language: 'de',
        translated: 2,
        missing: 2,
        unknown: ['Other'],
        removed: [],
        refused: [],
        stale: [],
      },
    });
    const { translations, template_pages } = read(path).templates[0];
    expect(translations).toEqual({ es: { Plain: 'Sencillo' }, de: { '=1+1 is two': '=zwei', Plain: 'Einfach' } });
    expect(template_pages).toEqual(campaign().templates[0]!.template_pages);
    expect(
      (await run(path, '--apply', fileOf(await list(path, '--language', 'de'), 'csv'), '--language', 'de')).value,
    ).toMatchObject({ translated: 2, unknown: [] });
  });

  test('takes a list in UTF-16, and refuses one that is not UTF-8 instead of writing other characters', async () => {
    const path = fileOf(campaign());
    const before = read(path);
    const csv = fileOf('', 'csv');
    writeFileSync(csv, Buffer.from('text;es\r\nPlain;Peque\xf1o\r\n', 'latin1'));
    const refused = await run(path, '--apply', csv, '--language', 'es');
    expect(JSON.stringify(refused.value)).toMatch(/Line 2 is not UTF-8.*CSV UTF-8/);
    expect(read(path)).toEqual(before);
    writeFileSync(csv, Buffer.from('\ufefftext\tes\r\nPlain\tPeque\xf1o\r\n', 'utf16le'));
    expect((await run(path, '--apply', csv, '--language', 'es')).status).toBe(0);
    expect(read(path).templates[0].translations.es).toEqual({ Plain: 'Peque\xf1o' });
    writeFileSync(path, Buffer.from('{"templates":[{"name":"Jos\xe9"}]}', 'latin1'));
    expect((await adminJson('content', 'check', path)).value).toMatchObject({ error: 'invalid_arguments' });
  });

  test('removes translations of texts that the campaign no longer has, so that it has no warning', async () => {
    const { value } = await adminJson('content', 'new', 'welcome');
    const [template] = value.templates;
    const { es } = template.translations;
    const shared = { ...template, template_pages: [{ order: 1, page_id: template.template_pages[0].page.id }] };
    template.translations = {
      es: { ...es, Vanished: 'Ya no', 'https://bank.example/old.pdf': 'https://bank.example/v' },
    };
    const path = fileOf(value);
    const csv = fileOf(await list(path), 'csv');
    const { stdout, stderr } = await admin(['content', 'texts', path, '--apply', csv, '--language', 'es']);
    expect(stdout).toMatch(/^\d+ texts in es, 0 without a translation\.\n$/);
    expect(stderr).toContain('Removed, because no page shows it any more: Vanished\n');
    expect(read(path).templates[0].translations).toEqual({ es });
    const { teamId } = await api.newTeam();
    const { value: checked } = await adminJson('content', 'check', path, '--team', teamId);
    expect(checked.warnings).toEqual([]);
    // The texts of a page that is given by its id are not in the document.
    const other = fileOf({ templates: [shared] });
    expect((await run(other, '--apply', csv, '--language', 'es')).value).toMatchObject({ removed: [] });
  });

  test('says which translations are of an earlier text, until they change or the list says that they are right', async () => {
    const { teamId } = await api.newTeam();
    const path = fileOf({
      templates: [
        {
          ...{ name: 'Steps', translations: { es: { Steps: 'Pasos', Five: 'Tres', Six: 'Dos' } } },
          translated_from: { es: { Five: 'Three', Six: 'Two' } },
          template_pages: ['Five', 'Six'].map((heading, order) => ({
            ...{ order, page: { completion_condition: 'view', content_blocks: [{ type: 'text', data: { heading } }] } },
          })),
        },
      ],
    });
    const stale = async () => {
      const { value } = await adminJson('content', 'check', path, '--team', teamId);
      const found = value.warnings.filter(({ message }: { message: string }) => message.includes('earlier text'));
      return found.map(({ path }: { path: string }) => path);
    };
    expect(await stale()).toEqual(['/templates/0/translations/es/Five', '/templates/0/translations/es/Six']);
    const csv = await list(path);
    expect(csv).toBe('text,es,es translated from\nSteps,Pasos,\nFive,Tres,Three\nSix,Dos,Two\n');
    const applied = async (text: string) => (await run(path, '--apply', fileOf(text, 'csv'), '--language', 'es')).value;
    expect(await applied(csv)).toMatchObject({ stale: ['Five', 'Six'] });
    expect(await stale()).toHaveLength(2);
    expect(await applied(csv.replace('Tres', 'Cinco'))).toMatchObject({ stale: ['Six'] });
    expect(await stale()).toEqual(['/templates/0/translations/es/Six']);
    expect(await applied((await list(path)).replace('Dos,Two', 'Dos,'))).toMatchObject({ stale: [] });
    expect(await stale()).toEqual([]);
    expect(await list(path)).toMatch(/^text,es\n/);
  });

  test('does not take a translation that is applied again for one of the text before', async () => {
    const { teamId } = await api.newTeam();
    const steps = (name: string, es: object, more = {}) => ({
      templates: [{ id: '6f1c4f0e-8f4f-4c42-9b5e-2b4f0c1d7a11', name, translations: { es }, ...more }],
    });
    await adminJson('content', 'import', fileOf(steps('Three', { Three: 'Pasos' })), '--team', teamId);
    const path = fileOf(steps('Five', { Three: 'Pasos' }));
    await run(path, '--apply', fileOf('text,es\nFive,Pasos\n', 'csv'), '--language', 'es');
    const messages = async (file: string) =>
      JSON.stringify((await adminJson('content', 'check', file, '--team', teamId)).value.warnings);
    expect(await messages(path)).not.toContain('earlier text');
    expect(await messages(fileOf(steps('Five', { Five: 'Pasos' })))).toContain('earlier text \\"Three\\"');
  });

  test.each([';', '\t'])(
    'takes a list that a spreadsheet program has saved with another separator, %j',
    async (separator) => {
      const path = fileOf(campaign());
      const csv = fileOf(
        ['text', 'de'].join(separator).concat('\r\n', ['Plain', 'Einfach'].join(separator), '\r\n'),
        'csv',
      );
      expect((await run(path, '--apply', csv, '--language', 'de')).value).toMatchObject({ translated: 1 });
    },
  );

  test.each<[what: string, options: (path: string) => string[], error: string]>([
    ['without a language', (path) => [path, '--apply', path], 'invalid_arguments'],
    ['that does neither', (path) => [path], 'invalid_arguments'],
    [
      'of a list without the language',
      (path) => [path, '--apply', fileOf('text,es\na,b\n', 'csv'), '--language', 'de'],
      'invalid_request',
    ],
    [
      'of a list that is not there',
      (path) => [path, '--apply', '/nowhere.csv', '--language', 'de'],
      'invalid_arguments',
    ],
  ])('refuses a call %s, and writes nothing', async (_, options, error) => {
    const path = fileOf(campaign());
    expect(await run(...options(path))).toMatchObject({ status: 1, value: { error } });
    expect(read(path)).toEqual(campaign());
  });
});

test('a language without translations is one warning', async () => {
  const { value } = await adminJson('content', 'new', 'welcome');
  value.templates[0].translations.fr = {};
  const { teamId } = await api.newTeam();
  const checked = await adminJson('content', 'check', fileOf(value), '--team', teamId);
  expect(checked.value.warnings).toEqual([
    {
      path: '/templates/0/translations/fr',
      message: expect.stringMatching(/^lacks 19 texts, .*content texts FILE --csv --language fr/),
    },
  ]);
});
