import { record } from './accounts.ts';
import { has, holds, keys, matches, same, timePattern, uuidPattern } from './expect.ts';
import type { Json } from './http.ts';
import { check, shortCheck } from './suite.ts';
import { newId, type Team } from './world.ts';

const batch = (more: object = {}) => ({ type: 'accounts', records: [record()], ...more });
const post = async (team: Team, more: object = {}): Promise<Json> =>
  (await team.call(202, 'POST /v1/batches', batch(more))).body;
const refuse = (team: Team, status: number, paths: string[], more: object) =>
  team.refuse(status, paths, 'POST /v1/batches', batch(more));
const many = (count: number) => Array.from({ length: count }, () => record({ account_number: 'many' }));

shortCheck(
  'Contract 5: the answer is {"batch_id","type","chunk_index","records","status","duplicate"}, and the batch completes',
  async (world) => {
    const team = await world.team();
    const first = await post(team);
    keys(first, ['batch_id', 'type', 'chunk_index', 'records', 'status', 'duplicate'], 'the answer');
    has(first, { type: 'account', chunk_index: null, records: 1, status: 'accepted', duplicate: false }, 'the answer');
    matches(first.batch_id, uuidPattern, 'batch_id, which the service assigns');
    const status = await team.finished(first.batch_id);
    const fields = ['batch_id', 'type', 'status', 'chunks', 'records', 'errors', 'inserted_at', 'completed_at'];
    for (const field of fields) holds(field in status, `the status has no ${field}`);
    has(status, { batch_id: first.batch_id, type: 'account', status: 'completed', errors: [] }, 'the status');
    has(status.chunks, { accepted: 1, completed: 1, failed: 0 }, 'chunks');
    has(status.records, { accepted: 1, applied: 1, unchanged: 0, superseded: 0, rejected: 0 }, 'records');
    for (const field of ['inserted_at', 'completed_at']) matches(status[field], timePattern, field);
  },
);

check('Contract 5: type is account or accounts, answers say account; anything else is 422', async (world) => {
  const team = await world.team();
  for (const type of ['account', 'accounts']) same((await post(team, { type })).type, 'account', `type of ${type}`);
  for (const type of ['contacts', 'Account', '', null, 1, undefined]) await refuse(team, 422, ['/type'], { type });
});

check('Contract 5: records are 1 to 10,000 objects', async (world) => {
  const team = await world.team();
  for (const records of [[], {}, 'x', null, undefined]) await refuse(team, 422, ['/records'], { records });
  await refuse(team, 422, ['/records/0', '/records/1'], { records: [1, 'x'] });
  const link = { account_number: 'many', contact: { unique_id: 'many' } };
  await refuse(team, 422, ['/records'], { records: Array.from({ length: 10_001 }, () => link) });
  same((await post(team, { records: Array.from({ length: 10_000 }, () => link) })).records, 10_000, 'records');
});

check(
  'Specification, POST /v1/batches 1 and 2: a repeat of a pair is a retry; the records of the first request stand',
  async (world) => {
    const team = await world.team();
    const [batch_id, account_number, contact] = [newId(), newId(), await team.contact()];
    const records = (nickname: string) => [
      record({ account_number, nickname, contact: { unique_id: contact.unique_id } }),
    ];
    const pair = { batch_id, chunk_index: 3 };
    has(
      await post(team, { ...pair, records: records('first') }),
      { batch_id, chunk_index: 3, duplicate: false },
      'the first answer',
    );
    has(
      await post(team, { ...pair, records: records('first') }),
      { duplicate: true, records: 1, same_records: true, status: 'accepted' },
      'a repeat',
    );
    has(
      await post(team, { ...pair, records: [...records('second'), record()] }),
      { duplicate: true, records: 1, same_records: false },
      'other records',
    );
    has(
      await post(team, { ...pair, type: 5, records: 'x', chunk_count: 'y' }),
      { duplicate: true, records: 1, same_records: false },
      'whatever it holds',
    );
    has(await post(team, { ...pair, records: many(501) }), { duplicate: true }, '501 records for an accepted pair');
    same(
      (await team.finished(batch_id)).chunks.repeated,
      3,
      'chunks.repeated: answered as a duplicate with other records',
    );
    // A repeat must be a JSON object within 4 MB.
    await team.call(400, 'POST /v1/batches', [pair]);
    await team.call(413, 'POST /v1/batches', { ...pair, note: 'x'.repeat(4 * 1024 * 1024) });
    same(
      (await team.accountsOf(contact)).map(({ account }) => account.nickname),
      ['first'],
      'the account',
    );
    has(await post(team, { batch_id, chunk_index: 0 }), { duplicate: false, chunk_index: 0 }, 'another chunk_index');
    has(await post(team, { batch_id: newId(), chunk_index: 3 }), { duplicate: false }, 'another batch_id');
    has((await team.finished(batch_id)).chunks, { accepted: 2, completed: 2 }, 'chunks');
  },
);

