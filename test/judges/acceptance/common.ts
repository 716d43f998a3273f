import { gunzipSync } from 'node:zlib';
import { record } from './accounts.ts';
import { has, holds, keys, matches, same } from './expect.ts';
import { type Headed, pathsOf, type Request, send } from './http.ts';
import { check, shortCheck } from './suite.ts';
import { newId, type Team } from './world.ts';

const bytes = (...parts: (string | number[])[]) =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.from(part))));

check('Contract 1: 400 for a body that is not JSON, with one detail whose path is ""', async (world) => {
  const team = await world.team();
  const huge = `{"unique_id":"a","meta_public":{"n":1${'0'.repeat(1024)}}}`;
  for (const body of [
    '{',
    'x',
    '{"unique_id":"a",}',
    'null',
    '"text"',
    '5',
    '[]',
    huge,
    '{"meta_public":{"n":1e999},"unique_id":"a"}',
  ]) {
    await team.refuse(400, [''], 'POST /v1/contacts', body);
  }
  await team.refuse(400, [''], 'POST /v1/contacts', bytes('{"unique_id":"', [0xff, 0xfe], '"}'));
  const tooLong = `{"unique_id":"${newId()}","meta_public":{"n":0.${'1'.repeat(1022)}}}`;
  await team.call(201, 'POST /v1/contacts', tooLong);
});

check('Contract 1: 415 for a declared type other than JSON, another charset, or a Content-Encoding', async (world) => {
  const team = await world.team();
  const body = JSON.stringify({ unique_id: newId() });
  const refused: Headed[] = [
    ...[
      'text/plain',
      'application/xml',
      'application/x-www-form-urlencoded',
      'application/json; charset=iso-8859-1',
    ].map((type) => ({ 'content-type': type })),
    { 'content-encoding': 'gzip' },
  ];
  for (const headers of refused) {
    const { message } = (await team.call(415, 'POST /v1/contacts', body, headers)).body;
    const name = 'content-encoding' in headers ? /content-encoding/i : /content-type/i;
    matches(message, name, 'the message, which names the header');
  }
  await team.call(201, 'POST /v1/contacts', body, { 'content-type': 'application/json; charset=UTF-8' });
});

check('Contract 1: 413 for a body over 4 MB; nothing is written', async (world) => {
  const team = await world.team();
  const unique_id = newId();
  const body = (length: number) => {
    const start = `{"unique_id":"${unique_id}","more":"`;
    return `${start}${'x'.repeat(length - start.length - 2)}"}`;
  };
  await team.call(413, 'POST /v1/contacts', body(4 * 1024 * 1024 + 1));
  same((await team.get(`/v1/contacts?unique_id=${unique_id}`)).contacts, [], 'contacts');
  await team.call(201, 'POST /v1/contacts', body(4 * 1024 * 1024));
});

check('Contract 1: 404 for no such route, 405 with Allow for another method', async (world) => {
  const team = await world.team();
  for (const request of ['GET /v1/nothing', 'GET /v2/contacts', 'POST /v1/contacts/a/b/c', 'GET /contacts'] as const) {
    const { status, body } = await send(team.baseUrl, request);
    same([status, body?.error], [404, 'not_found'], `the answer to ${request}`);
  }
  const allowed = {
    '/v1/contacts': ['GET', 'POST'],
    [`/v1/batches/${crypto.randomUUID()}`]: ['GET'],
    '/v1/batches': ['GET', 'POST'],
    '/v1/templates': ['GET'],
    '/v1/objectives': ['GET'],
    '/v1/journeys': ['GET'],
  };
  for (const [path, methods] of Object.entries(allowed)) {
    const { headers } = await team.call(405, `DELETE ${path}` as 'DELETE /');
    const allow = headers.get('allow')!.split(/, */);
    for (const method of methods) holds(allow.includes(method), `Allow of ${path} is ${allow}`);
    holds(!allow.includes('DELETE'), 'Allow names DELETE');
  }
});

check('Contract 1: parameters without a meaning beside others are unknown ones, which are ignored', async (world) => {
  const team = await world.team();
  const { id } = await team.contact();
  same(await team.get(`/v1/journeys?contact_id=${id}&limit=0&cursor=x&limit=1&updated_since=x`), [], 'the journeys');
  const { batch_id } = await team.import([record()]);
  await team.get(`/v1/batches?batch_id=${batch_id}&limit=0&cursor=x`);
  await team.get('/v1/batches?chunk_index=x&limit=1');
});

