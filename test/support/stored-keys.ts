import * as keys from '../../lib/store/keys.ts';

export const team = '8f3c1a52-7f0e-4b5d-9a63-2f6f0c1de001';
const T = `T#${team}`;
const at = '2026-03-01T00:00:00.000000Z';
const unique = '705dca60-ab04-55fc-b6cd-9cccc16863d7';
const place = keys.logPlace({ seq: 7, index: 0 }, 1);

/** A key of each kind of item. Stored items have these keys, so a change of one needs a migration. */
export const storedKeys: [madeBy: string, key: keys.Key, pk: string, sk: string][] = [
  ['contactKey', keys.contactKey(team, 'c'), `${T}#C#c`, 'CONTACT'],
  ['linkKey', keys.linkKey(team, 'c', '1'), `${T}#C#c`, 'ACCOUNT#1'],
  ['journeyKey', keys.journeyKey(team, 'c', 't'), `${T}#C#c`, 'JOURNEY#t'],
  [
    'journeyActionKey',
    keys.journeyActionKey(team, 'c', 't', { kind: 'viewed', page_id: 'p' }),
    `${T}#C#c`,
    'JOURNEY#t#viewed#p',
  ],
  ['responseKey', keys.responseKey(team, 'c', 'j', { at, id: 'r' }), `${T}#C#c`, `RESPONSE#j#${at}#r`],
  ['identityCheckKey', keys.identityCheckKey(team, 'c'), `${T}#C#c`, 'PROOF'],
  ['journeyIdKey', keys.journeyIdKey(team, 'j'), `${T}#J#j`, 'JOURNEY'],
  ['slugKey', keys.slugKey('s'), 'S#s', 'JOURNEY'],
  ['accountKey', keys.accountKey(team, '1'), `${T}#A#1`, 'ACCOUNT'],
  ['identityKey', keys.identityKey(team, 'u'), `${T}#I#${unique}`, 'IDENTITY'],
  ['erasureKey', keys.erasureKey(team, 'u'), `${T}#X#${unique}`, 'ERASURE'],
  ['teamKey', keys.teamKey(team), T, 'TEAM'],
  ['productKey', keys.productKey(team, 'P'), T, 'PRODUCT#P'],
  ['contentKey', keys.contentKey(team), T, 'CONTENT'],
  ['contentPartKey', keys.contentPartKey(team, 'r', 7), `${T}#R#r`, 'PART#007'],
  ['teamClientKey', keys.teamClientKey(team, 'c'), T, 'CLIENT#c'],
  ['teamFileKey', keys.teamFileKey(team, 'f'), T, 'FILE#f'],
  ['teamsKey', keys.teamsKey(team), 'TEAMS', team],
  ['batchKey', keys.batchKey(team, 'b'), `${T}#B#b`, 'BATCH'],
  ['chunkKey', keys.chunkKey(team, 'b', 7), `${T}#B#b`, 'CHUNK#000007'],
  ['uploadChunkKey', keys.uploadChunkKey(team, 'b', 'u', 7), `${T}#B#b`, 'UPLOAD#u#000007'],
  ['payloadKey', keys.payloadKey(team, 'p', 7), `${T}#U#p`, 'PART#007'],
  ['orderCounterKey', keys.orderCounterKey(team), T, 'IMPORT'],
  ['importStateKey', keys.importStateKey(team), `${T}#Q`, 'IMPORT'],
  ['chunkListKey', keys.chunkListKey(team, 'OPEN', 7), `${T}#Q`, 'OPEN#000000000007'],
  ['chunkListKey', keys.chunkListKey(team, 'FAILED', 7), `${T}#Q`, 'FAILED#000000000007'],
  ['dropKey', keys.dropKey(team, 'f'), `${T}#F#f`, 'FILE'],
  [
    'expectedFileKey',
    keys.expectedFileKey({ team_id: team, type: 'accounts', by: '05:00' }),
    'EXPECTED',
    `${team}#accounts#05:00`,
  ],
  ['eventHeadKey', keys.eventHeadKey(team), `${T}#E`, 'HEAD'],
  ['eventPackKey', keys.eventPackKey(team, 7), `${T}#E`, 'PACK#000000000007'],
  ['clientKey', keys.clientKey('c'), 'CLIENT#c', 'CLIENT'],
  ['assertionKey', keys.assertionKey('c', 'd'), 'CLIENT#c', 'ASSERTION#d'],
  ['auditKey', keys.auditKey(team, at, 'e'), `AUDIT#${team}#2026-03`, `${at}#e`],
  ['scanUseKey', keys.scanUseKey(team, 'c'), `${T}#M#c`, 'SCANS'],
  ['signingKeyKey', keys.signingKeyKey('k'), 'KEYS', 'k'],
  ['countersKey', keys.countersKey(team, 't', 3, 'day/2026-01-01'), `${T}#S#t`, '3#day/2026-01-01'],
  ['erasedCountersKey', keys.erasedCountersKey(team, 't', 3), `${T}#S#t`, 'ERASED#3'],
  ['holderKey', keys.holderKey(team, '1', 'c'), `${T}#A#1`, 'HOLDER#c'],
  ['holdersKey', keys.holdersKey(team, '1'), `${T}#A#1`, 'HOLDERS'],
  ['webhookKey', keys.webhookKey(team, 'w'), `${T}#W`, 'WEBHOOK#w'],
  ['endedWebhookKey', keys.endedWebhookKey(team, 'w'), `${T}#W`, 'ENDED#w'],
  ['webhookSecretsKey', keys.webhookSecretsKey('w'), 'WEBHOOK#w', 'SECRETS'],
  ['webhookEventKey', keys.webhookEventKey(team, 'w', 'FAILED', `${at}#e`), `${T}#W#w`, `FAILED#${at}#e`],
  ['webhookEventKey', keys.webhookEventKey(team, 'w', 'RETRY', place), `${T}#W#w`, 'RETRY#000000000007#000000#0001'],
  ['webhookEventKey', keys.webhookEventKey(team, 'w', 'TEST', 'e'), `${T}#W#w`, 'TEST#e'],
  ['webhooksKey', keys.webhooksKey(team, 'w'), 'WEBHOOKS', `${team}#w`],
];
