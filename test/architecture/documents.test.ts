import { describe, expect, test } from 'vitest';
import { problems } from '../../lib/http/errors.ts';
import * as keys from '../../lib/store/keys.ts';
import { read } from './sources.ts';

/** The rows of the first table under the heading, as cells without their code marks. */
function tableUnder(file: string, heading: string): string[][] {
  const [, section] = read(file).split(new RegExp(`^#+ ${heading}$`, 'm'));
  const [table = ''] = section?.match(/(?:^\|.*\|\n)+/m) ?? [];
  const rows = table.split('\n').slice(2, -1);
  return rows.map((row) =>
    row
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim().replaceAll('`', '')),
  );
}

describe('docs/reference.md', () => {
  test('lists exactly the errors that the service knows, each with its status', () => {
    const documented = tableUnder('docs/reference.md', 'Every error').map(([status, code]) => [Number(status), code]);
    const known = Object.entries(problems).map(([code, { status }]) => [status, code]);
    expect(documented.sort()).toEqual(known.sort());
  });
});

describe('docs/security.md', () => {
  test('names exactly the packages that are deployed', () => {
    const { dependencies } = JSON.parse(read('package.json'));
    const documented = tableUnder('docs/security.md', 'Deployed').map(([name]) => name);
    expect(documented.sort()).toEqual(Object.keys(dependencies).sort());
  });
});

describe('docs/data-model.md', () => {
  const team = '6f1c4f0e-8f4f-4c42-9b5e-2b4f0c1d7a10';
  const samples: Record<string, keys.Key[]> = {
    contactKey: [keys.contactKey(team, 'contact')],
    linkKey: [keys.linkKey(team, 'contact', 'number')],
    journeyKey: [keys.journeyKey(team, 'contact', 'template')],
    journeyActionKey: [keys.journeyActionKey(team, 'contact', 'template', { kind: 'viewed', page_id: 'page' })],
    responseKey: [keys.responseKey(team, 'contact', 'journey', { at: '2026-01-01T00:00:00.000000Z', id: 'response' })],
    identityCheckKey: [keys.identityCheckKey(team, 'contact')],
    journeyIdKey: [keys.journeyIdKey(team, 'journey')],
    slugKey: [keys.slugKey('slug')],
    countersKey: [keys.countersKey(team, 'template', 3, 'day/2026-01-01')],
    erasedCountersKey: [keys.erasedCountersKey(team, 'template', 3)],
    accountKey: [keys.accountKey(team, 'number')],
    holderKey: [keys.holderKey(team, 'number', 'contact')],
    holdersKey: [keys.holdersKey(team, 'number')],
    identityKey: [keys.identityKey(team, 'value')],
    teamKey: [keys.teamKey(team)],
    importStateKey: [keys.importStateKey(team)],
    productKey: [keys.productKey(team, 'code')],
    contentKey: [keys.contentKey(team)],
    contentPartKey: [keys.contentPartKey(team, 'revision', 7)],
    teamClientKey: [keys.teamClientKey(team, 'client')],
    teamFileKey: [keys.teamFileKey(team, 'file')],
    scanUseKey: [keys.scanUseKey(team, 'client')],
    teamsKey: [keys.teamsKey(team)],
    chunkKey: [keys.chunkKey(team, 'batch', 7)],
    uploadChunkKey: [keys.uploadChunkKey(team, 'batch', 'upload', 7)],
    payloadKey: [keys.payloadKey(team, 'payload', 7)],
    batchKey: [keys.batchKey(team, 'batch')],
    orderCounterKey: [keys.orderCounterKey(team)],
    chunkListKey: [keys.chunkListKey(team, 'OPEN', 7), keys.chunkListKey(team, 'FAILED', 7)],
    dropKey: [keys.dropKey(team, 'file')],
    expectedFileKey: [keys.expectedFileKey({ team_id: team, type: 'accounts', by: '05:00' })],
    eventHeadKey: [keys.eventHeadKey(team)],
    eventPackKey: [keys.eventPackKey(team, 7)],
    webhookKey: [keys.webhookKey(team, 'webhook')],
    webhookSecretsKey: [keys.webhookSecretsKey('webhook')],
    webhookEventKey: [
      keys.webhookEventKey(team, 'webhook', 'FAILED', '2026-01-01T00:00:00.000000Z#event'),
      keys.webhookEventKey(team, 'webhook', 'RETRY', keys.logPlace({ seq: 7, index: 0 }, 1)),
      keys.webhookEventKey(team, 'webhook', 'TEST', 'event'),
    ],
    webhooksKey: [keys.webhooksKey(team, 'webhook')],
    erasureKey: [keys.erasureKey(team, 'value')],
    clientKey: [keys.clientKey('client')],
    assertionKey: [keys.assertionKey('client', 'digest')],
    auditKey: [keys.auditKey(team, '2026-01-01T00:00:00.000000Z', 'entry')],
    signingKeyKey: [keys.signingKeyKey('kid')],
  };
  /** These make no kind of their own: the key of a chunk by its name, and those of the index. */
  const ofOthers = [
    'partsOfJourneyKey',
    'claimKey',
    'isBatchKey',
    'isLinkKey',
    'isHolderKey',
    'batchListKey',
    'batchIdOfListKey',
    'directoryKey',
    'contactIdOfDirectoryKey',
    'insertedAtOfDirectoryKey',
    'dropListKey',
    'fileIdOfDropListKey',
    'journeyListKey',
    'responseListKey',
    'timeOfListKey',
    'journeyIdOfResponseKey',
  ];
  const documented = tableUnder('docs/data-model.md', 'Items').map(([, pk, sk, madeBy]) => ({ pk, sk, madeBy }));
  /** `T#<team>#C#<contact>` as a pattern: every `<name>` stands for something without `#`. */
  const shape = (template: string) => new RegExp(`^${template.replaceAll(/<[^>]+>/g, '[^#]+')}$`);

  test('lists every kind of key that the store makes, and no other', () => {
    const made = Object.keys(keys).filter((name) => name.endsWith('Key') && !ofOthers.includes(name));
    expect(Object.keys(samples).sort()).toEqual(made.sort());
    expect([...new Set(documented.map(({ madeBy }) => madeBy))].sort()).toEqual(made.sort());
  });

  test.each(Object.entries(samples))('shows %s as it is made', (name, made) => {
    const rows = documented.filter(({ madeBy }) => madeBy === name);
    expect(rows).toHaveLength(made.length);
    for (const [at, { pk, sk }] of rows.entries()) {
      expect(made[at]!.pk).toMatch(shape(pk!));
      expect(made[at]!.sk).toMatch(shape(sk!));
    }
  });
});
