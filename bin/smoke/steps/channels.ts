import { lookups } from '../content.ts';
import { expect } from '../failure.ts';
import type { Step, Uses } from '../step.ts';
import { asImage, type Journey, type World } from '../world.ts';

const search = 'search-content-containers';
const inserts = ['PartiQLInsert', 'T#*#C#*'];
/** The contact aggregate and the content of the team that the reference names. */
const opens: Uses = { Read: [], Query: [] };

/** The path parameters of the content that a lookup finds for the contact. */
async function contentOf(world: World, { uniqueId }: Pick<Journey, 'uniqueId'>) {
  return referenceOf(world, { unique_id: uniqueId });
}

async function referenceOf(world: World, query: Record<string, string>) {
  const params = { channel_id: world.content.ids.channel };
  const { body } = await world.api(search, { params, query });
  const reference = new URL(body.url).pathname.split('/').at(-1)!;
  return { params: { ...params, reference }, isDefault: body.journey_url === null };
}

/** @throws StepFailure unless the lookup finds the contact. An index can be behind by a moment. */
async function expectFound(world: World, query: Record<string, string>, what: string): Promise<void> {
  const look = async () => ((await referenceOf(world, query)).isDefault ? undefined : true);
  await world.until(look, `the lookup by ${what}`, search);
}

export const channelSteps: readonly Step[] = [
  ...lookups.map(
    ({ field, contact }): Step => ({
      name: `look a contact up by ${field}`,
      function: search,
      // As long as an instance does not know which index has the field, it queries all of them.
      uses: { Query: ['T#*'], Lookup: [] },
      async run(world) {
        const value = world.newUniqueId();
        world.people.delete(value);
        const fields = contact(value);
        await world.newJourney(fields);
        await expectFound(world, { [field]: Object.values(textsIn(fields))[0]! }, field);
      },
    }),
  ),
  {
    name: 'look a contact up by a field without an index',
    function: search,
    uses: { Query: ['T#*'], Directory: [], Write: ['PartiQLInsert', 'PartiQLUpdate', 'T#*#M#*'] },
    async run(world) {
      // A scan is counted only if it reads enough. The first one of the minute inserts the count.
      const city = world.newUniqueId();
      world.people.delete(city);
      await world.newLargePeople(city);
      await world.newJourney({ city });
      await expectFound(world, { city }, 'a field without an index');
      await referenceOf(world, { city });
    },
  },
  {
    name: 'skip content that is completed by now, and record it',
    function: search,
    uses: { Query: ['T#*'], Write: inserts },
    async run(world) {
      const journey = await world.newJourney();
      await world.reachObjective(journey);
      const { isDefault } = await contentOf(world, journey);
      expect(!isDefault, 'the lookup found only the default content', search);
    },
  },
  {
    name: 'show content, and record a page that is completed by now',
    function: 'show-channel-content',
    uses: { ...opens, Write: inserts },
    async run(world) {
      const journey = await world.newJourney();
      const { params } = await contentOf(world, journey);
      await world.reachObjective(journey);
      await world.call('show-channel-content', { params, status: 200 });
    },
  },
  {
    name: 'record the view of content, twice',
    function: 'record-content-action',
    uses: { ...opens, Write: ['PartiQLInsert', 'PartiQLUpdate', 'T#*#C#*'] },
    async run(world) {
      const journey = await world.newJourney();
      const { params } = await contentOf(world, journey);
      const request = { params, body: { type: 'page_viewed' }, status: 204 };
      await world.call('record-content-action', request);
      await world.call('record-content-action', request);
    },
  },
  {
    name: 'sign an agreement in content',
    function: 'record-content-action',
    uses: { ...opens, Write: ['PutItem', 'T#*#C#*'] },
    async run(world) {
      const journey = await world.newJourney();
      // The page before the agreement is completed, so the lookup finds the agreement.
      await world.reachObjective(journey);
      const { params } = await contentOf(world, journey);
      const answer = { block_id: world.content.ids.embeddedAgreement, answer: 'accepted', typed_name: 'Ada' };
      const body = { type: 'page_completed', answers: [answer] };
      await world.call('record-content-action', { params, body, status: 204 });
    },
  },
  {
    name: 'record the view of content by its image, twice',
    function: 'record-content-view',
    uses: { ...opens, Write: ['PartiQLInsert', 'PartiQLUpdate', 'T#*#C#*'] },
    async run(world) {
      const { params } = await contentOf(world, await world.newJourney());
      await world.call('record-content-view', { params, headers: asImage });
      await world.call('record-content-view', { params, headers: asImage });
    },
  },
];

const textsIn = (fields: object): string[] =>
  Object.values(fields).flatMap((value) => (typeof value === 'object' ? textsIn(value) : [value]));
