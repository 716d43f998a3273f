import type { Command } from 'commander';
import { journeyUrl } from '../../lib/domain/journey.ts';
import { Problem } from '../../lib/domain/problem.ts';
import { dependenciesOn } from '../../lib/runtime/table.ts';
import { requireConsent } from './consent.ts';
import { AdminFailure } from './failure.ts';
import { reissueJourney } from './operations/reissue-journey.ts';
import { requireTeam } from './require-team.ts';
import { listing } from './text.ts';
import { verb } from './verb.ts';

export function registerJourney(program: Command): void {
  const journey = program.command('journey').description('Journeys: one contact’s way through a campaign');

  verb<{ team: string; journey: string; yes?: boolean }>(
    journey
      .command('reissue')
      .description('Give a journey a new URL; the old URL stops working at once, and recorded actions stay')
      .requiredOption('--team <team_id>', 'the team that it belongs to')
      .requiredOption('--journey <journey_id>', 'the journey')
      .option('--yes', 'confirm; required at a terminal'),
    ({ journey }) => ({ journey_id: journey.toLowerCase() }),
    async ({ database, baseUrl }, { team, journey, yes = false }) => {
      await requireTeam(database, team);
      requireConsent('The journey gets a new URL. Links that were sent with the old one stop working.', { yes });
      const { id, slug } = await reissueJourney(dependenciesOn(database), team, journey.toLowerCase()).catch(asJourney);
      const value = { journey_id: id, slug, web_client_url: journeyUrl(baseUrl, slug) };
      return { value, text: listing(value) };
    },
  );
}

function asJourney(error: unknown): never {
  if (!(error instanceof Problem) || error.code !== 'not_found') throw error;
  throw new AdminFailure(error.code, [{ path: '--journey', message: 'the team has no journey with this id' }]);
}
