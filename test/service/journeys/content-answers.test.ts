import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { admin, adminJson, fileOf } from '../../support/service/admin.ts';
import { service } from '../../support/service/service.ts';

/** An import says what it does to answers before it does it (contract, section 6). */

const api = await service();
const team = await api.newTeam();

type Agreement = { id?: string; agreementText: string; heading?: string; disagreeText?: string };
const document = (name: string, agreements: Agreement[], more: object = {}) => ({
  templates: [
    {
      ...{ name, language: 'en', ...more },
      template_pages: [
        {
          order: 1,
          page: {
            ...{ content_name: 'Consent', completion_condition: 'confirm' },
            content_blocks: agreements.map(({ id, ...data }) => ({ id, type: 'agreement', data })),
          },
        },
      ],
    },
  ],
});
const run = async (verb: string, content: object) => {
  const { status, value } = await adminJson('content', verb, fileOf(content), '--team', team.teamId);
  expect({ status, value }).toMatchObject({ status: 0 });
  return value;
};

/** Imports the document, and has one person accept and another decline its first block. */
async function answered(content: object, headers: Record<string, string> = {}) {
  const [template] = (await run('import', content)).ids.templates;
  const [{ page_id, page }] = template.template_pages;
  const { token } = team;
  for (const answer of ['accepted', 'declined']) {
    const body = { contact: { unique_id: randomUUID(), name_first: 'Jana' } };
    const { body: journey } = await api.request('POST', `/v1/templates/${template.id}/journeys`, { body, token });
    const answers = [{ block_id: page.content_blocks[0].id, answer }];
    const sent = { type: 'page_completed', page_id, answers };
    expect(await api.request('POST', `/j/${journey.slug}/actions`, { body: sent, headers })).toMatchObject({
      status: 204,
    });
  }
  return { template_id: template.id, page_id, block_id: page.content_blocks[0].id };
}

const agreed = { heading: 'Paper', agreementText: 'No more paper for {{name_first}}.', disagreeText: 'No' };

test('says how many people accepted an earlier text of an agreement', async () => {
  const ids = await answered(document('Reworded', [agreed]));
  const other = document('Reworded', [{ ...agreed, agreementText: 'News by email.' }]);
  const { consequences } = await run('check', other);
  expect(consequences).toEqual([
    { ...ids, path: '/templates/0/template_pages/0/page', people: 1, message: expect.any(String) },
  ]);
  for (const part of ['the agreement "Paper"', '"Consent"', ids.block_id, '1 person accepted the earlier text'])
    expect(consequences[0].message).toContain(part);
  const { stderr } = await admin(['content', 'import', fileOf(other), '--team', team.teamId]);
  expect(stderr).toContain('They keep the acceptance, and the page shows them the text that they accepted');
  expect((await run('import', other)).consequences).toEqual([]);
});

test('says how many people accepted an earlier text that changed in one language only', async () => {
  const translated = (text: string) =>
    document('One language', [agreed], { translations: { es: { [agreed.agreementText]: text } } });
  const ids = await answered(translated('Sin papel.'), { 'accept-language': 'es' });
  const { consequences } = await run('check', translated('Sin nada.'));
  expect(consequences).toMatchObject([{ ...ids, people: 1 }]);
  expect((await run('check', translated('Sin papel.'))).consequences).toEqual([]);
});

test('says nothing of a change that the accepted text does not show', async () => {
  await answered(document('Same', [agreed]));
  const es = { [agreed.agreementText]: 'Sin papel.', Paper: 'Papel' };
  const changed = [
    document('Same', [agreed], { translations: { es } }),
    document('Same', [{ ...agreed, disagreeText: 'Rather not' }]),
    document('Same', [{ ...agreed, agreementText: 'No more paper for {{name_last}}.' }]),
  ];
  for (const content of changed) expect((await run('import', content)).consequences).toEqual([]);
});

test('says that answers are no longer shown if their block is another one, and how to keep it', async () => {
  const ids = await answered(document('Hidden', [agreed]));
  const [added, same] = [
    { heading: 'Data', agreementText: 'You may use my data.' },
    { heading: 'No paper', agreementText: 'Send me nothing on paper.' },
  ];
  const { consequences } = await run('check', document('Hidden', [added, same]));
  expect(consequences).toMatchObject([{ ...ids, people: 2 }]);
  const [{ message }] = consequences;
  expect(message).toMatch(/^The agreement "Paper" .* is removed; 2 people answered it/);
  expect(message).toContain(`If it is now the agreement "No paper", write "id": "${ids.block_id}" into that block.`);
  const kept = document('Hidden', [added, { ...same, id: ids.block_id }]);
  expect((await run('import', kept)).consequences).toMatchObject([{ ...ids, people: 1 }]);
});

const survey = (name: string, questions: unknown[], id?: string) => ({
  templates: [
    {
      name,
      template_pages: [
        {
          order: 1,
          page: {
            ...{ content_name: 'Color', completion_condition: 'confirm' },
            content_blocks: [{ id, type: 'survey', data: { heading: 'Survey', questions } }],
          },
        },
      ],
    },
  ],
});
const color = (...options: unknown[]) => ({ text: 'Which color?', options });

