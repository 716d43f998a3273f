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

/** The language of the built-in texts of pages: that of the template, else that of the team. */
export const languageFor = (template: { language: string | null } | undefined, team: Team): string | null =>
  template?.language ?? team.language;
