import { record } from './accounts.ts';
import { privateFields, publicFields } from './content.ts';
import { has, holds, matches, same } from './expect.ts';
import { eventually, type Json } from './http.ts';
import { act } from './journeys.ts';
import { actions, completes, refused, views } from './pages.ts';
import { check, once } from './suite.ts';
import { newId } from './world.ts';

const proof = { birth_month: '3', birth_day: '27', birth_year: '1985' };
const person = { birthdate: '1985-03-27', phone_mobile: '16125550123', post_code: '94110' };
/** Answers to what the page can ask: birthdate, the last four digits of the phone, post code. */
const answers = (birth_day = '27') => new URLSearchParams({ ...proof, birth_day, phone: '0123', post_code: '94110' });

/** A person’s journey with private values, before and after the identity is proved. */
const proved = once(async (world) => {
  const { team, ids } = await world.content();
  const journey = await team.journey(ids.private, {
    ...{ ...person, name_first: 'Ada', city: 'Brno', phone_home: '16125550777', phone_work: '16125550888' },
    ...{ meta_public: { branch: 'north' }, meta_private: { limit: 'seven thousand' } },
  });
  const { unique_id } = journey.contact;
  const account = { nickname: 'Nest egg', balance: '31415.92', meta_public: { color: 'blue' } };
  const sent = record({ ...account, contact: { unique_id } });
  await team.import([sent]);
  const before = (await team.open(200, `GET /j/${journey.slug}`)).text;
  const { headers } = await team.open(303, `POST /j/${journey.slug}/identity`, answers());
  const cookie = headers.get('set-cookie')!.split(';')[0]!;
  const after = (await team.open(200, `GET /j/${journey.slug}`, undefined, { cookie })).text;
  return { team, ids, journey, before, after, cookie, account_number: sent.account_number };
});

check(
  'Contract 2: an answer is private where the content shown put a private value into it: question, text and value',
  async (world) => {
    const { team, ids } = await world.content();
    const journey = await team.journey(ids.secret, { ...person, meta_private: { limit: 'seven thousand' } });
    const { headers } = await team.open(303, `POST /j/${journey.slug}/identity`, answers());
    const cookie = headers.get('set-cookie')!.split(';')[0]!;
    const given = [
      { block_id: ids.secretBlock, values: [{ key: 'question_1', value: 'seven thousand' }] },
      { block_id: ids.openBlock, values: [{ key: 'why', value: 'A car' }] },
    ];
    await team.open(204, actions(journey), { ...completes(ids.secretPage!), answers: given }, { cookie });
    const responses = async (path: `/${string}`, headers = {}) =>
      (await team.get(path, headers)).responses.toSorted(
        (a: Json, b: Json) => Number(b.block_id === ids.secretBlock) - Number(a.block_id === ids.secretBlock),
      );
    const own = `/v1/journeys/${journey.id}/responses` as const;
    const ofAll = `/v1/templates/${ids.secret}/responses?since=${journey.contact.inserted_at}` as const;
    await eventually(async () => same((await responses(ofAll)).length, 2, 'the responses of the template'));
    for (const path of [own, ofAll]) {
      const whole = await responses(path);
      same([whole[0].values[0].value, whole[0].values[0].question], ['seven thousand', 'How much?'], 'with the scope');
      const limited = await responses(path, await team.only('journeys:read'));
      const [{ text, values }] = limited;
      same([text, values[0].question, values[0].value], [null, null, null], 'without the scope');
      same([limited[1].text, limited[1].values], [whole[1].text, whole[1].values], 'what shows nothing private');
    }
  },
);

/** What stands in the page for a placeholder. */
const shownFor = (page: string, field: string): string | undefined =>
  page
    .split(`${field}=[`)[1]
    ?.split(']')[0]
    ?.replaceAll(/<[^>]*>/g, '')
    .trim();

check(
  'Contract 10: public placeholders are shown: contact fields, meta_public, nickname and meta_public of an account',
  async (world) => {
    const { before } = await proved(world);
    same(
      publicFields.map((field) => shownFor(before, field)),
      ['Ada', 'Brno', 'north', 'Nest egg', 'blue'],
      'what is shown',
    );
  },
);

check(
  'Contract 10: what proves identity, meta_private and other account fields are never shown before it is proved',
  async (world) => {
    const { before, account_number } = await proved(world);
    const marks = new Set(privateFields.map((field) => shownFor(before, field)));
    same(marks.size, 1, `different marks ${[...marks]}`);
    holds([...marks][0], 'there is no mark');
    holds(!before.includes(account_number), 'the page shows the account number');
    // Four digits can occur in an id.
    const text = before.replaceAll(/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g, '');
    for (const value of ['1985', '0777', '0123', '0888', '94110', 'seven thousand', '31,415', '31415']) {
      holds(!text.includes(value), `the page shows ${value}`);
    }
  },
);

check('Contract 10: they are shown after it is proved', async (world) => {
  const { after, account_number } = await proved(world);
  matches(shownFor(after, 'meta_private.limit'), /seven thousand/, 'meta_private');
  matches(shownFor(after, 'account.balance'), /31.?415[.,]92/, 'the balance');
  matches(shownFor(after, 'account.account_number'), new RegExp(account_number), 'the account number');
  matches(shownFor(after, 'birthdate'), /1985/, 'birthdate');
  matches(shownFor(after, 'phone_home'), /0777/, 'phone_home');
});

