import { expect } from '../failure.ts';
import type { Step, Uses } from '../step.ts';
import { asImage, type Journey, type World } from '../world.ts';

/** The contact aggregate, the content and, with a slug, the item that names the journey. */
const opens: Uses = { Read: ['BatchGetItem', 'S#*', 'T#*'], Query: [] };
/** Actions and completions are inserts. */
const inserts = ['PartiQLInsert', 'T#*#C#*'];

const open = (world: World) => ({ template_id: world.content.ids.open });
const closed = { birthdate: '1985-03-27', post_code: '94110' };
const answers = { birth_month: '3', birth_day: '27', birth_year: '1985', post_code: '94110' };

/** @throws StepFailure unless the journey shows that the page is completed */
async function expectCompleted(
  world: World,
  { id }: Journey,
  page: string,
  functionId: Step['function'],
): Promise<void> {
  const { body } = await world.api('list-journeys', { query: { contact_id: id } });
  expect(body[0]?.analytics_cache.pages_completed.includes(page), 'the completed page was not recorded', functionId);
}

export const journeySteps: readonly Step[] = [
  {
    name: 'start a journey, and update it',
    function: 'create-journey',
    uses: { Write: ['PutItem', 'PartiQLUpdate', 'T#*#C#*', 'T#*#J#*', 'S#*'] },
    async run(world) {
      const { id } = await world.newJourney();
      const body = { contact: { id }, source: 'branch-12' };
      await world.api('create-journey', { params: open(world), body, status: 200 });
    },
  },
  {
    name: 'start a journey of a new contact',
    function: 'create-journey',
    uses: { Write: ['PartiQLInsert', 'T#*#C#*'] },
    async run(world) {
      const body = { contact: { unique_id: world.newUniqueId() } };
      await world.api('create-journey', { params: open(world), body, status: 201 });
    },
  },
  {
    name: 'start a journey with changes of its contact',
    function: 'create-journey',
    uses: { Write: ['UpdateItem', 'T#*#C#*'] },
    async run(world) {
      const { uniqueId } = await world.newPerson({
        email: `${world.newUniqueId()}@example.com`,
        address: 'Mill Street',
      });
      const body = { contact: { unique_id: uniqueId, email: null, address: null } };
      await world.api('create-journey', { params: open(world), body });
    },
  },
  {
    name: 'confirm that a journey is completed',
    function: 'confirm-journey',
    uses: { Query: ['T#*'], Write: ['PartiQLUpdate'] },
    async run(world) {
      const { journeyId } = await world.newJourney();
      const params = { ...open(world), journey_id: journeyId };
      const { body } = await world.api('confirm-journey', { params, body: { is_completion_confirmed: true } });
      expect(body.is_completion_verified ?? body.completion_verified_at ?? true, 'not confirmed', 'confirm-journey');
    },
  },
  {
    name: 'list journeys, and record a page that is completed by now',
    function: 'list-journeys',
    uses: { Query: ['T#*'], Write: inserts },
    async run(world) {
      const journey = await world.newJourney();
      await world.reachObjective(journey);
      await expectCompleted(world, journey, world.content.ids.objectivePage, 'list-journeys');
    },
  },
  {
    name: 'show a journey, and record a page that is completed by now',
    function: 'show-journey',
    uses: { ...opens, Write: inserts },
    async run(world) {
      const journey = await world.newJourney();
      await world.reachObjective(journey);
      await world.call('show-journey', { params: { slug: journey.slug }, status: 200 });
    },
  },
  {
    name: 'record the view of a page, twice',
    function: 'record-action',
    uses: { ...opens, Write: ['PartiQLInsert', 'PartiQLUpdate', 'T#*#C#*'] },
    async run(world) {
      const journey = await world.newJourney();
      const { view } = world.content.ids;
      const request = { params: { slug: journey.slug }, body: { type: 'page_viewed', page_id: view }, status: 204 };
      await world.call('record-action', request);
      await world.call('record-action', request);
      await expectCompleted(world, journey, view, 'record-action');
    },
  },
  {
    name: 'sign an agreement',
    function: 'record-action',
    uses: { ...opens, Write: ['PutItem', 'T#*#C#*'] },
    async run(world) {
      const journey = await signed(world);
      await expectCompleted(world, journey, world.content.ids.agree, 'record-action');
    },
  },
  {
    name: 'list the responses of a journey',
    function: 'list-responses',
    uses: { Query: ['T#*'] },
    async run(world) {
      const { journeyId } = await signed(world);
      const { body } = await world.api('list-responses', { params: { journey_id: journeyId } });
      expect(
        JSON.stringify(body).includes(world.content.ids.agreement),
        'the agreement is not listed',
        'list-responses',
      );
    },
  },
  {
    name: 'record the view of a page by its image, twice',
    function: 'record-view',
    uses: { ...opens, Write: ['PartiQLInsert', 'PartiQLUpdate', 'T#*#C#*'] },
    async run(world) {
      const journey = await world.newJourney();
      const { view } = world.content.ids;
      const request = { params: { slug: journey.slug, page_id: view }, headers: asImage };
      await world.call('record-view', request);
      await world.call('record-view', request);
      await expectCompleted(world, journey, view, 'record-view');
    },
  },
  {
    name: 'ask a person for a proof of identity',
    function: 'ask-identity',
    uses: opens,
    async run(world) {
      const { slug } = await world.newJourney(closed, 'closed');
      await world.call('ask-identity', { params: { slug }, status: 200 });
    },
  },
  {
    name: 'check a proof of identity, a wrong one first',
    function: 'check-identity',
    uses: { ...opens, Write: ['PartiQLInsert', 'PartiQLUpdate', 'T#*#C#*'] },
    async run(world) {
      const { slug } = await world.newJourney(closed, 'closed');
      const prove = (given: Record<string, string>, status: number) =>
        world.call('check-identity', { params: { slug }, body: new URLSearchParams(given), status });
      await prove({ ...answers, post_code: '94112' }, 422);
      const { headers } = await prove(answers, 303);
      expect(headers.get('set-cookie'), 'there is no cookie', 'check-identity');
    },
  },
];

async function signed(world: World): Promise<Journey> {
  const journey = await world.newJourney();
  const { agree, agreement } = world.content.ids;
  const answer = { block_id: agreement, answer: 'accepted', typed_name: 'Ada' };
  const body = { type: 'page_completed', page_id: agree, answers: [answer] };
  await world.call('record-action', { params: { slug: journey.slug }, body, status: 204 });
  return journey;
}