test.each<[string, string[], unknown[], RegExp | undefined]>([
  [
    'an option',
    ['Blue'],
    [color('Red', 'No opinion')],
    /option "No opinion" .*"Which color\?" .*"Blue", which 1 person/,
  ],
  ['an option that was moved too', ['Blue'], [color('No opinion', 'Red')], /"No opinion" .*"Blue", which 1 person/],
  [
    'a question',
    ['Blue'],
    [{ ...color('Red', 'Blue'), text: 'Which car?' }],
    /question "Which car\?" .*"Which color\?"/,
  ],
  ['a question with other options', ['Red'], [{ text: 'Which car?', options: ['Fiat', 'Ford'] }], /1 person/],
  ['an option that nobody chose', ['Red'], [color('Red', 'No opinion')], undefined],
  ['an option in other case and spaces', ['Blue'], [color('Red', ' blue')], undefined],
  ['an option with a key of its own', ['Blue'], [color('Red', { text: 'No opinion', key: 'none' })], undefined],
  ['an option that says it is the same', ['Blue'], [color('Red', { text: 'Azure', key: 'option_2' })], undefined],
  ['an option that is inserted', ['Blue'], [color('Green', 'Red', 'Blue')], undefined],
  ['an option that is removed', ['Blue'], [color('Red')], undefined],
])('an import that replaces %s is refused if answers would count for it', async (_, chosen, questions, refusal) => {
  const name = randomUUID();
  const [template] = (await run('import', survey(name, [color('Red', 'Blue')]))).ids.templates;
  const [{ page_id, page }] = template.template_pages;
  const { token } = team;
  for (const value of chosen) {
    const body = { contact: { unique_id: randomUUID() } };
    const { body: journey } = await api.request('POST', `/v1/templates/${template.id}/journeys`, { body, token });
    const answers = [{ block_id: page.content_blocks[0].id, values: [{ key: 'question_1', value }] }];
    const sent = { type: 'page_completed', page_id, answers };
    expect(await api.request('POST', `/j/${journey.slug}/actions`, { body: sent })).toMatchObject({ status: 204 });
  }
  const changed = fileOf(survey(name, questions));
  // `--new` accepts other names of templates alone.
  for (const verb of [['check'], ['import', '--strict'], ['import', '--new', '--strict']]) {
    const { status, value } = await adminJson('content', ...verb, changed, '--team', team.teamId);
    if (!refusal) expect({ status, value }).toMatchObject({ status: 0, value: { consequences: [] } });
    else {
      expect({ status, value }).toMatchObject({
        status: 1,
        value: { error: 'conflict', details: [{ message: expect.stringMatching(refusal) }] },
      });
      expect(value.details[0]).toMatchObject({
        path: '/templates/0/template_pages/0/page',
        message: expect.stringContaining('--accept-moves'),
      });
    }
  }
  const accepted = await adminJson('content', 'import', changed, '--team', team.teamId, '--accept-moves');
  expect(accepted).toMatchObject({ status: 0, value: { consequences: refusal ? [{ people: 1 }] : [] } });
});

test('counts the people of a campaign with more than 1,000 journeys by its results', async () => {
  const name = randomUUID();
  const { token } = team;
  const [template] = (await run('import', survey(name, [color('Red', 'Blue')]))).ids.templates;
  const [{ page_id, page }] = template.template_pages;
  for (const _ of ['first 500', 'next 500']) {
    const contacts = Array.from({ length: 500 }, () => ({
      ...{ unique_id: randomUUID(), journey: { template_id: template.id } },
    }));
    expect((await api.request('POST', '/v1/contacts', { body: { contacts }, token })).status).toBe(200);
  }
  const body = { contact: { unique_id: randomUUID() } };
  const { body: journey } = await api.request('POST', `/v1/templates/${template.id}/journeys`, { body, token });
  const answers = [{ block_id: page.content_blocks[0].id, values: [{ key: 'question_1', value: 'Blue' }] }];
  await api.request('POST', `/j/${journey.slug}/actions`, { body: { type: 'page_completed', page_id, answers } });
  const results = `/v1/templates/${template.id}/results`;
  await expect
    .poll(async () => (await api.request('GET', results, { token })).body)
    .toMatchObject({ journeys: { created: 1001 }, pages: [{ completed: 1 }] });
  const list = await admin(['template', 'journeys', '--team', team.teamId, '--template', name]);
  expect(list.stdout + list.stderr).toContain('The first 50.');
  const otherPage = { content_name: 'Other', completion_condition: 'confirm', content: 'New' };
  for (const changed of [
    survey(name, [color('Red', 'No opinion')]),
    { templates: [{ name, template_pages: [{ order: 1, page: otherPage }] }] },
  ]) {
    const { status, value } = await adminJson('content', 'check', fileOf(changed), '--team', team.teamId);
    const details = [{ message: expect.stringContaining('which at least 1 person ') }];
    expect({ status, value }).toMatchObject({ status: 1, value: { error: 'conflict', details } });
  }
});
