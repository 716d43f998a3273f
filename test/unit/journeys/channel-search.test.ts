import { describe, expect, test } from 'vitest';
import { lookupField } from '../../../lib/domain/contacts/lookup.ts';
import { channelContent } from '../../../lib/operations/journeys/channel-content.ts';
import { ChannelWorld, hidden, objective, page, template, web } from './channel-world.ts';

function search(world: ChannelWorld) {
  const field = lookupField('unique_id') as { name: 'unique_id' };
  const caller = { teamId: world.team.team_id, clientId: 'client' };
  return channelContent(world.dependencies(), caller, web, { field, value: 'ann' });
}
const isCompleted = { [objective.key]: true };

describe('a search for the content of a contact', () => {
  test('records what it passes over as completed, in journeys with content for the channel only', async () => {
    const [offering, other] = [template([hidden(), page()]), template([hidden()], { is_muted: true })];
    const world = await ChannelWorld.open([offering, other], isCompleted);
    await search(world);
    const [first] = offering.template_pages;
    expect(await world.actionsIn(offering)).toEqual([['completed', first!.page.id]]);
    expect(await world.actionsIn(other)).toEqual([]);
  });

  test('records nothing if it does not depend on what is completed', async () => {
    const campaign = template([page({ completion_condition: 'objective', objective_id: objective.id })]);
    const world = await ChannelWorld.open([campaign], isCompleted);
    const { journey_url } = await search(world);
    expect(journey_url).toBe(`https://bank.example/j/${(await world.journeyOf(campaign)).journey.slug}`);
    expect(await world.actionsIn(campaign)).toEqual([]);
  });
});
