import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { allScopes, type Scope } from '../../../lib/domain/access/scope.ts';
import { putContent } from '../../support/operations/content.ts';
import { admin } from '../../support/service/admin.ts';
import { limitedToken } from '../../support/service/clients.ts';
import { cookieOf, identityRequests, known, right } from '../../support/service/identity-requests.ts';
import { temporaryDirectory } from '../../support/service/process.ts';
import { until } from '../../support/until.ts';

/** What a response shows of an answer is private where its block showed a private value (contract, section 2). */

const { api, team, journey, post } = await identityRequests();
const secret = known.meta_private.limit;
const hole = 'Up to {{meta_private.limit}}?';

type Block = { heading: string; questions: unknown[] };
const plain: Block = { heading: 'Your plans', questions: [{ text: 'How much?', options: ['Little', 'All'] }, 'Why?'] };
/** Where the private value stands, and the block that shows it. The person answers in Spanish. */
const places: [
  string,
  Block,
  { isPrivate: boolean; isChosen?: boolean; beside?: string; translations?: object; variables?: object },
][] = [
  ['nowhere', plain, { isPrivate: false }],
  ['in the heading', { ...plain, heading: hole }, { isPrivate: true }],
  ['in the question', { ...plain, questions: [{ text: hole, options: ['Little', 'All'] }] }, { isPrivate: true }],
  [
    'in the chosen option',
    { ...plain, questions: [{ text: 'How much?', options: ['Little', hole] }] },
    { isPrivate: true },
  ],
  [
    'in another option',
    { ...plain, questions: [{ text: 'How much?', options: [hole, 'All'] }] },
    { isPrivate: true, isChosen: false },
  ],
  [
    'through a variable of the page',
    { ...plain, heading: 'Up to {{most}}?' },
    { isPrivate: true, variables: { most: 'meta_private.limit' } },
  ],
  ['in the translation', plain, { isPrivate: true, translations: { es: { 'How much?': hole } } }],
  ['only in another language', plain, { isPrivate: false, translations: { de: { 'How much?': hole }, es: {} } }],
  ['in another block', plain, { isPrivate: false, beside: hole }],
];

const scopes: [string, readonly Scope[], 'whole' | 'limited' | 'none'][] = [
  ['all scopes', allScopes, 'whole'],
  ['journeys:read and contacts:private', ['journeys:read', 'contacts:private'], 'whole'],
  ['journeys:read alone', ['journeys:read'], 'limited'],
  ['all but contacts:private', allScopes.filter((scope) => scope !== 'contacts:private'), 'limited'],
  ['all but journeys:read', allScopes.filter((scope) => scope !== 'journeys:read'), 'none'],
];
const tokens = await Promise.all(scopes.map(([, own]) => limitedToken(api, team.teamId, ...own)));

test.each(places)('with a private value %s', async (_, data, of) => {
  const { isPrivate, isChosen = isPrivate, beside = 'Hello', translations = {}, variables = {} } = of;
  const survey = { id: randomUUID(), type: 'survey', order: 1, data };
  const content_blocks = [survey, { id: randomUUID(), type: 'text', order: 2, data: { body: beside } }];
  const page = { id: randomUUID(), completion_condition: 'confirm', content_blocks };
  const template = {
    ...{ id: randomUUID(), name: randomUUID(), language: 'en', is_auth_required: true, translations },
    template_pages: [{ id: randomUUID(), page, content_variables: variables }],
  };
  await putContent(api.database, team.teamId, { templates: [template] });
  const person = await journey(template, { ...known, meta_public: { language: 'es' } });
  const cookie = cookieOf(await post(person.path, right));
  const values = [
    { key: 'question_1', value: 'option_2' },
    ...(data.questions[1] ? [{ key: 'question_2', value: 'My own words' }] : []),
  ];
  const body = { type: 'page_completed', page_id: page.id, answers: [{ block_id: survey.id, values }] };
  for (const _ of ['first', 'again'])
    expect((await api.request('POST', `${person.path}/actions`, { body, headers: { cookie } })).status).toBe(204);

  const whole = (await api.request('GET', `/v1/journeys/${person.id}/responses`, { token: team.token })).body.responses;
  expect(whole[0].values[0].option_key).toBe('option_2');
  expect([whole.length, JSON.stringify(whole).includes(secret)]).toEqual([2, isChosen]);
  const hidden = {
    ...whole[0],
    values: whole[0].values.map((each: object) => ({ ...each, question: null, value: null })),
    text: null,
  };
  const ofAll = `/v1/templates/${template.id}/responses`;
  const own = { journey_id: person.id, contact: { id: person.contact_id, unique_id: person.unique_id } };
  await until(
    'the list has the response',
    async () => (await api.request('GET', ofAll, { token: team.token })).body.responses.length === 2,
  );
  for (const [path, more] of [
    [`/v1/journeys/${person.id}/responses`, {}],
    [ofAll, own],
  ] as const) {
    for (const [at, [name, , shown]] of scopes.entries()) {
      const { status, body: page, headers } = await api.request('GET', `${path}?limit=1`, { token: tokens[at]! });
      const seen = shown === 'whole' || !isPrivate ? whole[0] : hidden;
      const expected = shown === 'none' ? [403, undefined] : [200, [{ ...seen, ...more }]];
      expect([name, status, page.responses]).toEqual([name, ...expected]);
      const next = `<${api.baseUrl}${path}?cursor=${page.next_cursor}>; rel="next"`;
      expect([name, headers.get('link')]).toEqual([name, shown === 'none' ? null : next]);
    }
  }

  // A page shows it with the proof alone; results and events never; the commands of an administrator do.
  const html = async (headers = {}) => (await api.request('GET', `${person.path}?page=${page.id}`, { headers })).body;
  expect(await html({ cookie })).toContain(data.questions[1] ? 'My own words' : secret);
  for (const word of [secret, 'My own words']) expect(await html()).not.toContain(word);
  for (const path of [`/v1/templates/${template.id}/results`, '/v1/events?limit=1000'])
    expect(JSON.stringify((await api.request('GET', path, { token: team.token })).body)).not.toContain(secret);
  const file = join(temporaryDirectory(), `${template.id}.jsonl`);
  const [ofTeam, ofPerson] = [
    ['--team', team.teamId],
    ['--unique-id', person.unique_id],
  ];
  const csv = await admin(['template', 'responses', ...ofTeam, '--template', template.id, '--csv']);
  const exported = await admin(['contact', 'export', ...ofTeam, ...ofPerson]);
  await admin(['team', 'export', file, ...ofTeam]);
  const chosen = whole[0].values[0].value;
  for (const text of [csv.stdout, exported.stdout, readFileSync(file, 'utf8')]) expect(text).toContain(chosen);
  if (of !== places[0]![2]) return;
  // The campaign asks for no proof any more: the page is open, and what was answered with a proof is not on it.
  await putContent(api.database, team.teamId, { templates: [{ ...template, is_auth_required: false }] });
  await until('the page is open', async () => (await html()).includes(data.heading));
  expect(await html()).not.toContain('My own words');
});
