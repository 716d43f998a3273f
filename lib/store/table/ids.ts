import { NIL } from 'uuid';
import { uuid5 } from './digest.ts';
import { globalTeam } from './keys.ts';

/**
 * System ids are derived. So a writer knows the key without a read, concurrent writers create the same item, and a link
 * can name a contact that does not exist yet. The prefix separates the kinds.
 */
export const derivedContactId = (teamId: string, uniqueId: string) => uuid5(`contact:${uniqueId}`, teamId);
export const derivedAccountId = (teamId: string, accountNumber: string) => uuid5(`account:${accountNumber}`, teamId);
/** The id of content without an id in the imported document. The same name gets the same id in the next import. */
export const derivedContentId = (owner: string, name: string) =>
  uuid5(`content:${name}`, owner === globalTeam ? NIL : owner);
export const derivedProductId = (teamId: string, code: string) => uuid5(`product:${code}`, teamId);
/** The id of one version of a file in the drop box. */
export const derivedFileId = (key: string, version: string) => uuid5(JSON.stringify(['file', key, version]), NIL);
/** The id of all versions of a file in the drop box together. */
export const derivedFileNameId = (key: string) => uuid5(JSON.stringify(['file', key]), NIL);
/** The id of an image. It differs for other content, and for the same content of another team. */
export const derivedTeamFileId = (teamId: string, digest: string) => uuid5(`file:${digest}`, teamId);
/** The id of a product's service. It changes only if the service's name changes. */
export const derivedServiceId = (teamId: string, code: string, name: string) =>
  uuid5(`service:${name}`, derivedProductId(teamId, code));
/** The id of a message: a journey gets a template message once. */
export const derivedMessageId = (teamId: string, journeyId: string, templateMessageId: string) =>
  uuid5(`message:${journeyId}:${templateMessageId}`, teamId);
/**
 * The id of an event. @param fact what identifies the event in its team
 * @param epoch differs after a restore of the table: the same fact can then be another one than before
 */
export const derivedEventId = (teamId: string, fact: readonly unknown[], epoch = '') =>
  uuid5(`event:${epoch}${JSON.stringify(fact)}`, teamId);
