import * as z from 'zod';
import { uuid } from '../values/uuid.ts';

/** The team in templates and pages of responses (specification, "Template (campaign)"). */
export const shownTeam = z
  .object({
    id: uuid().describe('Team id'),
    name: z.string().describe('Team name'),
    privacy_policy_url: z.string().nullable().describe('URL of the privacy policy'),
    terms_of_service_url: z.string().nullable().describe('URL of the terms of service'),
    updated_at: z.string().describe('Time of the last change'),
  })
  .meta({ id: 'Team', description: 'The team that owns the content' });
export type ShownTeam = z.output<typeof shownTeam>;
