import type { Contact } from '../../../lib/domain/contacts/contact.ts';
import type { LinkedAccount } from '../../../lib/domain/journeys/linked-account.ts';
import { messageContent } from '../../../lib/domain/messages/content.ts';
import { type Team, teamSchema } from '../../../lib/domain/teams/team.ts';
import { renderContent } from '../../../lib/email/rendering.ts';
import { templatesOf } from './people.ts';
import { contactOf } from './samples.ts';

export const id = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

export const bank = (fields: Partial<Team> = {}): Team => ({
  ...teamSchema.parse({
    ...{ team_id: id(1), name: 'Bank of Rivers', features: [], secret: '', secret_id: 1, previous_secret: null },
    ...{ privacy_policy_url: null, terms_of_service_url: null, language: null, timezone: null, words: null },
    ...{ senders: ['@bank.example', 'hello@bank.example'], postal_address: '1 Main Street\nRiverton' },
    ...{ inserted_at: '', updated_at: '' },
  }),
  ...fields,
});

export type GivenEmail = {
  blocks?: object[];
  payload?: object;
  message?: object;
  templateMessage?: object;
  template?: object;
  team?: Partial<Team>;
  contact?: Partial<Contact>;
  account?: LinkedAccount;
  completed?: string[];
};

export const unsubscribeUrl = 'https://bank.example/m/token';

/** A message of a campaign with two open steps, as it is handed to a provider; or the fault. */
export function rendering(given: GivenEmail = {}) {
  const team = bank(given.team);
  const pages = [31, 32].map((n) => ({
    id: id(n),
    page: { id: id(n + 10), completion_condition: 'confirm', is_live: true },
  }));
  const message = {
    ...{ id: id(21), type: 'email', payload: { subject: 'Welcome', ...given.payload } },
    content_blocks: (given.blocks ?? []).map((block, at) => ({ order: at, ...block })),
    ...given.message,
  };
  const [template] = templatesOf({
    ...{ id: id(2), name: 'Campaign', status: 'live', template_pages: pages },
    ...given.template,
    template_messages: [{ id: id(20), send_offset_hours: 0, ...given.templateMessage, message }],
  });
  const contact = contactOf(given.contact);
  const analytics = { pages_completed: given.completed ?? [], pages_viewed: [] };
  const subject = { team, template: template!, message: template!.template_messages[0]!, contact, analytics };
  const content = messageContent(
    { ...subject, journey: { slug: 'slug' }, baseUrl: 'https://bank.example' },
    given.account,
  );
  return renderContent(content, {
    ...{ team, timeZone: contact.timezone, unsubscribe: unsubscribeUrl, baseUrl: 'https://bank.example' },
  });
}

export function email(given: GivenEmail = {}) {
  const rendered = rendering(given);
  if ('fault' in rendered) throw new Error(`the message has a fault: ${rendered.fault}`);
  return rendered.mail;
}
