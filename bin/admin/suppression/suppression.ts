import { InvalidArgumentError } from 'commander';
import { normalizedAddress } from '../../../lib/domain/suppression/address.ts';
import { type SuppressionScope, suppressionScopes } from '../../../lib/domain/suppression/suppression.ts';
import { isBlank } from '../../../lib/domain/values/fields.ts';
import { Problem } from '../../../lib/domain/values/problem.ts';
import { ContentCache } from '../../../lib/store/campaigns/content.ts';
import { say } from '../../output.ts';
import { failure } from '../failure.ts';
import { type Installation, messagesOff } from '../installation.ts';
import type { ShownListing } from '../operations/suppression/lists.ts';
import { quantity, tableOf } from '../text.ts';
import { argument, noun, oneOf, optional, type Parameter, required, team, verb } from '../verb.ts';

const address = required('<email>', 'the email address', addressOption);
const scope: Parameter<SuppressionScope> = {
  ...{ value: '<kind>', default: 'marketing' },
  says: 'marketing: nothing but transactional messages is sent; all: nothing is sent',
  parse: oneOf('kinds', suppressionScopes),
};

/** Rows of a table for people; JSON has all. */
const shownRows = 50;

export const verbs = noun('Addresses to which nothing, or no marketing, is sent', {
  list: verb({
    does: 'List when and why addresses were listed, newest first. The addresses themselves are not stored: --address asks for one',
    parameters: { team, address: optional('<email>', 'only this address', addressOption) },
    run: async (installation, given) => {
      const { allListings, listingsIn } = await import('../operations/suppression/lists.ts');
      const { hashOf } = await import('../../../lib/operations/suppression/suppress.ts');
      const { loadSuppressions } = await import('../../../lib/store/suppression/suppression.ts');
      const service = await listService(installation);
      if (given.address !== undefined) {
        const hash = (await hashOf(service, given.team, given.address))!;
        const [entry] = await loadSuppressions(service.database, given.team, [hash]);
        const found = listingsIn(entry);
        return { value: found, text: tableOf(found, columns, 'The address is not listed.') };
      }
      const all = allListings(service, given.team);
      if (given.json) return { value: all };
      const rows: ShownListing[] = [];
      for await (const each of all) if (rows.push(each) > shownRows) break;
      const more = `The newest ${shownRows}. With --json the list has all.`;
      const text = tableOf(rows.slice(0, shownRows), columns, 'No address is listed.');
      return { value: undefined, text, notes: rows.length > shownRows ? more : undefined };
    },
  }),

  add: verb({
    does: 'List an address, for example of a person who unsubscribed in another way',
    parameters: { team, address, for: scope },
    run: async (installation, given) => {
      const { listAddresses } = await import('../operations/suppression/lists.ts');
      const { hashOf } = await import('../../../lib/operations/suppression/suppress.ts');
      const service = await listService(installation);
      const hash = (await hashOf(service, given.team, given.address))!;
      const change = { scope: given.for, reason: 'added' } as const;
      const { added } = await listAddresses(service, given.team, [hash], change);
      const text = added > 0 ? 'The address is listed.' : 'The address was listed already.';
      return { value: { added, for: given.for }, text };
    },
  }),

  remove: verb({
    does: 'Take an address off the list. Contacts that unsubscribed with it are opted in again',
    help: `
Only the person may ask for this, or a bounce that was a mistake. The contact's own link does the same without you.`,
    parameters: {
      ...{ team, address },
      reason: required(
        '<text>',
        'why, for the journal: who asked for it, and how; no names, no addresses',
        reasonOption,
      ),
    },
    run: async (installation, given) => {
      const { takeOff } = await import('../operations/suppression/lists.ts');
      const taken = await takeOff(await listService(installation), given.team, given.address, given.reason).catch(
        (error: unknown) => {
          if (error instanceof Problem && error.code === 'not_found')
            throw failure('not_found', 'the address is not listed', '--address');
          throw error;
        },
      );
      const { removed, contact_ids } = taken;
      const text = `The address is off the list. ${quantity(contact_ids.length, 'contact')} opted in again.`;
      return { value: { removed, contact_ids }, text, ids: { contact_ids } };
    },
  }),

  import: verb({
    does: 'List many addresses: those who unsubscribed from messages of the team before',
    help: `
The file has one address a line, or is CSV with a column address. It can be imported again. Afterwards the team may have
senders: see team update --sender.`,
    parameters: { file: argument('path of the file'), team, for: scope },
    run: async (installation, given) => {
      const { addressesIn } = await import('./address-file.ts');
      const { listAddresses } = await import('../operations/suppression/lists.ts');
      const { hashOf } = await import('../../../lib/operations/suppression/suppress.ts');
      const { updateTeam } = await import('../operations/teams/teams.ts');
      const { addresses, ...wrong } = addressesIn(given.file);
      const service = await listService(installation);
      const hashes: string[] = [];
      for (const each of addresses) hashes.push((await hashOf(service, given.team, each))!);
      const change = { scope: given.for, reason: 'imported' } as const;
      const onProgress = (done: number) => done % 10_000 === 0 && say(`${done} addresses read`);
      const { added, already_listed } = await listAddresses(service, given.team, hashes, change, onProgress);
      await updateTeam(installation, given.team, { has_earlier_leavings: true });
      const text = `${quantity(added, 'address').replace('addresss', 'addresses')} listed, ${already_listed} listed already.`;
      const notes =
        wrong.skipped > 0
          ? `${quantity(wrong.skipped, 'row')} without an email address, the first: ${wrong.first_rows.join(', ')}`
          : undefined;
      return { value: { added, already_listed, ...wrong }, text, notes };
    },
  }),
});

const columns = {
  TIME: 'at',
  CHANNEL: 'channel',
  FOR: ({ for: listedFor }: ShownListing) => (listedFor === 'all' ? 'all messages' : 'marketing'),
  REASON: 'reason',
} as const;

/** @throws AdminFailure `messages_off` */
async function listService(installation: Installation) {
  const { messages, database, now } = installation;
  if (!messages) throw messagesOff();
  return { ...installation, messages, journal: await installation.journal(), content: new ContentCache(database, now) };
}

function addressOption(text: string): string {
  const found = /^\S+$/.test(text.trim()) ? normalizedAddress(text) : undefined;
  if (found !== undefined) return found;
  throw new InvalidArgumentError('It must be an email address.');
}

function reasonOption(text: string): string {
  if (!isBlank(text) && text.length <= 500) return text.trim();
  throw new InvalidArgumentError('It must be 1 to 500 characters, such as "asked for it at the branch".');
}