check('Contract 5: a batch_id is the caller’s own within its team', async (world) => {
  const [{ team }, { team: other }] = [await world.content(), await world.other()];
  const pair = { batch_id: newId(), chunk_index: 0 };
  await post(team, pair);
  same((await post(other, pair)).duplicate, false, 'duplicate in another team');
  const mine = (await post(team)).batch_id;
  await other.call(404, `GET /v1/batches/${mine}`);
});

check('Contract 5: two concurrent requests of one pair are one acceptance', async (world) => {
  const team = await world.team();
  const pair = { batch_id: newId(), chunk_index: 0 };
  const answers = await Promise.all(Array.from({ length: 6 }, () => post(team, pair)));
  same(answers.filter(({ duplicate }) => !duplicate).length, 1, 'acceptances');
  has((await team.finished(pair.batch_id)).chunks, { accepted: 1 }, 'chunks');
});

check('Contract 5: requests without chunk_index are never duplicates of one another', async (world) => {
  const team = await world.team();
  const batch_id = newId();
  for (const chunk_index of [undefined, null])
    same((await post(team, { batch_id, chunk_index })).duplicate, false, 'duplicate');
  has((await team.finished(batch_id)).chunks, { accepted: 2 }, 'chunks');
});

check(
  'Specification, POST /v1/batches 5: chunk_index without batch_id, or with more than 500 records, is 400',
  async (world) => {
    const team = await world.team();
    for (const batch_id of [undefined, null, '']) await refuse(team, 400, ['/batch_id'], { batch_id, chunk_index: 0 });
    const response = await team.call(
      400,
      'POST /v1/batches',
      batch({ batch_id: newId(), chunk_index: 0, records: many(501) }),
    );
    same(
      response.body.details.map(({ path }: Json) => path),
      ['/records'],
      'paths of 501 records',
    );
    has(await post(team, { batch_id: newId(), chunk_index: 0, records: many(500) }), { records: 500 }, '500 records');
  },
);

check('Contract 5: without chunk_index the service splits into server-side chunks of 500', async (world) => {
  const team = await world.team();
  for (const [count, chunks] of [
    [500, 1],
    [501, 2],
  ] as const) {
    const { batch_id } = await post(team, { records: many(count) });
    const status = await team.finished(batch_id);
    same([status.chunks.accepted, status.records.accepted], [chunks, count], 'chunks and records');
  }
});

check('Contract 5: chunk_index is a whole number from 0 to 999,999, else 422', async (world) => {
  const team = await world.team();
  const batch_id = newId();
  for (const chunk_index of [-1, 1_000_000, 1.5, '0', true, {}])
    await refuse(team, 422, ['/chunk_index'], { batch_id, chunk_index });
  same((await post(team, { batch_id, chunk_index: 999_999 })).chunk_index, 999_999, 'chunk_index');
});

check('Contract 5: batch_id is an opaque string of at most 128 characters', async (world) => {
  const team = await world.team();
  const filled = (length: number, letter: string) => newId().padEnd(length, letter);
  for (const batch_id of [filled(128, 'x'), filled(128, 'é'), `${newId()} /?#%2F`, `${newId()}日本`]) {
    same((await post(team, { batch_id })).batch_id, batch_id, 'batch_id');
    await team.finished(batch_id);
    same(
      (await team.get(`/v1/batches?${new URLSearchParams({ batch_id })}`)).batch_id,
      batch_id,
      'batch_id by the query',
    );
  }
  for (const batch_id of [filled(129, 'x'), 5, {}, 'a\ufffd']) await refuse(team, 422, ['/batch_id'], { batch_id });
});

check(
  'Contract 5: ids that begin with drop- or remove- are the service’s own: 422, whatever the body holds',
  async (world) => {
    const team = await world.team();
    for (const begin of ['drop-', 'remove-']) {
      const batch_id = `${begin}${newId()}`;
      for (const more of [{}, { chunk_index: 0 }, { chunk_index: 0, chunk_count: 2 }])
        await refuse(team, 422, ['/batch_id'], { batch_id, ...more });
      await refuse(team, 422, ['/batch_id', '/records'], { batch_id, chunk_index: 0, records: many(501) });
      await team.call(404, `GET /v1/batches/${batch_id}`);
      await post(team, { batch_id: `x${batch_id}` });
    }
  },
);

