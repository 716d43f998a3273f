import type { Item } from '../../../lib/store/table/database.ts';
import { type ItemKind, kindOf } from '../../../lib/store/table/item-kinds.ts';
import * as keys from '../../../lib/store/table/keys.ts';

export const team = '8f3c1a52-7f0e-4b5d-9a63-2f6f0c1de001';
const T = `T#${team}`;
const at = '2026-03-01T00:00:00.000000Z';
const unique = '705dca60-ab04-55fc-b6cd-9cccc16863d7';
const place = keys.logPlace({ seq: 7, index: 1 });

/** Of items that `items.ts` does not declare, or that expire although it says that they do not. */
export const undeclaredKeys = (items: Iterable<Item>): string[] =>
  [...items].flatMap(({ pk, sk, expires_at }) => {
    const kind = kindOf({ pk, sk })?.kind;
    return !kind || (expires_at !== undefined && !kind.expires) ? [`${pk} ${sk}`] : [];
  });

/** A key of each kind of item. Stored items have these keys, so a change of one needs a migration. */
export const storedKeys: [kind: ItemKind, key: keys.Key, pk: string, sk: string][] = [
  ['contact', keys.contactKey(team, 'c'), `${T}#C#c`, 'CONTACT'],
  ['link', keys.linkKey(team, 'c', '1'), `${T}#C#c`, 'ACCOUNT#1'],
  ['journey', keys.journeyKey(team, 'c', 't'), `${T}#C#c`, 'JOURNEY#t'],
  ['action', keys.journeyActionKey(team, 'c', 't', { kind: 'viewed', page_id: 'p' }), `${T}#C#c`, 'JOURNEY#t#viewed#p'],
  ['accountJourney', keys.journeyKey(team, 'c', 't', 'a'), `${T}#C#c`, 'JOURNEY-ACCOUNT#t#a'],
  [
    'accountAction',
    keys.journeyActionKey(team, 'c', 't', { kind: 'viewed', page_id: 'p' }, 'a'),
    `${T}#C#c`,
    'JOURNEY-ACCOUNT#t#a#viewed#p',
  ],
  ['response', keys.responseKey(team, 'c', 'j', { at, id: 'r' }), `${T}#C#c`, `RESPONSE#j#${at}#r`],
  ['identityAttempts', keys.identityCheckKey(team, 'c'), `${T}#C#c`, 'PROOF'],
  ['judged', keys.judgedKey(team, 'c'), `${T}#C#c`, 'NOTED'],
  ['targetedNote', keys.targetedNoteKey(team, 'c', { template_id: 't', account_id: null }), `${T}#C#c`, 'NOTED#t'],
  ['accountNote', keys.targetedNoteKey(team, 'c', { template_id: 't', account_id: 'a' }), `${T}#C#c`, 'NOTED#t#a'],
  ['earlierConsent', keys.earlierConsentKey(team, 'c', at, 7), `${T}#C#c`, `SAID#${at}#7`],
  ['suppressed', keys.suppressedKey(team, 'h'), `${T}#N#h`, 'EMAIL'],
  ['listSecret', keys.listSecretKey(team), `${T}#N`, 'SECRET'],
  ['addressVerifications', keys.addressVerificationsKey(team, 'h'), `${T}#N#h`, 'VERIFY'],
  ['journeyId', keys.journeyIdKey(team, 'j'), `${T}#J#j`, 'JOURNEY'],
  ['slug', keys.slugKey('s'), 'S#s', 'JOURNEY'],
  ['account', keys.accountKey(team, '1'), `${T}#A#1`, 'ACCOUNT'],
  ['identity', keys.identityKey(team, 'u'), `${T}#I#${unique}`, 'IDENTITY'],
  ['erasureRequest', keys.erasureRequestKey(team, 'c'), 'ERASURES', `${team}#c`],
  ['lateLinks', keys.lateLinksKey(team, 'c', 'r'), 'ERASURES', `${team}#c#r`],
  ['erasure', keys.erasureKey(team, 'u'), `${T}#X#${unique}`, 'ERASURE'],
  ['team', keys.teamKey(team), T, 'TEAM'],
  ['product', keys.productKey(team, 'P'), T, 'PRODUCT#P'],
  ['content', keys.contentKey(team), T, 'CONTENT'],
  ['contentPart', keys.contentPartKey(team, 'r', 7), `${T}#R#r`, 'PART#007'],
  ['contentRevision', keys.contentRevisionKey(team, 7), `${T}#R`, 'REVISION#000000007'],
  ['pendingContent', keys.pendingContentKey(team), `${T}#R`, 'WAITING'],
  ['teamClient', keys.teamClientKey(team, 'c'), T, 'CLIENT#c'],
  ['teamFile', keys.teamFileKey(team, 'f'), T, 'FILE#f'],
  ['teams', keys.teamsKey(team), 'TEAMS', team],
  ['batch', keys.batchKey(team, 'b'), `${T}#B#b`, 'BATCH'],
  ['chunk', keys.chunkKey(team, 'b', 7), `${T}#B#b`, 'CHUNK#000007'],
  ['uploadChunk', keys.uploadChunkKey(team, 'b', `${at}#u`, 7), `${T}#B#b`, `UPLOAD#${at}#u#000007`],
  ['payload', keys.payloadKey(team, 'p', 7), `${T}#U#p`, 'PART#007'],
  ['orderCounter', keys.orderCounterKey(team), T, 'IMPORT'],
  ['importState', keys.importStateKey(team), `${T}#Q`, 'IMPORT'],
  ['openChunk', keys.chunkListKey(team, 'OPEN', 7), `${T}#Q`, 'OPEN#000000000007'],
  ['failedChunk', keys.chunkListKey(team, 'FAILED', 7), `${T}#Q`, 'FAILED#000000000007'],
  ['changedWork', keys.completionWorkKey(team, 'CHANGED', at, 'd'), `${T}#Q#COMPLETIONS`, `CHANGED#${at}#d`],
  ['contactsWork', keys.completionWorkKey(team, 'CONTACTS', at, 'd'), `${T}#Q#COMPLETIONS`, `CONTACTS#${at}#d`],
  ['holdersWork', keys.completionWorkKey(team, 'HOLDERS', at, 'd'), `${T}#Q#COMPLETIONS`, `HOLDERS#${at}#d`],
  ['tellWork', keys.completionWorkKey(team, 'TELL', at, 'd'), `${T}#Q#COMPLETIONS`, `TELL#${at}#d`],
  ['dueWork', keys.completionWorkKey(team, 'DUE', at, 'd'), `${T}#Q#COMPLETIONS`, `DUE#${at}#d`],
  ['planWork', keys.completionWorkKey(team, 'PLAN', at, 'd'), `${T}#Q#COMPLETIONS`, `PLAN#${at}#d`],
  ['dueJourney', keys.dueJourneyKey(team, at, 'j'), `${T}#DUE`, `${at}#JOURNEY#j`],
  ['duePlan', keys.duePlanKey(team, at, 't'), `${T}#DUE`, `${at}#PLAN#t`],
  ['targetingRule', keys.targetingRuleKey(team, 't'), `${T}#G`, 'RULE#t'],
  ['targetingState', keys.targetingStateKey(team), `${T}#G`, 'STATE'],
  ['heldContact', keys.heldContactKey(team, 't', 'c'), `${T}#G#t`, 'HELD#c'],
  ['contactMark', keys.contactMarkKey(team, team), `${T}#Q#TARGETING#7`, `CONTACT#${team}`],
  ['holdersMark', keys.holdersMarkKey(team, '1'), `${T}#Q#TARGETING#1`, 'HOLDERS#1'],
  ['walk', keys.walkKey(team, 'EVERYBODY'), `${T}#Q#WALKS`, 'WALK#EVERYBODY'],
  ['sendRecord', keys.sendRecordKey(team, 'c', 'j', 'm'), `${T}#C#c`, 'SEND#j#m'],
  ['verificationRecord', keys.verificationRecordKey(team, 'c', 'm'), `${T}#C#c`, 'VERIFY#m'],
  ['contactWeek', keys.contactWeekKey(team, 'c'), `${T}#C#c`, 'WEEK'],
  ['addressWeek', keys.addressWeekKey(team, 'h'), `${T}#N#h`, 'WEEK'],
  ['messageId', keys.messageIdKey(team, 'm'), `${T}#O#m`, 'MESSAGE'],
  ['messageState', keys.messageStateKey(team), `${T}#M`, 'STATE'],
  ['messageCounts', keys.messageCountsKey(team), `${T}#M`, 'COUNTS'],
  [
    'messageWork',
    keys.messageWorkKey(team, 2, { at: '2030', journeyId: 'j', templateMessageId: 'm' }),
    `${T}#Q#MESSAGES`,
    '2#2030#j#m',
  ],
  [
    'verificationWork',
    keys.verificationWorkKey(team, { at: '2030', contactId: 'c', messageId: 'm' }),
    `${T}#Q#MESSAGES`,
    '0#2030#V#c#m',
  ],
  ['importedVersion', keys.importedVersionKey(team, 'f'), `${T}#F#f`, 'VERSION'],
  ['dropFile', keys.dropKey(team, 'f'), `${T}#F#f`, 'FILE'],
  [
    'expectedFile',
    keys.expectedFileKey({ team_id: team, type: 'accounts', by: '05:00' }),
    'EXPECTED',
    `${team}#accounts#05:00`,
  ],
  ['eventHead', keys.eventHeadKey(team), `${T}#E`, 'HEAD'],
  ['eventPack', keys.eventPackKey(team, 7), `${T}#E`, 'PACK#000000000007'],
  ['client', keys.clientKey('c'), 'CLIENT#c', 'CLIENT'],
  ['assertion', keys.assertionKey('c', 'd'), 'CLIENT#c', 'ASSERTION#d'],
  ['audit', keys.auditKey(team, at, 'e'), `AUDIT#${team}#2026-03`, `${at}#e`],
  ['scanUse', keys.scanUseKey(team, 'c'), `${T}#M#c`, 'SCANS'],
  ['heartbeat', keys.heartbeatKey, 'HEARTBEAT', 'HEARTBEAT'],
  ['signingKey', keys.signingKeyKey('k'), 'KEYS', 'k'],
  ['counters', keys.countersKey(team, 't', 3, 'day/2026-01-01'), `${T}#S#t`, '3#day/2026-01-01'],
  ['erasedCounters', keys.erasedCountersKey(team, 't', 3), `${T}#S#t`, 'ERASED#3'],
  ['erasedGroup', keys.erasedCountersKey(team, 't', 0, 'page/p'), `${T}#S#t`, 'ERASED#0#page/p'],
  ['holder', keys.holderKey(team, '1', 'c'), `${T}#A#1`, 'HOLDER#c'],
  ['holders', keys.holdersKey(team, '1'), `${T}#A#1`, 'HOLDERS'],
  ['webhook', keys.webhookKey(team, 'w'), `${T}#W`, 'WEBHOOK#w'],
  ['endedWebhook', keys.endedWebhookKey(team, 'w'), `${T}#W`, 'ENDED#w'],
  ['webhookSecrets', keys.webhookSecretsKey('w'), 'WEBHOOK#w', 'SECRETS'],
  ['failedEvent', keys.webhookEventKey(team, 'w', 'FAILED', `${at}#e`), `${T}#W#w`, `FAILED#${at}#e`],
  ['retryEvent', keys.webhookEventKey(team, 'w', 'RETRY', place), `${T}#W#w`, 'RETRY#000000000007#000001'],
  ['testEvent', keys.webhookEventKey(team, 'w', 'TEST', 'e'), `${T}#W#w`, 'TEST#e'],
];
