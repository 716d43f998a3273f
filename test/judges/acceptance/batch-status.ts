import { record } from './accounts.ts';
import { batch, many, post, refuse } from './batches.ts';
import { has, holds, keys, matches, same } from './expect.ts';
import type { Json } from './http.ts';
import { check } from './suite.ts';
import { newId } from './world.ts';

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