check('Contract 5: a bad record is 422 naming each, nothing is stored, and the pair stays free', async (world) => {
  const team = await world.team();
  const contact = await team.contact();
  const pair = { batch_id: newId(), chunk_index: 0 };
  const good = record({ contact: { unique_id: contact.unique_id } });
  await refuse(team, 422, ['/records/1/product/type', '/records/2/balance', '/type'], {
    ...{ ...pair, type: 'x' },
    records: [good, record({ product: { code: 'a', type: 'gold' } }), record({ balance: 'much' })],
  });
  await team.call(404, `GET /v1/batches/${pair.batch_id}`);
  same((await post(team, { ...pair, records: [good] })).duplicate, false, 'duplicate');
  await team.finished(pair.batch_id);
  same((await team.accountsOf(contact)).length, 1, 'accounts');
});

check('Contract 5: faults that are 400 and faults that are 422 together: 400, with all details', async (world) => {
  const team = await world.team();
  const sent = { type: 'x', chunk_index: 0, records: [record({ balance: 'much' })] };
  await refuse(team, 400, ['/batch_id', '/records/0/balance', '/type'], sent);
});

check(
  'Contract 5: chunk_count: status has chunks.expected and chunks.missing, and is processing until all have ended',
  async (world) => {
    const team = await world.team();
    const batch_id = newId();
    const status = async () => team.get(`/v1/batches/${batch_id}`);
    await post(team, { batch_id, chunk_index: 1, chunk_count: 3 });
    const first = await status();
    same(
      [first.status, first.chunks.expected, first.chunks.missing, first.completed_at],
      ['processing', 3, [0, 2], null],
      'the status',
    );
    for (const [chunk_index, chunk_count] of [
      [0, 2],
      [2, 4],
    ]) {
      const { body } = await team.call(409, 'POST /v1/batches', batch({ batch_id, chunk_index, chunk_count }));
      has(body.details[0], { path: '/chunk_count' }, 'the detail');
      const { message } = body.details[0];
      for (const count of [3, chunk_count]) {
        matches(message, new RegExp(`\\b${count}\\b`), 'the message, which names the value stored and the value sent');
      }
    }
    await post(team, { batch_id, chunk_index: 0 });
    same((await status()).chunks.missing, [2], 'missing, as nothing of the 409 was stored');
    await post(team, { batch_id, chunk_index: 2, chunk_count: 3 });
    const last = await team.finished(batch_id);
    same(
      [last.status, last.chunks.accepted, last.chunks.expected, last.chunks.missing],
      ['completed', 3, 3, []],
      'the status',
    );
    const unfinished = newId();
    await post(team, { batch_id: unfinished, chunk_index: 150, chunk_count: 200 });
    const { missing } = (await team.get(`/v1/batches/${unfinished}`)).chunks;
    same(
      missing,
      Array.from({ length: 100 }, (_, at) => at),
      'the first 100 missing',
    );
  },
);

check(
  'Contract 5: a chunk at or above the stored chunk_count that names none is accepted and counted',
  async (world) => {
    const team = await world.team();
    const batch_id = newId();
    await post(team, { batch_id, chunk_index: 0, chunk_count: 1 });
    for (const chunk_index of [1, 7])
      has(await post(team, { batch_id, chunk_index }), { duplicate: false }, 'the answer');
    has((await team.finished(batch_id)).chunks, { accepted: 3, completed: 3, expected: 1 }, 'chunks');
  },
);

check(
  'Contract 5: chunk_count is 1 to 1,000,000, only with a chunk_index, which lies below it, else 422',
  async (world) => {
    const team = await world.team();
    const at = (chunk_index: number) => ({ batch_id: newId(), chunk_index });
    for (const chunk_count of [0, -1, 1_000_001, 1.5, '3'])
      await refuse(team, 422, ['/chunk_count'], { ...at(0), chunk_count });
    for (const more of [{ batch_id: newId(), chunk_count: 2 }, { chunk_count: 2 }]) {
      same((await team.call(422, 'POST /v1/batches', batch(more))).body.details[0].path, '/chunk_count', 'the path');
    }
    const { details } = (await team.call(422, 'POST /v1/batches', batch({ ...at(2), chunk_count: 2 }))).body;
    matches(details[0].path, /^\/chunk_(count|index)$/, 'the path of an index that is not below the count');
    await post(team, { ...at(1), chunk_count: 2 });
    await post(team, { ...at(999_999), chunk_count: 1_000_000 });
  },
);

