import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { service, type TestService, type TestTeam } from '../support/service.ts';

let api: TestService;
let team: TestTeam;
beforeAll(async () => {
  api = await service();
  team = await api.newTeam();
});

async function pathsOf(method: string, path: string, body?: object): Promise<[status: number, paths: string[]]> {
  const { status, body: answer } = await api.request(method, path, { token: team.token, ...(body ? { body } : {}) });
  return [status, answer.details.map((each: { path: string }) => each.path)];
}

const keys = (count: number, prefix: string) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`${prefix}${at}`, 1]));

describe('all faults of a request are reported together', () => {
  describe('of merged metadata', () => {
    let id: string;
    const unique_id = 'much-metadata';
    beforeAll(async () => {
      const body = { unique_id, meta_public: keys(900, 'a') };
      ({ id } = (await api.request('POST', '/v1/contacts', { token: team.token, body })).body);
    });

    test.each([
      ['a bad field', { birthdate: 'x' }, ['/birthdate', '/meta_public']],
      ['other metadata over the limit by itself', { meta_private: keys(1001, 'p') }, ['/meta_private', '/meta_public']],
    ])('over the limit, and %s', async (_, fields, paths) => {
      const body = { meta_public: keys(200, 'b'), ...fields };
      expect(await pathsOf('PUT', `/v1/contacts/${id}`, body)).toEqual([422, paths]);
      expect(await pathsOf('POST', '/v1/contacts', { unique_id, ...body })).toEqual([422, paths]);
      const ofBatch = paths.map((path) => `/contacts/0${path}`);
      expect(await pathsOf('POST', '/v1/contacts', { contacts: [{ unique_id, ...body }] })).toEqual([422, ofBatch]);
    });
  });

  test.each([
    ['/v1/batches', 'limit=0&cursor=q'],
    [`/v1/templates/${randomUUID()}/responses`, 'since=yesterday&limit=0&cursor=q'],
    [`/v1/journeys/${randomUUID()}/responses`, 'limit=0&cursor=q'],
  ])('a cursor that is none, and other parameters of %s', async (path, query) => {
    const [status, paths] = await pathsOf('GET', `${path}?${query}`);
    const names = query.split('&').map((each) => each.split('=')[0]);
    expect([status, paths.sort()]).toEqual([400, names.sort()]);
  });
});
