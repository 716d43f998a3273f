/**
 * Every kind of stored item, and no other value. A new kind is one entry here, a row in `docs/data-model.md`, and a
 * function in `keys.ts` that makes its keys. From these follow which items exports, erasures and resets take, what the
 * stream publishes, and what functions can be granted. A kind in the partition of a contact needs more: see "To add a
 * kind" in `docs/data-model.md`.
 */

export type Rules = {
  /** Whose data it is. */
  of: 'contact' | 'account' | 'team' | 'service';
  /**
   * What functions can be granted (`lib/grants.ts`): to write it, only to read it, only to add it without reading it, or
   * nothing. Commands of administrators can do everything.
   */
  functions: 'write' | 'read' | 'append' | 'nothing';
  /** The name of its changes in the stream of the table. `false`: the stream leaves them out. */
  published: string | false;
  /**
   * What the erasure of a person does with it. In the contact's partition: `with journey` deletes it unless its journey
   * (`journey_id`) is one of another contact that was created with the same id, `with contact` deletes it if there is no
   * contact, so `eraseContactItem` must delete it in the transaction that deletes the contact, `with contact_since` deletes
   * it unless it is one of another contact that was created with the same id, and `ordered` deletes it unless a later chunk
   * has written it.
   * `apart`: a step of the erasure, or the transaction of another item, deletes it. `cleared`: only what names the person
   * is deleted. `kept`: it holds nothing of a person but ids.
   */
  erased: 'with journey' | 'with contact' | 'with contact_since' | 'ordered' | 'apart' | 'cleared' | 'kept';
  /** The name of these items in the exports of a person and of a team, and in the counts of an erasure. */
  exported: string | false;
  /** Whether a reset of the team keeps it. */
  reset: 'deleted' | 'kept';
  /** Whether the table deletes it at a time (`expires_at`), at least in some states. */
  expires: boolean;
};

/** A key with its variable parts as `<name>`. */
export type KeyPattern = { readonly pk: string; readonly sk: string };
export type Kind = KeyPattern & Readonly<Rules>;

/** The names of the variable parts, in their order. */
export type PartsOf<Pattern extends string> = Pattern extends `${string}<${infer Part}>${infer Rest}`
  ? [Part, ...PartsOf<Rest>]
  : [];
/** Declares a kind. `common` is what it shares with others. A bundle leaves out the kinds that it does not use. */
// @__NO_SIDE_EFFECTS__
function kind<
  const Pk extends string,
  const Sk extends string,
  const Common extends Partial<Rules>,
  const Own extends Partial<Rules> & Omit<Rules, keyof Common>,
>(pk: Pk, sk: Sk, common: Common, own: Own): { pk: Pk; sk: Sk } & Omit<Common, keyof Own> & Own {
  return { pk, sk, ...common, ...own };
}

/** Data of a person. Everything in the partition of a contact is exported and erased. */
const person = { of: 'contact', functions: 'write', reset: 'deleted', expires: false } as const;
/** What finds a person, or the state of work on a person. */
const aboutPerson = {
  of: 'contact',
  functions: 'write',
  published: false,
  exported: false,
  reset: 'deleted',
  expires: false,
} as const;
/** The work of a team. */
const work = {
  of: 'team',
  functions: 'write',
  published: false,
  exported: false,
  reset: 'deleted',
  expires: false,
} as const;
/** What describes a team. */
const lasting = { of: 'team', functions: 'read', published: false, reset: 'kept', expires: false } as const;
/** In no partition of a team, so no reset finds it. */
const beside = {
  of: 'team',
  functions: 'write',
  published: false,
  exported: false,
  reset: 'kept',
  expires: false,
} as const;

const ofContact = 'T#<team>#C#<contact>';

