import { inLine, say, shellWord } from '../../output.ts';
import { withReaders } from '../campaigns/readers.ts';
import { failure } from '../failure.ts';
import type { Installation } from '../installation.ts';
import { type FoundContact, findContacts } from '../operations/contacts/find.ts';
import { number, quantity, seldom } from '../text.ts';
import type { Outcome } from '../verb.ts';

type Given = { team: string; text: string; limit: number };

/** The ids of those who are shown are in the audit log; the text, which can be a name, is not. */
export async function found(installation: Installation, { team, text, limit }: Given): Promise<Outcome> {
  const onProgress = seldom((lookedAt: number) => say(`Looked at ${number(lookedAt)} contacts …`));
  const result = await findContacts(withReaders(installation), team, text, { limit, onProgress });
  if (!result) throw failure('invalid_arguments', 'give a part of a name or email, or at least four digits', 'text');
  const { matched, contacts } = result;
  const has_more = matched > limit;
  return {
    value: { matched, has_more, contacts },
    text: contacts.map((each) => personText(each, team)).join('\n\n') || nobody,
    notes: has_more
      ? `The first ${contacts.length} of ${quantity(matched, 'contact')}. Give more of the name.`
      : undefined,
    isAlarm: contacts.length === 0,
    ids: { contact_ids: contacts.map(({ id }) => id) },
  };
}

const nobody =
  'Nobody is found. Account numbers and unique_ids must be complete; contact show says if a unique_id was erased.';

/** Account numbers in the text; JSON has all. */
const shownAccounts = 5;

function personText({ unique_id, name, email, phones, account_numbers, found_by }: FoundContact, team: string): string {
  const more = account_numbers.length - shownAccounts;
  const accounts = [...account_numbers.slice(0, shownAccounts), ...(more > 0 ? [`${more} more`] : [])].join(', ');
  const facts = [email, ...phones, accounts && `accounts ${accounts}`].filter(Boolean).join(' · ');
  const lines = [
    `${name ?? 'No name'} (${unique_id}), found by ${found_by.replace('_', ' ')}`,
    `  ${facts || 'no email, phone or account'}`,
    `  npm run admin -- contact show --team ${team} --unique-id ${shellWord(unique_id)}`,
  ];
  return lines.map(inLine).join('\n');
}
