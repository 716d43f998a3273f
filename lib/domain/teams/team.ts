import * as z from 'zod';
import { uuid } from '../values/uuid.ts';

/** Features that a team can have (specification, "Template"). */
export const teamFeatures = ['product_objective_reporting', 'product_objective_reporting_phase_2'] as const;
export type TeamFeature = (typeof teamFeatures)[number];

/** The features that a team needs for completion product sets and does not have. It needs both reporting features. */
export const missingForCompletionSets = (features: readonly TeamFeature[]): TeamFeature[] =>
  teamFeatures.filter((feature) => !features.includes(feature));

export const hasCompletionSets = (features: readonly TeamFeature[]): boolean =>
  missingForCompletionSets(features).length === 0;

const quietHoursSchema = z.object({ from: z.string(), to: z.string() });
export type QuietHours = z.output<typeof quietHoursSchema>;
export const defaultQuietHours: QuietHours = { from: '20:00', to: '08:00' };

export const defaultMessagesAWeek = 3;

const word = z.union([z.string(), z.record(z.string(), z.string())]);

/** One institution. All data except global objectives belongs to exactly one team. */
export const teamSchema = z.object({
  team_id: uuid(),
  name: z.string(),
  features: z.array(z.enum(teamFeatures)),
  /** 32 random bytes in base64url: encrypts cursors, content references and identity proofs. Never leaves the service. */
  secret: z.string(),
  /** Version of the secret. A rotation increments it. */
  secret_id: z.int().min(1),
  /** The previous version, which still decrypts text that it encrypted. */
  previous_secret: z.string().nullable(),
  privacy_policy_url: z.string().nullable(),
  terms_of_service_url: z.string().nullable(),
  /** Language (BCP 47) of the built-in texts of pages if a template names none. `null` means English. */
  language: z.string().nullable(),
  /** IANA name of the time zone of dates on pages, for contacts without one. `null` means UTC. */
  timezone: z.string().nullable(),
  /** The pages' own words that the team replaces. */
  words: z.record(z.string(), z.record(z.string(), word)).nullable(),
  /** Journeys of a template that targeting starts a day, unless 2 % of the contacts are more. `null`: 1,000. */
  max_starts_a_day: z.int().nullable().default(null),
  /**
   * From whom its messages may come: addresses, and domains that begin with `@`. The first address is the sender of
   * messages that name none. Empty: the team sends nothing.
   */
  senders: z.array(z.string()).default([]),
  /** In the foot of messages. Without it no marketing message is sent. */
  postal_address: z.string().nullable().default(null),
  /** Local times, `HH:MM`, between which no marketing message is sent; they may span midnight. `null`: at any hour. */
  quiet_hours: quietHoursSchema.nullable().default(defaultQuietHours),
  /** Marketing messages that a contact, and an address, gets in any seven days. */
  max_messages_a_week: z.int().min(1).default(defaultMessagesAWeek),
  messages_a_second: z.int().min(1).default(10),
  /** True if contacts that opted in get a link that verifies their address before their first marketing message. */
  verify_email: z.boolean().default(false),
  /** True once the team has said who had left before: it imported a list, or has none. */
  has_earlier_leavings: z.boolean().default(false),
  /** True if content that one person imports waits until another one approves it. */
  content_approval: z.boolean().default(false),
  inserted_at: z.string(),
  updated_at: z.string(),
});

export type Team = z.output<typeof teamSchema>;

/** One version of a team's secret. Encrypted text begins with its id. */
export type TeamSecret = { readonly id: number; readonly secret: string };

/**
 * The live versions of a team's secret: the current one, which encrypts and decrypts, and the previous one, which only decrypts.
 */
export type TeamSecrets = readonly [TeamSecret, ...TeamSecret[]];

export function secretsOf({ secret, secret_id: id, previous_secret: previous }: Team): TeamSecrets {
  const current = { id, secret };
  return previous === null ? [current] : [current, { id: id - 1, secret: previous }];
}

/** Rotates the secret. The current secret becomes the previous one, and the previous one is deleted. */
export const withNewSecret = (team: Team, secret: string): Team => ({
  ...team,
  secret,
  secret_id: team.secret_id + 1,
  previous_secret: team.secret,
});

/** What is stored of a sender that an administrator names: an address, or a domain. `undefined` if it is neither. */
export function senderOf(text: string): string | undefined {
  const sender = text.trim().toLowerCase();
  const domain = sender.replace(/^@/, '');
  if (z.email().safeParse(sender).success) return sender;
  return z.email().safeParse(`a@${domain}`).success ? `@${domain}` : undefined;
}

/** Whether the team may send from this address: it is one of its senders, or has the domain of one. */
export function isSenderOf({ senders }: Pick<Team, 'senders'>, address: string): boolean {
  const sender = address.trim().toLowerCase();
  const isAddress = z.email().safeParse(sender).success;
  return isAddress && (senders.includes(sender) || senders.includes(sender.slice(sender.lastIndexOf('@'))));
}

/** The sender of messages that name none. `undefined` if the team has no address. */
export const defaultSenderOf = ({ senders }: Pick<Team, 'senders'>): string | undefined =>
  senders.find((sender) => !sender.startsWith('@'));

/** The language of the built-in texts of pages: that of the template, else that of the team. */
export const languageFor = (template: { language: string | null } | undefined, team: Team): string | null =>
  template?.language ?? team.language;