/** A contact. */
export const contact = kind(ofContact, 'CONTACT', person, {
  published: 'contact',
  erased: 'apart',
  exported: 'contacts',
});
/** A contact's link to an account. Neither the contact nor the account has to exist yet. */
export const link = kind(ofContact, 'ACCOUNT#<number>', person, {
  published: 'link',
  erased: 'ordered',
  exported: 'links',
});
/** A contact's journey from a template. It sorts after the links and the contact. */
export const journey = kind(ofContact, 'JOURNEY#<template>', person, {
  published: 'journey',
  erased: 'with journey',
  exported: 'journeys',
});
/** An action on a page of a journey. Each action has its own item, so that concurrent events do not conflict. */
export const action = kind(ofContact, 'JOURNEY#<template>#<kind>#<page>', person, {
  published: 'action',
  erased: 'with journey',
  exported: 'actions',
});
/** A journey about one account, from a template that makes one for each account of the contact. */
export const accountJourney = kind(ofContact, 'JOURNEY-ACCOUNT#<template>#<account>', person, {
  published: 'journey',
  erased: 'with journey',
  exported: 'journeys',
});
/** An action on a page of a journey about an account. */
export const accountAction = kind(ofContact, 'JOURNEY-ACCOUNT#<template>#<account>#<kind>#<page>', person, {
  published: 'action',
  erased: 'with journey',
  exported: 'actions',
});
/** What a person answered to a block, in order of time. It sorts after all items that pages need. */
export const response = kind(ofContact, 'RESPONSE#<journey>#<at>#<response>', person, {
  published: 'response',
  erased: 'with journey',
  exported: 'responses',
});
/** The attempts to prove to be the contact. It sorts after the journeys. */
export const identityAttempts = kind(ofContact, 'PROOF', person, {
  published: false,
  erased: 'with contact',
  exported: 'identity_attempts',
});
/** Changes with each decision of targeting on the contact: two workers that judge it meet there. */
export const judged = kind(ofContact, 'NOTED', person, {
  published: false,
  erased: 'with contact_since',
  exported: 'judged',
});
/** The contact was targeted by a template that makes no journeys. */
export const targetedNote = kind(ofContact, 'NOTED#<template>', person, {
  published: 'note',
  erased: 'with contact_since',
  exported: 'targeted',
});
/** The same for one account. */
export const accountNote = kind(ofContact, 'NOTED#<template>#<account>', person, {
  published: 'note',
  erased: 'with contact_since',
  exported: 'targeted',
});
/** Earlier changes of the contact's consent. The latest are in the contact. */
export const earlierConsent = kind(ofContact, 'SAID#<at>#<version>', person, {
  published: false,
  erased: 'with contact_since',
  exported: 'consent',
});
/** What became of a message to the contact, of a journey and a template message. It sorts after all that pages need. */
export const sendRecord = kind(ofContact, 'SEND#<journey>#<message>', person, {
  published: 'send',
  erased: 'with journey',
  exported: 'messages',
});
/** The same of a message that verifies the contact's address. */
export const verificationRecord = kind(ofContact, 'VERIFY#<message>', person, {
  published: false,
  erased: 'with contact_since',
  exported: 'verifications',
});
/** When marketing messages were sent to the contact in the last days. */
export const contactWeek = kind(ofContact, 'WEEK', person, {
  published: false,
  erased: 'with contact_since',
  exported: 'message_times',
});
/** Names the contact, template and account of the journey with this id, and whether and how the journey has ended. */
export const journeyId = kind('T#<team>#J#<journey>', 'JOURNEY', aboutPerson, { erased: 'apart' });
/** Names the team, contact, template and account of the journey with this slug. */
export const slug = kind('S#<slug>', 'JOURNEY', aboutPerson, { erased: 'apart' });
/** Exists only if the `unique_id` has been part of a rename. Names the contact that the value belongs to now. */
export const identity = kind('T#<team>#I#<uuid5>', 'IDENTITY', aboutPerson, { erased: 'apart' });
/** State of the erasure of a person; deleted when the erasure has completed. */
export const erasure = kind('T#<team>#X#<uuid5>', 'ERASURE', aboutPerson, { erased: 'apart' });
/** An accepted request to erase a contact. One partition for all teams. */
export const erasureRequest = kind('ERASURES', '<team>#<contact>', aboutPerson, { erased: 'apart', reset: 'kept' });
/** Asks to delete links of a contact that a worker has written after the erasure. Each request has an id of its own. */
export const lateLinks = kind('ERASURES', '<team>#<contact>#<request>', aboutPerson, {
  erased: 'apart',
  reset: 'kept',
});

