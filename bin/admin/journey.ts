import type { Command } from 'commander';
import { journeyUrl } from '../../lib/domain/journey.ts';
import { dependenciesOn } from '../../lib/runtime/table.ts';
import { requireConsent } from './consent.ts';
import { asNotFound, failure } from './failure.ts';
import { reissueJourney } from './operations/reissue-journey.ts';
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
      requireConsent('The journey gets a new URL. Links that were sent with the old one stop working.', { yes });
      const { id, slug } = await reissueJourney(dependenciesOn(database), team, journey.toLowerCase()).catch(
        asNotFound(() => failure('not_found', 'the team has no journey with this id', '--journey')),
      );
      const value = { journey_id: id, slug, web_client_url: journeyUrl(baseUrl, slug) };
      return { value, text: listing(value) };
    },
  );
}
