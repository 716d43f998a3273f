import * as z from 'zod';
import { uuid } from './uuid.ts';

/** Features that a team can have (specification, "Template"). */
export const teamFeatures = ['product_objective_reporting', 'product_objective_reporting_phase_2'] as const;
export type TeamFeature = (typeof teamFeatures)[number];

/** The features that the team lacks to use sets of products and types: both reporting features, which are all so far. */
export const lackingForCompletionSets = (features: readonly TeamFeature[]): TeamFeature[] =>
  teamFeatures.filter((feature) => !features.includes(feature));

export const hasCompletionSets = (features: readonly TeamFeature[]): boolean =>
  lackingForCompletionSets(features).length === 0;

/** One institution. All data but global objectives belongs to exactly one. */
export const teamSchema = z.object({
  team_id: uuid(),
  name: z.string(),
  features: z.array(z.enum(teamFeatures)),
  /** 32 random bytes in base64url: seals cursors, content references and identity proofs. Never leaves the service. */
  secret: z.string(),
  /** Which version of the secret it is; a rotation counts it up. Teams made before rotations have the first. */
  secret_id: z.int().min(1).default(1),
  /** The version before, which still opens what it sealed. */
  previous_secret: z.string().nullable().default(null),
  privacy_policy_url: z.string().nullable(),
  terms_of_service_url: z.string().nullable(),
  /** Of its pages' own words, BCP 47, where a template names none; `null`: English. */
  language: z.string().nullable().default(null),
  inserted_at: z.string(),
  updated_at: z.string(),
});

export type Team = z.output<typeof teamSchema>;

/** One version of a team's secret; its id stands in what it seals. */
export type TeamSecret = { readonly id: number; readonly secret: string };

/** The live versions of a team's secret: the current one, which seals, and the one before it, which still opens. */
export type TeamSecrets = readonly [TeamSecret, ...TeamSecret[]];

export function secretsOf({ secret, secret_id: id, previous_secret: previous }: Team): TeamSecrets {
  const current = { id, secret };
  return previous === null ? [current] : [current, { id: id - 1, secret: previous }];
}

/** The team with a new secret; the current one becomes the previous one, and the one before that ends. */
export const withNewSecret = (team: Team, secret: string): Team => ({
  ...team,
  secret,
  secret_id: team.secret_id + 1,
  previous_secret: team.secret,
});

/** Of the pages' own words, where a template is shown: its own, else the team's. */
export const languageFor = (template: { language: string | null } | undefined, team: Team): string | null =>
  template?.language ?? team.language;