const inAccount = 'T#<team>#A#<number>';
/** An account. */
export const account = kind(inAccount, 'ACCOUNT', work, {
  of: 'account',
  published: 'account',
  erased: 'cleared',
  exported: 'accounts',
});
/** Another contact that can be linked to the account. */
export const holder = kind(inAccount, 'HOLDER#<contact>', work, { of: 'account', erased: 'apart' });
/** Says that the account can have holders beside it: one read instead of a query. */
export const holders = kind(inAccount, 'HOLDERS', work, { of: 'account', erased: 'kept' });

const inAddress = 'T#<team>#N#<hash>';
/**
 * Lists an email address, as a keyed hash: nothing, or no marketing, is sent to it. It outlives the person, and a reset
 * of the team: the next people with this address have not asked for messages either.
 */
export const suppressed = kind(inAddress, 'EMAIL', work, { erased: 'kept', reset: 'kept' });
/** What the secret makes of a fixed text: whether the list was made with the secret that is used now. */
export const listSecret = kind('T#<team>#N', 'SECRET', work, { erased: 'kept', reset: 'kept' });
/** When links that verify this address were asked for. */
export const addressVerifications = kind(inAddress, 'VERIFY', work, { erased: 'kept', expires: true });

const inCounters = 'T#<team>#S#<template>';
/** A group of counters of the results of a template, in one of several shards so that no item is hot. */
export const counters = kind(inCounters, '<shard>#<group>', work, { erased: 'kept' });
/** What erased persons had counted. It is in the counters too. */
export const erasedCounters = kind(inCounters, 'ERASED#<part>', work, { erased: 'kept' });
/** The same for one group. */
export const erasedGroup = kind(inCounters, 'ERASED#<part>#<group>', work, { erased: 'kept' });

const inTeam = 'T#<team>';
/** A team. */
export const team = kind(inTeam, 'TEAM', lasting, { erased: 'kept', exported: 'team' });
/** A product. */
export const product = kind(inTeam, 'PRODUCT#<code>', lasting, {
  functions: 'write',
  erased: 'kept',
  exported: 'products',
});
/** Names the current revision of the owner's content. */
export const content = kind(inTeam, 'CONTENT', lasting, {
  functions: 'write',
  erased: 'kept',
  exported: 'content',
});
/** A part of a revision, compressed; immutable. It expires if the revision was never current, and does not wait to be. */
export const contentPart = kind('T#<team>#R#<revision>', 'PART#<part>', lasting, {
  functions: 'write',
  erased: 'kept',
  exported: false,
  expires: true,
});
const inRevisions = 'T#<team>#R';
/** What a revision changed, who published it and when. `version` is that of the item `CONTENT` with it. */
export const contentRevision = kind(inRevisions, 'REVISION#<version>', lasting, {
  functions: 'write',
  erased: 'kept',
  exported: false,
});
/**
 * The document that waits for its time, or for another person to approve it. Its parts are those of a revision. It sorts
 * last.
 */
export const pendingContent = kind(inRevisions, 'WAITING', lasting, {
  functions: 'write',
  erased: 'kept',
  exported: false,
});
/** A client in its team's partition, so that a team's clients can be listed. */
export const teamClient = kind(inTeam, 'CLIENT#<client>', lasting, {
  functions: 'nothing',
  erased: 'kept',
  exported: 'clients',
});
/** An image of a team. Its content is in the bucket of images. */
export const teamFile = kind(inTeam, 'FILE#<file>', work, { functions: 'nothing', erased: 'kept' });
/** A team in the list of all teams. */
export const teams = kind('TEAMS', '<team>', beside, { functions: 'read', erased: 'kept' });

