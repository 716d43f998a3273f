import { type AuditEntry, actBegun, tokenActs } from '../../../lib/domain/access/audit.ts';
import { timestamp } from '../../../lib/domain/values/timestamp.ts';
import { auditEntries } from '../../../lib/store/access/audit.ts';
import { globalTeam } from '../../../lib/store/table/keys.ts';
import { listTeamIds } from '../../../lib/store/teams/teams.ts';
import { contactIds } from '../auditing.ts';
import { failure } from '../failure.ts';
import type { Installation } from '../installation.ts';
import { countOption, timeOption } from '../options.ts';
import { tableOf } from '../text.ts';
import { anyTeam, flag, noun, optional, verb } from '../verb.ts';

/** The default limit of the table; with `--json` there is no default. */
const shownEntries = 50;

export const verbs = noun('Who did what: acts of administrators, and tokens', {
  list: verb({
    does: 'List the acts in the audit log, newest first',
    help: `
An act is listed once, with its end and its outcome; "begun, not ended" is one that has not ended, or was interrupted. With --json
the list is the log itself: the entries of the beginning and the end of each act, and all tokens.`,
    parameters: {
      since: optional('<time>', 'only entries from this time: a date (its beginning in UTC) or a time', timeOption),
      until: optional('<time>', 'only entries before this time', timeOption),
      team: anyTeam,
      what: optional('<act>', 'only the entries of this act, such as "client create" or "token refused"'),
      who: optional('<who>', 'only the entries of this administrator or client'),
      contact: optional('<unique_id or id>', 'only what concerns this contact, also one that was erased; needs --team'),
      tokens: flag('also list tokens that were issued, refused and revoked'),
      limit: optional(
        '<number>',
        `the maximum number of entries (default: ${shownEntries}, with --json all)`,
        countOption,
      ),
    },
    reads: true,
    run: async ({ database }, { team, since, until, json, contact, tokens, ...filter }) => {
      if (contact !== undefined && team === undefined) throw failure('invalid_arguments', 'is needed', '--team');
      const contactId = contact === undefined ? undefined : await contactIdsOf(database, team!, contact);
      const owners = team === undefined ? [globalTeam, ...(await listTeamIds(database))] : [team];
      const { limit = json ? Number.POSITIVE_INFINITY : shownEntries } = filter;
      const chosen = { ...filter, contactId, limit };
      const entriesUntil = (end: string | undefined) =>
        auditEntries(database, owners, { since, until: end }, timestamp(Date.now()));
      if (json) return { value: limited(entriesUntil(until), chosen) };
      const withTokens = tokens === true || isToken(filter.what);
      const rows: AuditEntry[] = [];
      const acts = endedBefore(until, once(entriesUntil(until && dayAfter(until))));
      for await (const entry of limited(acts, { ...chosen, withTokens })) rows.push(entry);
      return { value: undefined, text: tableOf(rows, columns, 'There are no such entries.') };
    },
  }),
});

type Filter = {
  what: string | undefined;
  who: string | undefined;
  /** Ids that the contact can have. */
  contactId: readonly string[] | undefined;
  limit: number;
  withTokens?: boolean;
};

async function* limited(
  entries: AsyncIterable<AuditEntry>,
  { what, who, contactId, limit, withTokens = true }: Filter,
): AsyncGenerator<AuditEntry> {
  let count = 0;
  for await (const entry of entries) {
    if ((what !== undefined && entry.what !== what) || (who !== undefined && entry.who !== who)) continue;
    if (!withTokens && isToken(entry.what)) continue;
    if (contactId && !Object.values(entry.ids).some((ids) => contactId.some((id) => [ids].flat().includes(id))))
      continue;
    yield shown(entry);
    if (++count >= limit) return;
  }
}

const isToken = (what: string | undefined): boolean => (tokenActs as readonly (string | undefined)[]).includes(what);

/** The id of the contact, whether it is named by it or by its `unique_id`. Entries have no other name of it. */
async function contactIdsOf(database: Installation['database'], team: string, contact: string): Promise<string[]> {
  const { contact_id } = await contactIds(database, team, contact);
  return [contact_id, contact.toLowerCase()].filter((id) => typeof id === 'string');
}

/**
 * Each act once, newest first: by the entry of its end, or by that of its beginning if it has none. An act that ended
 * more than a day after `until` counts as one that has not ended.
 */
export async function* once(entries: AsyncIterable<AuditEntry>): AsyncGenerator<AuditEntry> {
  const ended = new Set<unknown>();
  for await (const entry of entries) {
    const { act_id } = entry.ids;
    if (act_id === undefined || entry.outcome !== actBegun) {
      ended.add(act_id);
      yield entry;
    } else if (!ended.delete(act_id)) yield entry;
  }
}

async function* endedBefore(until: string | undefined, entries: AsyncIterable<AuditEntry>): AsyncGenerator<AuditEntry> {
  for await (const entry of entries) if (until === undefined || entry.at < until) yield entry;
}

const dayAfter = (time: string): string => timestamp(Date.parse(time) + 86_400_000);

/** The fields in the order of the contract. */
const shown = ({ at, who, what, team_id, ids, outcome, count }: AuditEntry): AuditEntry => {
  return { at, who, what, team_id, ids, outcome, ...(count === undefined ? {} : { count }) };
};

const columns = {
  AT: 'at',
  WHO: 'who',
  WHAT: 'what',
  TEAM: 'team_id',
  OUTCOME: ({ outcome, count }: AuditEntry) =>
    `${outcome === actBegun ? 'begun, not ended' : outcome}${count === undefined ? '' : ` (${count} times)`}`,
  IDS: ({ ids }: AuditEntry) =>
    Object.entries(ids)
      .map(([name, value]) => `${name}=${[value].flat().join(',')}`)
      .join(' '),
} as const;