check(
  'Contract 5: records: applied changed something, unchanged did not, rejected could not be stored',
  async (world) => {
    const team = await world.team();
    const account_number = newId();
    const filled = (from: number, count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${from + at}`, 1]));
    const first = record({ account_number, nickname: 'A', meta_public: filled(0, 900) });
    has((await team.import([first])).records, { accepted: 1, applied: 1, unchanged: 0 }, 'records of the first');
    has((await team.import([first])).records, { accepted: 1, applied: 0, unchanged: 1 }, 'records of the same');
    const status = await team.import([record(), record({ account_number, meta_public: filled(900, 200) }), first]);
    has(status.records, { accepted: 3, applied: 1, unchanged: 1, superseded: 0, rejected: 1 }, 'records of three');
    same(status.errors.length, 1, 'errors');
    matches(JSON.stringify(status.errors[0]), /meta_public/, 'the error');
    holds(
      Object.values(status.errors[0]).includes(1),
      `the error ${JSON.stringify(status.errors[0])} has no record index`,
    );
  },
);

check('Contract 5: chunks take effect as they were accepted, and records in their order', async (world) => {
  const team = await world.team();
  const contact = await team.contact();
  const account_number = newId();
  const named = (nickname: string) => record({ account_number, nickname, contact: { unique_id: contact.unique_id } });
  const batches = [];
  for (let at = 0; at < 5; at++) batches.push(await post(team, { records: [named(`${at} a`), named(`${at} b`)] }));
  for (const { batch_id } of batches) await team.finished(batch_id);
  same((await team.accountsOf(contact))[0].account.nickname, '4 b', 'the nickname');
});

check(
  'Contract 5: an unknown batch is 404; ?batch_id= answers the same as the path; ?chunk_index= for one chunk',
  async (world) => {
    const team = await world.team();
    await team.call(404, `GET /v1/batches/${newId()}`);
    await team.call(404, `GET /v1/batches?batch_id=${newId()}`);
    const batch_id = newId();
    await post(team, { batch_id, chunk_index: 0, records: many(2) });
    await post(team, { batch_id, chunk_index: 1, records: many(3) });
    const status = await team.finished(batch_id);
    same(await team.get(`/v1/batches?batch_id=${batch_id}`), status, 'the status by the query');
    has(status.records, { accepted: 5 }, 'records');
    has(
      (await team.get(`/v1/batches?batch_id=${batch_id}&chunk_index=1`)).records,
      { accepted: 3 },
      'records of one chunk',
    );
    await team.call(404, `GET /v1/batches?batch_id=${batch_id}&chunk_index=2`);
    same(status.chunks.failed_indexes ?? [], [], 'failed_indexes');
  },
);

check(
  'Contract 5: GET /v1/batches lists the team’s batches, newest first, without errors, with limit and cursor',
  async (world) => {
    const team = await world.team();
    const made: string[] = [];
    for (let at = 0; at < 4; at++) made.push((await post(team)).batch_id);
    const page = await team.get('/v1/batches?limit=3');
    keys(page, ['batches', 'limit', 'has_more', 'next_cursor'], 'the list');
    same([page.batches.length, page.limit, page.has_more], [3, 3, true], 'the list');
    holds(!('errors' in page.batches[0]), 'a listed batch has errors');
    const whole = await team.get('/v1/batches?limit=100');
    const listed = whole.batches.map(({ batch_id }: Json) => batch_id).filter((id: string) => made.includes(id));
    same(listed, made.toReversed(), 'those of this check, newest first');
    const from = await team.get('/v1/batches?limit=1');
    const next = await team.get(`/v1/batches?limit=1&cursor=${encodeURIComponent(from.next_cursor)}`);
    holds(next.batches[0].batch_id !== from.batches[0].batch_id, 'the cursor does not continue');
    same((await team.get('/v1/batches')).limit, 20, 'limit by default');
    for (const limit of ['0', '101', 'x']) await team.refuse(400, ['limit'], `GET /v1/batches?limit=${limit}`);
    const forged = Buffer.from(JSON.stringify(['x', newId()])).toString('base64url');
    for (const cursor of ['x', forged, `${from.next_cursor}A`])
      await team.refuse(400, ['cursor'], `GET /v1/batches?limit=1&cursor=${cursor}`);
  },
);

check('Contract 5: a cursor of another team is 400', async (world) => {
  const [{ team }, { team: other }] = [await world.content(), await world.other()];
  for (let at = 0; at < 2; at++) await post(team);
  const { next_cursor } = await team.get('/v1/batches?limit=1');
  await other.call(400, `GET /v1/batches?limit=1&cursor=${encodeURIComponent(next_cursor)}`);
});

check('Contract 5: a request that names both a batch’s limits: 413 over 4 MB, nothing accepted', async (world) => {
  const team = await world.team();
  const batch_id = newId();
  const records = [record({ nickname: 'x'.repeat(4 * 1024 * 1024) })];
  await team.call(413, 'POST /v1/batches', { type: 'accounts', batch_id, records });
  await team.call(404, `GET /v1/batches/${batch_id}`);
});
