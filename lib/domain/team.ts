import * as z from 'zod';

/** Features that a team can have (specification, "Template"). */
export const teamFeatures = ['product_objective_reporting', 'product_objective_reporting_phase_2'] as const;
export type TeamFeature = (typeof teamFeatures)[number];

/** One institution. All data but global objectives belongs to exactly one. */
export const teamSchema = z.object({
  team_id: z.uuid(),
  name: z.string(),
  features: z.array(z.enum(teamFeatures)),
  /** 32 random bytes in base64url: seals cursors and content addresses. Never leaves the service. */
  secret: z.string(),
  privacy_policy_url: z.string().nullable(),
  terms_of_service_url: z.string().nullable(),
  inserted_at: z.string(),
  updated_at: z.string(),
});

export type Team = z.output<typeof teamSchema>;