check('Contract 10: the proof ends when one of the facts changes on file', async (world) => {
  const { team, ids } = await world.content();
  for (const change of [{ birthdate: '1986-03-27' }, { phone_mobile: '16125550999' }, { post_code: '10000' }]) {
    const { slug, contact } = await team.journey(ids.private, { ...person, meta_private: { limit: 'seven' } });
    const { headers } = await team.open(303, `POST /j/${slug}/identity`, answers());
    const cookie = headers.get('set-cookie')!.split(';')[0]!;
    const limit = async () =>
      shownFor((await team.open(200, `GET /j/${slug}`, undefined, { cookie })).text, 'meta_private.limit');
    same(await limit(), 'seven', 'the private value');
    await team.call(200, `PUT /v1/contacts/${contact.id}`, { city: 'Brno' });
    same(await limit(), 'seven', 'the private value after another change');
    await team.call(200, `PUT /v1/contacts/${contact.id}`, change);
    holds((await limit()) !== 'seven', `the proof does not end with ${Object.keys(change)}`);
  }
});

check('Contract 10: a wrong answer proves nothing', async (world) => {
  const { team, ids } = await world.content();
  const { slug } = await team.journey(ids.private, person);
  const response = await fetch(`${team.baseUrl}/j/${slug}/identity`, {
    method: 'POST',
    body: answers('28'),
    redirect: 'manual',
  });
  holds(response.status !== 303 || !response.headers.get('set-cookie'), 'a wrong answer is a proof');
});

check(
  'Contract 10: where the template asks for proof of identity, actions without it are 403 identity_required',
  async (world) => {
    const { team, ids } = await world.content();
    const journey = await team.journey(ids.closed, { ...person, name_first: 'Adalbert' });
    const page = (await team.open(200, `GET /j/${journey.slug}`)).text;
    holds(!page.includes('Adalbert'), 'the page shows the name');
    for (const body of [views(ids.closedPage), completes(ids.closedPage)])
      await refused(team, 403, 'identity_required', journey, body);
    const { headers } = await team.open(303, `POST /j/${journey.slug}/identity`, answers());
    const cookie = headers.get('set-cookie')!.split(';')[0]!;
    matches((await team.open(200, `GET /j/${journey.slug}`, undefined, { cookie })).text, /Hello Adalbert/, 'the page');
    await team.open(204, actions(journey), completes(ids.closedPage), { cookie });
  },
);

check('Contract 10: completing a page that withholds something needs the proof, viewing it does not', async (world) => {
  const { team, ids } = await world.content();
  const journey = await team.journey(ids.private, person);
  await refused(team, 403, 'identity_required', journey, completes(ids.privatePage));
  await act(team, journey, 'page_viewed', ids.privatePage);
  same((await team.journeyOf(journey.contact)).analytics_cache.pages_viewed, [ids.privatePage], 'pages_viewed');
});

check('Contract 10: account is the contact’s open account that was opened last', async (world) => {
  const { team, ids } = await world.content();
  const { slug, contact } = await team.journey(ids.private);
  const { unique_id } = contact;
  const account = (nickname: string, opened_date: string, more: object = {}) =>
    record({ nickname, opened_date, contact: { unique_id }, ...more });
  await team.import([
    account('Old', '2020-01-01'),
    account('Newer', '2022-01-01'),
    account('Shut', '2024-01-01', { closed_date: '2024-06-01' }),
  ]);
  same(shownFor((await team.open(200, `GET /j/${slug}`)).text, 'account.nickname'), 'Newer', 'the nickname');
});

check('Contract 10: the pages’ own words are in the language of the template', async (world) => {
  const { team, ids } = await world.content();
  const page = async (id: string) => (await team.open(200, `GET /j/${(await team.journey(id)).slug}`)).text;
  matches(await page(ids.short), /<html[^>]* lang="en"/, 'the page in English');
  matches(await page(ids.french), /<html[^>]* lang="fr"/, 'the page in French');
  matches(await page(ids.arabic), /<html(?=[^>]* lang="ar")(?=[^>]* dir="rtl")/, 'the page in Arabic');
});

check('Contract 10: an archived template’s actions and page are 410 gone', async (world) => {
  const { team } = await world.content();
  const [template, page] = [crypto.randomUUID(), crypto.randomUUID()];
  const write = (more: object) =>
    world.admin(['content', 'import', '-', '--team', team.credential.team_id!], {
      templates: [
        {
          id: template,
          name: newId(),
          template_pages: [{ order: 1, page: { id: page, completion_condition: 'confirm', content: 'x' } }],
          ...more,
        },
      ],
    });
  await write({ status: 'live', name: template });
  const journey = await team.journey(template);
  await act(team, journey, 'page_viewed', page);
  await write({ is_archived: true, name: template });
  // Each instance of a function has the content of some seconds ago.
  await eventually(async () => {
    const { status } = await fetch(`${team.baseUrl}/j/${journey.slug}`);
    same(status, 410, 'the status of the page of an archived template');
    await refused(team, 410, 'gone', journey, completes(page));
  });
  has(await team.journeyOf(journey.contact), { template_id: template }, 'the journey');
});
