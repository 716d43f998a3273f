import { sentContact } from './contacts.ts';
import type { Result } from './operations.ts';
import type { components } from './schema.ts';
import { Area } from './transport.ts';
import type {
  CallOptions,
  ConfirmedJourney,
  ContentReference,
  EngagementChannel,
  Journey,
  JourneyInput,
  LookupField,
  Objective,
  PageResponse,
  SentMessage,
  StartedJourney,
  Template,
  TemplateJourney,
  TemplateJourneyQuery,
  TemplateMessage,
  TemplatePage,
  TemplateResponse,
  TemplateResponseQuery,
  TemplateResults,
} from './types.ts';

type Schemas = components['schemas'];

/** The journeys of contacts. */
export class Journeys extends Area {
  /**
   * Starts a journey of the template for the contact, or returns the existing one.
   *
   * @example
   * const journey = await client.journeys.start(templateId, { contact: { id: contactId } });
   */
  async start(templateId: string, journey: JourneyInput, { signal }: CallOptions = {}): Promise<StartedJourney> {
    const body = { ...journey, contact: sentContact(journey.contact) };
    return this.transport.call('POST /v1/templates/{template_id}/journeys', {
      path: { template_id: templateId },
      body,
      signal,
    });
  }

  /**
   * The contact's journeys, oldest first. Empty for an unknown contact.
   *
   * @example
   * const done = (await client.journeys.list(contactId)).filter(({ analytics_cache }) => analytics_cache.is_completed);
   */
  async list(contactId: string, { signal }: CallOptions = {}): Promise<Journey[]> {
    const listed = await this.transport.call('GET /v1/journeys', { query: { contact_id: contactId }, signal });
    return listed as Journey[];
  }

  /**
   * All journeys of the template, by `updated_at`, oldest first. The next page is requested when the loop needs it. A
   * journey that changes in the meantime comes again, with its new `updated_at`.
   *
   * @example
   * for await (const { contact, analytics_cache } of client.journeys.ofTemplate(templateId)) {
   *   if (!analytics_cache.is_completed) console.log(contact.unique_id);
   * }
   */
  async *ofTemplate(
    templateId: string,
    query: TemplateJourneyQuery = {},
    { signal }: CallOptions = {},
  ): AsyncGenerator<TemplateJourney, void, undefined> {
    const sent = { template_id: templateId, ...query };
    const pages = this.transport.pages<Schemas['JourneyList']>('GET /v1/journeys', { query: sent, signal });
    for await (const { journeys } of pages) yield* journeys;
  }

  /**
   * All responses of the person in the journey, oldest first.
   *
   * @example
   * for (const { answer, at } of await client.journeys.responses(journeyId)) console.log(answer, at);
   */
  async responses(journeyId: string, { signal }: CallOptions = {}): Promise<PageResponse[]> {
    const path = { journey_id: journeyId };
    const list = 'GET /v1/journeys/{journey_id}/responses';
    const all: PageResponse[] = [];
    for await (const { responses } of this.transport.pages<Result<typeof list>>(list, { path, signal })) {
      for (const response of responses) all.push(response);
    }
    return all;
  }

  /**
   * What became of the messages of the journey, and those that are still due. The first one due is the first.
   *
   * @example
   * for (const { state, reason, due_at } of await client.journeys.messages(journeyId)) console.log(due_at, state, reason);
   */
  async messages(journeyId: string, { signal }: CallOptions = {}): Promise<SentMessage[]> {
    const path = { journey_id: journeyId };
    return (await this.transport.call('GET /v1/journeys/{journey_id}/messages', { path, signal })).messages;
  }

  /**
   * Confirms that the journey is completed. A repeated confirmation keeps the first time.
   *
   * @example
   * const { completion_verified_at } = await client.journeys.confirm(templateId, journeyId);
   */
  async confirm(templateId: string, journeyId: string, { signal }: CallOptions = {}): Promise<ConfirmedJourney> {
    const path = { template_id: templateId, journey_id: journeyId };
    return this.transport.call('PUT /v1/templates/{template_id}/journeys/{journey_id}', {
      path,
      body: { is_completion_confirmed: true },
      signal,
    });
  }