/** The counter that gives accepted chunks their order numbers. */
export const orderCounter = kind(inTeam, 'IMPORT', work, { erased: 'kept', reset: 'kept' });
const inBatch = 'T#<team>#B#<batch>';
/** What the chunks of a batch share, and the batch's entry in the team's list of batches. */
export const batch = kind(inBatch, 'BATCH', work, { erased: 'kept' });
/** Claim of a chunk. */
export const chunk = kind(inBatch, 'CHUNK#<index>', work, { published: 'chunk', erased: 'cleared' });
/** Claim of a chunk that the service created from a request without `chunk_index`. The upload is a time and an id. */
export const uploadChunk = kind(inBatch, 'UPLOAD#<upload>#<part>', work, { published: 'chunk', erased: 'cleared' });
/** The records of a chunk, compressed. */
export const payload = kind('T#<team>#U#<payload>', 'PART#<part>', work, { erased: 'apart', expires: true });
const inImports = 'T#<team>#Q';
/** The import state. One query returns it and the next chunks to work. */
export const importState = kind(inImports, 'IMPORT', work, { erased: 'kept', reset: 'kept' });
/** An open chunk, in the order of the numbers. */
export const openChunk = kind(inImports, 'OPEN#<order>', work, { erased: 'cleared' });
/** A failed chunk. It sorts before the import state. */
export const failedChunk = kind(inImports, 'FAILED#<order>', work, { erased: 'cleared' });
/** The progress of a dropped file. */
export const dropFile = kind('T#<team>#F#<file>', 'FILE', work, {
  published: 'file',
  erased: 'cleared',
  expires: true,
});
/** The version of a dropped file that was imported last under its name. `file` is the id of the name. */
export const importedVersion = kind('T#<team>#F#<file>', 'VERSION', work, { erased: 'kept', expires: true });
/** A file that a team must drop every day. One partition for all teams. */
export const expectedFile = kind('EXPECTED', '<team>#<type>#<hour>', beside, { erased: 'kept' });

const inCompletions = 'T#<team>#Q#COMPLETIONS';
/** Changed journeys that wait to be completed and counted. */
export const changedWork = kind(inCompletions, 'CHANGED#<at>#<uuid5>', work, { erased: 'kept' });
/** Contacts whose completions wait to be looked at. */
export const contactsWork = kind(inCompletions, 'CONTACTS#<at>#<uuid5>', work, { erased: 'kept' });
/** An account whose holders wait to be looked at. */
export const holdersWork = kind(inCompletions, 'HOLDERS#<at>#<uuid5>', work, { erased: 'kept' });
/** An account whose holders wait to be told of a change. It sorts last. Its cursor makes the publisher tell a page of them. */
export const tellWork = kind(inCompletions, 'TELL#<at>#<uuid5>', work, { published: 'holders', erased: 'kept' });
/** Journeys that are due: their messages are to be sent, or their expiry to be recorded. */
export const dueWork = kind(inCompletions, 'DUE#<at>#<uuid5>', work, { erased: 'kept' });
/** Journeys that are due at one time with many others, such as those of a message to everybody. */
export const sameTimeWork = kind(inCompletions, 'SAME-TIME#<at>#<uuid5>', work, { erased: 'kept' });
/** A template whose duration or messages have changed: its journeys are walked, and get new entries of what is due. */
export const planWork = kind(inCompletions, 'PLAN#<at>#<uuid5>', work, { erased: 'kept' });

/** A revision whose time to be published has come. It sorts first. */
export const publicationWork = kind(inCompletions, 'CAMPAIGNS#<at>#<uuid5>', work, { erased: 'kept', reset: 'kept' });

const inDue = 'T#<team>#DUE';
/** A journey that has something due at this time. The journey has the time too. */
export const dueJourney = kind(inDue, '<at>#JOURNEY#<journey>', work, { erased: 'apart' });
/** A template whose open journeys are to be walked from this time on. */
export const duePlan = kind(inDue, '<at>#PLAN#<template>', work, { erased: 'kept' });
/** A revision that is published at this time. */
export const duePublication = kind(inDue, '<at>#PUBLISH#<revision>', work, { erased: 'kept', reset: 'kept' });

const inTargeting = 'T#<team>#G';
/** The rule of a template: its revision, since when it is live, and what it has started today. */
export const targetingRule = kind(inTargeting, 'RULE#<template>', work, { erased: 'kept' });
/** When everybody was judged last, and how many contacts there were. */
export const targetingState = kind(inTargeting, 'STATE', work, { erased: 'kept' });
/** A contact for whom a rule holds that has started as many journeys as it may. */
export const heldContact = kind('T#<team>#G#<template>', 'HELD#<contact>', work, { erased: 'apart' });
const inMarks = 'T#<team>#Q#TARGETING#<lane>';
/** A contact that waits to be judged, because something has changed that a rule could name. */
export const contactMark = kind(inMarks, 'CONTACT#<contact>', work, { erased: 'kept' });
/** Contacts that wait to be judged, if there are many at once. */
export const contactsMark = kind(inMarks, 'GROUP#<at>#<mark>', work, { erased: 'kept' });
/** An account whose holders wait to be judged. */
export const holdersMark = kind(inMarks, 'HOLDERS#<number>', work, { erased: 'kept' });
/** Work over many contacts, with how far it is. */
export const walk = kind('T#<team>#Q#WALKS', 'WALK#<walk>', work, { erased: 'kept' });

