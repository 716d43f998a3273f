import * as z from 'zod';
import { uuid } from './values.ts';

/** The team as templates and pages show it (specification, "Template (campaign)"). */
export const shownTeam = z
  .object({
    id: uuid(),
    name: z.string(),
    privacy_policy_url: z.string().nullable(),
    terms_of_service_url: z.string().nullable(),
    updated_at: z.string(),
  })
  .meta({ id: 'Team' });
export type ShownTeam = z.output<typeof shownTeam>;
