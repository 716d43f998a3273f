import { journeyUrl } from '../../../lib/domain/journeys/journey.ts';
import { asNotFound, failure } from '../failure.ts';
import { reissueJourney } from '../operations/journeys/reissue-journey.ts';
import { noun, requireConsent, required, team, verb, yes } from '../verb.ts';

export const verbs = noun('Journeys: one contact’s way through a campaign', {
  reissue: verb({
    does: 'Give a journey a new URL; the old URL stops working at once, and recorded actions stay',
    parameters: { team, journey: required('<journey_id>', 'the journey'), yes },
    ids: ({ journey }) => ({ journey_id: journey.toLowerCase() }),
    run: async (installation, given) => {
      requireConsent('The journey gets a new URL. Links that were sent with the old one stop working.', given);
      const { id, slug, account_id, state } = await reissueJourney(
        installation,
        given.team,
        given.journey.toLowerCase(),
      ).catch(asNotFound(() => failure('not_found', 'the team has no journey with this id', '--journey')));
      return {
        value: { journey_id: id, slug, account_id, state, web_client_url: journeyUrl(installation.baseUrl, slug) },
      };
    },
  }),
});