const strict = { prefer: 'handling=strict' };
const strictly =
  (status: number, request: Request, body: object, paths?: string[], headers: Headed = strict) =>
  async (team: Team): Promise<void> => {
    const response = await team.call(status, request, body, headers);
    same(response.headers.get('preference-applied'), 'handling=strict', `Preference-Applied of ${request}`);
    if (paths) same(pathsOf(response), paths, `the paths of ${request}`);
  };

check(
  'Contract 1: with Prefer: handling=strict an unknown field of a body is 422 with every other fault',
  async (world) => {
    const { team, ids } = await world.content();
    const { id, unique_id } = await team.contact();
    const start = `POST /v1/templates/${ids.short}/journeys` as const;
    const journey = (await team.call(201, start, { contact: { id } })).body;
    const wrong: [Request, object, string[]][] = [
      ['POST /v1/contacts', { unique_id, first_name: 'x', city: 5 }, ['/city', '/first_name']],
      [
        'POST /v1/contacts',
        { contacts: [{ unique_id, x: 1 }, {}], y: 1 },
        ['/contacts/0/x', '/contacts/1/unique_id', '/y'],
      ],
      ['POST /v1/contacts', { unique_id, journey: { template: 'x' } }, ['/journey/template']],
      [`PUT /v1/contacts/${id}`, { x: null, birthdate: 'x' }, ['/birthdate', '/x']],
      [`PATCH /v1/contacts/${id}`, { Email: 'a@example.com' }, ['/Email']],
      [start, { contact: { unique_id, x: 1 }, label: 'x', owner_id: 5 }, ['/contact/x', '/label', '/owner_id']],
      [start, { contact: { id, crm_owner: 'jd' } }, ['/contact/crm_owner']],
      [`PUT /v1/templates/${ids.short}/journeys/${journey.id}`, { is_completion_confirmed: true, by: 'x' }, ['/by']],
      [
        'POST /v1/batches',
        {
          type: 'x',
          records: [record({ x: 1, product: { code: 'P', type: 'loan', y: 1 }, 'contact.z': 1 })],
          batch: 'b',
        },
        ['/batch', '/records/0/contact.z', '/records/0/product/y', '/records/0/x', '/type'],
      ],
    ];
    for (const [request, body, paths] of wrong) await strictly(422, request, body, paths)(team);
    const again = await team.get(`/v1/contacts/${id}`);
    await strictly(200, `PUT /v1/contacts/${id}`, again)(team);
    await strictly(200, 'POST /v1/contacts', { unique_id, 'meta_public.a': 1, meta_private: { any: { x: 1 } } })(team);
    const others = { prefer: 'respond-async, Handling="strict", wait=10' };
    await strictly(422, 'POST /v1/contacts', { unique_id, x: 1 }, ['/x'], others)(team);
    const lenient = await team.call(200, 'POST /v1/contacts', { unique_id, x: 1 }, { prefer: 'handling=lenient' });
    same(lenient.headers.get('preference-applied'), null, 'Preference-Applied of a lenient request');
    same(lenient.headers.get('unused-fields'), '/x', 'the header that names what had no use');
  },
);

check('Contract 1: with Prefer: handling=strict a value that is stored but cannot be used is 422', async (world) => {
  const team = await world.team();
  const unusable = {
    email: 'ann',
    timezone: 'Nowhere/None',
    phone_home: '1234',
    phone_mobile: '(12) 34',
    phone_work: '1',
  };
  const paths = Object.keys(unusable).map((field) => `/${field}`);
  await strictly(422, 'POST /v1/contacts', { unique_id: newId(), ...unusable }, paths.sort())(team);
  await strictly(422, 'POST /v1/contacts', { email: 'ann' }, ['/email'])(team);
  const usable = { email: 'a@example.com', timezone: 'Europe/Prague', phone_home: '12345' };
  await strictly(201, 'POST /v1/contacts', { unique_id: newId(), ...usable })(team);
  await team.contact(unusable);
});