const inMessages = 'T#<team>#M';
/** Whether the messages of the team and of its templates are paused, and why. */
export const messageState = kind(inMessages, 'STATE', work, { erased: 'kept', reset: 'kept' });
/** How many of the last messages bounced or were complained of. */
export const messageCounts = kind(inMessages, 'COUNTS', work, { erased: 'kept' });
/** Names the record of the message with this id. */
export const messageId = kind('T#<team>#O#<message>', 'MESSAGE', aboutPerson, { erased: 'apart' });
const inMessageLane = 'T#<team>#Q#MESSAGES';
/** A message that is due, of a journey and a template message. The order of the keys is that of sending. */
export const messageWork = kind(inMessageLane, '<class>#<at>#<journey>#<message>', work, { erased: 'kept' });
/** A message that verifies an address. It comes before all others. */
export const verificationWork = kind(inMessageLane, '0#<at>#V#<contact>#<message>', work, { erased: 'kept' });
/** When marketing messages were sent to an address, which is here as a keyed hash. */
export const addressWeek = kind('T#<team>#N#<hash>', 'WEEK', work, { erased: 'kept', reset: 'kept', expires: true });

const inLog = 'T#<team>#E';
/** The head of the log of a team's events. A reset keeps the log: readers have positions in it. */
export const eventHead = kind(inLog, 'HEAD', work, { erased: 'kept', reset: 'kept' });
/** A pack of events, in the order of the log. */
export const eventPack = kind(inLog, 'PACK#<seq>', work, { erased: 'kept', reset: 'kept', expires: true });

/** A webhook. Everybody who may read a team's items may read it, so its secrets are not in it. */
export const webhook = kind('T#<team>#W', 'WEBHOOK#<webhook>', work, { erased: 'kept' });
/** A webhook that its receiver ended. */
export const endedWebhook = kind('T#<team>#W', 'ENDED#<webhook>', work, { erased: 'kept', expires: true });
const ofWebhook = 'T#<team>#W#<webhook>';
/** An event that was given up for a webhook, by time. */
export const failedEvent = kind(ofWebhook, 'FAILED#<at>#<event>', work, { erased: 'kept', expires: true });
/** An event of a webhook that waits for another attempt, by its place in the log. */
export const retryEvent = kind(ofWebhook, 'RETRY#<pack>#<index>', work, { erased: 'kept' });
/** A test of a webhook. */
export const testEvent = kind(ofWebhook, 'TEST#<event>', work, { erased: 'kept', expires: true });
/** The secrets of a webhook, which only the functions that sign and rotate may read. */
export const webhookSecrets = kind('WEBHOOK#<webhook>', 'SECRETS', beside, { erased: 'kept' });

/** A client credential. */
export const client = kind('CLIENT#<client>', 'CLIENT', beside, { erased: 'kept' });
/** An assertion with which a client has authenticated. */
export const assertion = kind('CLIENT#<client>', 'ASSERTION#<digest>', beside, { erased: 'kept', expires: true });
/** The read units that a client has used for scans of its team's directory. */
export const scanUse = kind('T#<team>#M#<client>', 'SCANS', work, { erased: 'kept' });
/** An entry of the audit log. Its key does not begin with `T#`: who may change all items of a team must not change it. */
export const audit = kind('AUDIT#<team>#<month>', '<at>#<entry>', beside, {
  functions: 'append',
  erased: 'kept',
  expires: true,
});
/** A public signing key. */
export const signingKey = kind('KEYS', '<kid>', beside, { of: 'service', erased: 'kept' });
/** Changes every minute, so that a stream that stops is noticed. It belongs to no team and becomes no event. */
export const heartbeat = kind('HEARTBEAT', 'HEARTBEAT', beside, {
  of: 'service',
  published: 'heartbeat',
  erased: 'kept',
});
