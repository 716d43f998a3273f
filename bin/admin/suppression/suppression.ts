import { InvalidArgumentError } from 'commander';
import { normalizedAddress } from '../../../lib/domain/suppression/address.ts';
import { type SuppressionScope, suppressionScopes } from '../../../lib/domain/suppression/suppression.ts';
import { isBlank } from '../../../lib/domain/values/fields.ts';
import { say } from '../../output.ts';
import { withReaders } from '../campaigns/readers.ts';
import { failure } from '../failure.ts';
import { type Installation, messagesOff } from '../installation.ts';
import type { ShownSuppression } from '../operations/suppression/suppression.ts';
import { number, quantity, tableOf } from '../text.ts';
import { argument, noun, oneOf, optional, type Parameter, required, team, verb } from '../verb.ts';

const address = required('<email>', 'the email address', addressOption);
const scope: Parameter<SuppressionScope> = {
  ...{ value: '<kind>', default: 'marketing' },
  says: 'marketing: nothing but transactional messages is sent; all: nothing is sent',
  parse: oneOf('kinds', suppressionScopes),
};

/** Rows of a table for people; JSON has all. */
const shownRows = 50;
/** Addresses between two lines of progress. */
const progressEvery = 10_000;

export const verbs = noun('Addresses to which nothing, or no marketing, is sent', {
  list: verb({
    does: 'List when and why addresses were listed, newest first. The addresses are not stored: --address asks for one',
    parameters: { team, address: optional('<email>', 'only this address', addressOption) },
    run: async (installation, given) => {
      const { findSuppression, listSuppressions } = await import('../operations/suppression/suppression.ts');
      const service = await listService(installation);
      if (given.address !== undefined) {
        const found = await findSuppression(service, given.team, given.address);
        return { value: found, text: tableOf(found, columns, 'The address is not listed.') };
      }
      const all = listSuppressions(service.database, given.team);
      if (given.json) return { value: all };
      const rows: ShownSuppression[] = [];
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
      const { addSuppression } = await import('../operations/suppression/suppression.ts');
      const added = await addSuppression(await listService(installation), given.team, given.address, given.for);
      const text = added ? 'The address is listed.' : 'The address was listed already.';
      return { value: { added, for: given.for }, text };
    },
  }),

  remove: verb({
    does: 'Take an address off the list, and forget that contacts with it have unsubscribed',
    help: `
Only the person may ask for this, or a bounce was a mistake. The contacts are opted in when somebody says so again, for
example the next file. The link in a message does both without you.`,
    parameters: {
      ...{ team, address },
      reason: required('<text>', 'why, for the journal, without names and addresses', reasonOption),
    },
    run: async (installation, given) => {
      const { removeSuppression } = await import('../operations/suppression/suppression.ts');
      const service = await listService(installation);
      const { removed, contact_ids } = await removeSuppression(service, given.team, given.address, given.reason);
      if (!removed && contact_ids.length === 0) throw failure('not_found', 'the address is not listed', '--address');
      const contacts = `${quantity(contact_ids.length, 'contact')} can be opted in again.`;
      return {
        value: { removed, contact_ids },
        text: `The address is off the list. ${contacts}`,
        ids: { contact_ids },
      };
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
      const { importSuppressions } = await import('../operations/suppression/suppression.ts');
      const { updateTeam } = await import('../operations/teams/teams.ts');
      const { addresses, ...wrong } = addressesIn(given.file);
      const service = await listService(installation);
      let told = 0;
      const onProgress = (done: number) => {
        if (done < told + progressEvery) return;
        told = done;
        say(`${number(done)} of ${number(addresses.length)} addresses`);
      };
      const { added, known } = await importSuppressions(service, given.team, addresses, given.for, onProgress);
      await updateTeam(installation, given.team, { has_earlier_leavings: true });
      const text = `Addresses: ${number(added)} listed now, ${number(known)} before.`;
      const notes =
        wrong.skipped > 0
          ? `${quantity(wrong.skipped, 'row')} without an email address, the first: ${wrong.first_rows.join(', ')}`
          : undefined;
      return { value: { added, already_listed: known, ...wrong }, text, notes };
    },
  }),

  apply: verb({
    does: 'Apply the journal of the list to the table, after a restore of the table to an earlier time',
    help: `
Who has unsubscribed since that time has unsubscribed again. message resume does it by itself. It can be repeated.`,
    parameters: { team },
    run: async (installation, given) => {
      const { applyJournal } = await import('../operations/suppression/suppression.ts');
      const service = { ...withReaders(installation), ...(await listService(installation)) };
      const entries = await applyJournal(service, given.team);
      return { value: { entries }, text: `Entries of the journal: ${number(entries)}. All are applied.` };
    },
  }),
});

const columns = {
  TIME: 'at',
  CHANNEL: 'channel',
  FOR: ({ for: listedFor }: ShownSuppression) => (listedFor === 'all' ? 'all messages' : 'marketing'),
  REASON: 'reason',
} as const;

/** @throws AdminFailure `messages_off` */
async function listService(installation: Installation) {
  const suppression = await installation.suppression();
  if (!suppression) throw messagesOff();
  return { ...installation, ...suppression };
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