  /**
   * Cancels a journey that is not completed and has not expired. A repeat changes nothing.
   *
   * @example
   * const { cancelled_at } = await client.journeys.cancel(journeyId);
   */
  async cancel(journeyId: string, { signal }: CallOptions = {}): Promise<ConfirmedJourney> {
    return this.transport.call('POST /v1/journeys/{journey_id}/cancel', { path: { journey_id: journeyId }, signal });
  }
}

/** The campaigns of the team. */
export class Templates extends Area {
  /**
   * All templates, also archived ones.
   *
   * @example
   * for (const { id, name } of await client.templates.list()) console.log(id, name);
   */
  async list({ signal }: CallOptions = {}): Promise<Template[]> {
    return (await this.transport.call('GET /v1/templates', { signal })).templates;
  }

  /**
   * A template by its id.
   *
   * @example
   * const { name, status } = await client.templates.get(templateId);
   */
  async get(id: string, { signal }: CallOptions = {}): Promise<Template> {
    return (await this.transport.call('GET /v1/templates/{id}', { path: { id }, signal })).template;
  }

  /**
   * The messages of a template, in their order.
   *
   * @example
   * const messages = await client.templates.messages(templateId);
   */
  async messages(id: string, { signal }: CallOptions = {}): Promise<TemplateMessage[]> {
    return (await this.transport.call('GET /v1/templates/{id}/template_messages', { path: { id }, signal })).templates;
  }

  /**
   * The pages of a template, in their order.
   *
   * @example
   * const pages = await client.templates.pages(templateId);
   */
  async pages(id: string, { signal }: CallOptions = {}): Promise<TemplatePage[]> {
    return this.transport.call('GET /v1/templates/{id}/template_pages', { path: { id }, signal });
  }

  /**
   * How many journeys of the template came how far, and what was answered.
   *
   * @example
   * const { journeys, pages } = await client.templates.results(templateId);
   * console.log(`${journeys.completed} of ${journeys.created} completed`, pages);
   */
  async results(id: string, { signal }: CallOptions = {}): Promise<TemplateResults> {
    return this.transport.call('GET /v1/templates/{template_id}/results', { path: { template_id: id }, signal });
  }

  /**
   * What all persons answered, oldest first. The next page is requested when the loop needs it.
   *
   * @example
   * for await (const { contact, values } of client.templates.responses(templateId)) console.log(contact.unique_id, values);
   */
  async *responses(
    id: string,
    query: TemplateResponseQuery = {},
    { signal }: CallOptions = {},
  ): AsyncGenerator<TemplateResponse, void, undefined> {
    const list = 'GET /v1/templates/{template_id}/responses';
    const sent = { path: { template_id: id }, query, signal };
    for await (const { responses } of this.transport.pages<Result<typeof list>>(list, sent)) yield* responses;
  }
}

/** The goals that contacts can complete. */
export class Objectives extends Area {
  /**
   * The objectives of the team and the global ones, by key.
   *
   * @example
   * const objectives = await client.objectives.list();
   */
  async list({ signal }: CallOptions = {}): Promise<Objective[]> {
    return (await this.transport.call('GET /v1/objectives', { signal })).objectives;
  }
}

/** Places outside the service that show content for a contact. */
export class Channels extends Area {
  /**
   * The engagement channels of the team, by name.
   *
   * @example
   * for (const { id, name } of await client.channels.list()) console.log(id, name);
   */
  async list({ signal }: CallOptions = {}): Promise<EngagementChannel[]> {
    return (await this.transport.call('GET /v1/engagement-channels', { signal })).engagement_channels;
  }

  /**
   * The channel's content for the contact whose field has this value. Unless exactly one matches, the default content.
   *
   * @example
   * const { url, journey_url } = await client.channels.search(channelId, 'meta_private[core_id]', 'A-77310');
   */
  async search(
    channelId: string,
    field: LookupField,
    value: string,
    { signal }: CallOptions = {},
  ): Promise<ContentReference> {
    // The search takes exactly one query parameter.
    const query = { [field]: value };
    return this.transport.call('GET /v1/engagement-channels/{channel_id}/content-containers/search', {
      path: { channel_id: channelId },
      query,
      signal,
    });
  }
}
