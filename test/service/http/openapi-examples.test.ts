import { beforeAll, describe, expect, test } from 'vitest';
import { recordedExchanges } from '../../../bin/examples/scenario.ts';
import { allContracts } from '../../../functions/contracts.ts';
import type { Exchange } from '../../../lib/http/openapi/exchanges.ts';
import { operationId } from '../../../lib/http/openapi/operation.ts';
import type { Route } from '../../../lib/route.ts';
import { routes } from '../../../lib/routes.ts';
import { read } from '../../support/architecture/sources.ts';
import { startService } from '../../support/service/service.ts';

const contracts = await allContracts();

/** When the interface or the sample content has changed. */
const remedy = 'record the examples again: node bin/examples.ts';
const text = read('examples/exchanges.json');
const recorded: Exchange[] = JSON.parse(text);
let replayed: Exchange[];

/** Uses a separate service, like the recording, because global objects of other tests would be in some responses. */
beforeAll(async () => {
  const { local, process } = await startService();
  try {
    replayed = await recordedExchanges(local);
  } finally {
    await process.stop();
  }
});

/** Two times may be the same in one recording and a millisecond apart in the other. */
const timeless = (exchange: Exchange | undefined) =>
  JSON.parse(JSON.stringify(exchange ?? null).replaceAll(/"\d{4}-\d{2}-\d{2}T[\d:.]+Z"/g, '"time"'));

describe('the examples of the document', () => {
  test.each(recorded.map(({ name }) => name))('%s: the service answers so today', (name) => {
    const named = (exchanges: readonly Exchange[]) => exchanges.find((each) => each.name === name);
    expect(timeless(named(replayed)), remedy).toEqual(timeless(named(recorded)));
  });

  test('are all that were recorded, each under a name of its own', () => {
    const names = recorded.map(({ name }) => name);
    expect(names, remedy).toEqual(replayed.map(({ name }) => name));
    expect(new Set(names).size).toBe(names.length);
  });

  test('show every answer that is JSON, of every operation', () => {
    const documented = (routes as readonly Route[]).flatMap((route) =>
      route.methods.flatMap((method) => {
        const answers = Object.entries(contracts.find(({ id }) => id === route.id)!.responses);
        return answers.filter(([, { schema }]) => schema).map(([status]) => `${operationId(route, method)} ${status}`);
      }),
    );
    const shown = new Set(recorded.map(({ operation, response }) => `${operation} ${response.status}`));
    // The document does not contain itself.
    const missing = documented.filter((each) => !shown.has(each));
    expect(missing, `add them to bin/examples/scenario.ts, then ${remedy}`).toEqual(['getOpenapi 200']);
  });

  test('hold no token and no secret', () => {
    // Random values contain more than lower-case words.
    const long = text.match(/eyJ[\w-]{8,}|[\w-]{40,}/g) ?? [];
    expect(long.filter((each) => !/^[a-z_]+$/.test(each))).toEqual([]);
  });
});
