import { randomUUID } from 'node:crypto';
import { createTeam } from '../../../bin/admin/operations/teams/teams.ts';
import { contentReference } from '../../../lib/auth/content-reference.ts';
import { secretsOf, type Team } from '../../../lib/domain/teams/team.ts';
import { ProductCache } from '../../../lib/store/accounts/products.ts';
import { loadContactAggregate } from '../../../lib/store/journeys/journeys.ts';
import { ModelDatabase } from '../../support/models/model-database.ts';
import { putContent } from '../../support/operations/content.ts';
import { serviceOn, upsertContact } from '../../support/operations/operations.ts';
import { record } from '../../support/samples/contacts.ts';

export const [app, web] = [randomUUID(), randomUUID()];
export const container = (content_blocks: object[] = [], engagement_channel_id = web) => ({
  id: randomUUID(),
  engagement_channel_id,
  content_blocks,
});
type Container = ReturnType<typeof container>;
export type Page = { id: string; content_containers: Container[]; [field: string]: unknown };
export const page = (fields: object = {}, content_containers = [container()]): Page => ({
  id: randomUUID(),
  completion_condition: 'view',
  content_containers,
  ...fields,
});
export const template = (pages: Page[], fields: object = {}) => ({
  id: randomUUID(),
  name: 'Welcome',
  status: 'live',
  is_cce_enabled: true,
  template_pages: pages.map((each, order) => ({ order, page: each })),
  ...fields,
});
export type Template = ReturnType<typeof template>;

export const objective = { id: randomUUID(), key: 'opened' };
/** A page that is completed and hidden as soon as the contact has the objective. */
export const hidden = () =>
  page({ completion_condition: 'objective', objective_id: objective.id, hide_when_complete: true });

/** A team with the channels App and Web, and a contact with a journey of each template. */
export class ChannelWorld {
  readonly database: ModelDatabase;
  readonly team: Team;
  contactId = '';

  private constructor(database: ModelDatabase, team: Team) {
    this.database = database;
    this.team = team;
  }

  static async open(templates: Template[], fields: object = {}): Promise<ChannelWorld> {
    const database = new ModelDatabase();
    const dependencies = serviceOn(database);
    const world = new ChannelWorld(database, await createTeam(dependencies, { name: 'Bank', features: [] }));
    await world.#fill(templates, fields);
    return world;
  }

  async #fill(templates: Template[], fields: object): Promise<void> {
    const engagement_channels = [
      { id: app, name: 'App' },
      { id: web, name: 'Web' },
    ];
    const { database, team } = this;
    await putContent(database, team.team_id, { engagement_channels, objectives: [objective], templates });
    for (const { id } of templates) {
      const sent = record({ unique_id: 'ann', name_first: 'Ann', ...fields, journey: { template_id: id } });
      this.contactId = (await upsertContact(serviceOn(database), team.team_id, sent)).contact.id;
    }
  }

  /** Dependencies of the operations for channels. No scan is allowed. */
  dependencies() {
    return {
      ...serviceOn(this.database),
      ...{ productCache: new ProductCache(this.database), baseUrl: 'https://bank.example', scanUnits: 0 },
    };
  }

  async journeyOf({ id }: Template) {
    const aggregate = await loadContactAggregate(this.database, this.team.team_id, this.contactId);
    return aggregate!.journeys.find(({ journey }) => journey.template_id === id)!;
  }

  /** The recorded actions in the journey, each with its page. */
  async actionsIn(of: Template) {
    return (await this.journeyOf(of)).actions.map(({ kind, page_id }) => [kind, page_id]);
  }

  async referenceTo(of: Template, { id }: Container): Promise<string> {
    const { journey } = await this.journeyOf(of);
    const location = { channelId: web, contactId: this.contactId, journeyId: journey.id, containerId: id };
    return contentReference(this.team.team_id, secretsOf(this.team), location);
  }
}
