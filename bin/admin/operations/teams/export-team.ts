import type { StoredClient } from '../../../../lib/domain/access/client.ts';
import type { Team } from '../../../../lib/domain/teams/team.ts';
import { loadClient } from '../../../../lib/store/access/clients.ts';
import { accountOf } from '../../../../lib/store/accounts/accounts.ts';
import { productOf } from '../../../../lib/store/accounts/products.ts';
import { loadStoredContent } from '../../../../lib/store/campaigns/content.ts';
import type { StoredContact } from '../../../../lib/store/contacts/contacts.ts';
import { type PersonItem, personOf } from '../../../../lib/store/erasure/person-items.ts';
import type { Database, Item } from '../../../../lib/store/table/database.ts';
import { derivedAccountId } from '../../../../lib/store/table/ids.ts';
import { type TeamItemKind, teamItemKind } from '../../../../lib/store/table/item-kinds.ts';
import { accountNumberOfPartition, clientIdOfEntry, contactIdOfPartition } from '../../../../lib/store/table/keys.ts';
import { teamOf } from '../../../../lib/store/teams/teams.ts';

/** One line of an export: the kind of the object, and its fields. */
export type ExportedObject = { kind: string } & Record<string, unknown>;

/** The objects in these items of the team, without anything that authenticates a client or opens a page. */
export async function exportedObjects(
  database: Database,
  teamId: string,
  items: readonly Item[],
): Promise<ExportedObject[]> {
  const objects: ExportedObject[] = [];
  for (const item of items) {
    const kind = teamItemKind(teamId, item);
    if (kind) for (const object of await objectsOf(database, teamId, kind, item)) objects.push(object);
  }
  return objects;
}

async function objectsOf(
  database: Database,
  teamId: string,
  kind: TeamItemKind,
  item: Item,
): Promise<ExportedObject[]> {
  switch (kind) {
    case 'team':
      return [{ kind: 'team', ...shownTeam(teamOf(item)) }];
    case 'clients': {
      const client = await loadClient(database, clientIdOfEntry(item));
      return client ? [{ kind: 'client', ...shownClient(client) }] : [];
    }
    case 'products':
      return [{ kind: 'product', ...productOf(item) }];
    case 'accounts': {
      const account = accountOf(item);
      const account_number = accountNumberOfPartition(item);
      return account
        ? [{ kind: 'account', id: derivedAccountId(teamId, account_number), account_number, ...account }]
        : [];
    }
    case 'content': {
      const { document } = await loadStoredContent(database, teamId);
      return [{ kind: 'content', ...document }];
    }
    default:
      return ofContact({ kind, item });
  }
}

function ofContact(personItem: PersonItem): ExportedObject[] {
  const contact_id = contactIdOfPartition(personItem.item.pk);
  const person = personOf([personItem]);
  const { stored, links, journeys, actions, answers, responses, attempts, judged, targeted, earlierConsent } = person;
  return [
    ...(stored ? [contactLine(stored)] : []),
    ...links.map((link) => ({ kind: 'link', contact_id, ...link })),
    ...journeys.map(({ slug, ...journey }) => ({ kind: 'journey', ...journey })),
    ...actions.map(({ kind: action, ...rest }) => ({ kind: 'action', contact_id, action, ...rest })),
    ...answers.map((answer) => ({ kind: 'answer', contact_id, ...answer })),
    ...responses.map((response) => ({ kind: 'response', contact_id, ...response })),
    ...(attempts ? [{ kind: 'identity_attempts', contact_id, ...attempts }] : []),
    ...(judged ? [{ kind: 'judged', contact_id, ...judged }] : []),
    ...targeted.map((note) => ({ kind: 'targeted', contact_id, ...note })),
    ...person.messages.map((message) => ({ kind: 'message', contact_id, ...message })),
    ...person.verifications.map((message) => ({ kind: 'verification', contact_id, ...message })),
    ...(person.messageTimes ? [{ kind: 'message_times', contact_id, sent: person.messageTimes }] : []),
    ...(earlierConsent.length > 0 ? [{ kind: 'consent', contact_id, consent: earlierConsent }] : []),
  ];
}

const contactLine = ({ contact, former, factsChange, consent, leftAt }: StoredContact) => ({
  ...{ kind: 'contact', ...contact, former_unique_ids: former, identity_facts_changed: factsChange ?? null },
  ...{ consent, left_at: leftAt ?? null },
});

const shownTeam = ({ secret, previous_secret, ...team }: Team) => team;
const shownClient = ({ secrets, version, ...client }: StoredClient) => client;