check('Contract 1: unknown query parameters are ignored; a query string is no place of a token', async (world) => {
  const team = await world.team();
  await team.get('/v1/contacts?favourite=blue&limit=1');
  await team.get('/v1/objectives?x=y');
  const made = await team.import([record({ favourite: 'x' })], { favourite: 1 });
  has(made.records, { applied: 1 }, 'records');
});

shortCheck('Contract 1: HEAD answers as GET without the body', async (world) => {
  const team = await world.team();
  const { id } = await team.contact();
  for (const path of ['/v1/contacts', `/v1/contacts/${id}`, '/v1/templates', '/openapi.json'] as const) {
    const [get, head] = [await team.call(200, `GET ${path}`), await team.call(200, `HEAD ${path}`)];
    same([head.text, head.headers.get('etag')], ['', get.headers.get('etag')], `HEAD ${path}`);
    same(head.headers.get('content-type'), get.headers.get('content-type'), 'content-type');
  }
  await team.call(404, `HEAD /v1/contacts/${crypto.randomUUID()}`);
  await team.open(401, 'HEAD /v1/contacts');
});

check('Contract 1: with Accept-Encoding: gzip, JSON and HTML of 4 KB and more come compressed', async (world) => {
  const team = await world.team();
  const { id } = await team.contact({ meta_public: { a: 'x'.repeat(8000) } });
  const small = await team.contact();
  const encoding = async (path: string, accepted: string) => {
    const { request } = await import('node:http');
    const { request: secure } = await import('node:https');
    const url = new URL(`${team.baseUrl}${path}`);
    const headers = { authorization: `Bearer ${await team.token()}`, 'accept-encoding': accepted };
    return new Promise<string | undefined>((resolve, reject) => {
      const send = url.protocol === 'https:' ? secure : request;
      send(url, { headers }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => {
          const name = response.headers['content-encoding'];
          const body = Buffer.concat(chunks);
          JSON.parse(String(name === 'gzip' ? gunzipSync(body) : body));
          resolve(name);
        });
      })
        .on('error', reject)
        .end();
    });
  };
  same(await encoding(`/v1/contacts/${id}`, 'gzip'), 'gzip', 'Content-Encoding of a large answer');
  same(await encoding(`/v1/contacts/${id}`, 'deflate, gzip;q=0.5'), 'gzip', 'Content-Encoding with several');
  for (const accepted of ['identity', 'x-gzip-not', 'gzip;q=0'])
    same(await encoding(`/v1/contacts/${id}`, accepted), undefined, `with ${accepted}`);
  same(await encoding(`/v1/contacts/${small.id}`, 'gzip'), undefined, 'Content-Encoding of a small answer');
});

check('Contract 1: a malformed id in a path is 404', async (world) => {
  const team = await world.team();
  for (const id of ['x', '1', '%00', '..%2F', 'a'.repeat(300), '%F0%9F%8F%A6']) {
    await team.call(404, `GET /v1/contacts/${id}`);
    await team.call(404, `GET /v1/templates/${id}`);
  }
});

check('Contract 1: a number that is no id, and what is not a number to us, never is a 500', async (world) => {
  const team = await world.team();
  for (const value of ['1.0', '1e300', '-0', '12345678901234567890', '{"toString":1}']) {
    await team.refuse(422, ['/unique_id'], 'POST /v1/contacts', `{"unique_id":${value}}`);
    await team.refuse(
      422,
      ['/records/0/account_number'],
      'POST /v1/batches',
      `{"type":"account","records":[{"account_number":${value},"product":{"code":"a","type":"loan"}}]}`,
    );
  }
  const many = `{"contacts":[${'1,'.repeat(130_000)}1]}`;
  await team.call(422, 'POST /v1/contacts', many);
});

check('Contract 1: x-request-id differs between responses, and is the request_id of an error', async (world) => {
  const team = await world.team();
  const [a, b] = [await team.call(404, 'GET /v1/contacts/x'), await team.call(404, 'GET /v1/contacts/x')];
  same(a.body.request_id, a.headers.get('x-request-id'), 'request_id');
  holds(a.body.request_id !== b.body.request_id, 'two responses have one id');
  keys(a.body, ['error', 'message', 'request_id'], 'the body of a 404');
  const refused = await team.call(422, 'POST /v1/contacts', {});
  keys(refused.body, ['error', 'message', 'request_id', 'details'], 'the body of a 422');
  matches(a.headers.get('content-type'), /^application\/json/, 'content-type');
});
