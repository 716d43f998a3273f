import { dataOf, given, type Transport } from './transport.ts';
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
  StartedJourney,
  Template,
  TemplateMessage,
  TemplatePage,
} from './types.ts';

export class Journeys {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Starts a journey of the template for the contact, or returns the existing one. */
  async start(templateId: string, journey: JourneyInput, { signal }: CallOptions = {}): Promise<StartedJourney> {
    const params = { path: { template_id: templateId } };
    const path = '/v1/templates/{template_id}/journeys';
    return dataOf(this.#transport.api.POST(path, { params, body: journey, ...given(signal) }));
  }

  /** The contact's journeys, oldest first. Empty for an unknown contact. */
  async list(contactId: string, { signal }: CallOptions = {}): Promise<Journey[]> {
    const params = { query: { contact_id: contactId } };
    return dataOf(this.#transport.api.GET('/v1/journeys', { params, ...given(signal) }));
  }

  /** The responses of the person in the journey, oldest first. */
  async responses(journeyId: string, { signal }: CallOptions = {}): Promise<PageResponse[]> {
    const params = { path: { journey_id: journeyId } };
    const path = '/v1/journeys/{journey_id}/responses';
    return (await dataOf(this.#transport.api.GET(path, { params, ...given(signal) }))).responses;
  }

  /** Confirms that the journey is completed. A repeated confirmation keeps the first time. */
  async confirm(templateId: string, journeyId: string, { signal }: CallOptions = {}): Promise<ConfirmedJourney> {
    const params = { path: { template_id: templateId, journey_id: journeyId } };
    const body = { is_completion_confirmed: true };
    const path = '/v1/templates/{template_id}/journeys/{journey_id}';
    return dataOf(this.#transport.api.PUT(path, { params, body, ...given(signal) }));
  }
}

export class Templates {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  async list({ signal }: CallOptions = {}): Promise<Template[]> {
    return (await dataOf(this.#transport.api.GET('/v1/templates', given(signal)))).templates;
  }

  async get(id: string, { signal }: CallOptions = {}): Promise<Template> {
    const call = this.#transport.api.GET('/v1/templates/{id}', { params: { path: { id } }, ...given(signal) });
    return (await dataOf(call)).template;
  }

  async messages(id: string, { signal }: CallOptions = {}): Promise<TemplateMessage[]> {
    const path = '/v1/templates/{id}/template_messages';
    const call = this.#transport.api.GET(path, { params: { path: { id } }, ...given(signal) });
    return (await dataOf(call)).templates;
  }

  async pages(id: string, { signal }: CallOptions = {}): Promise<TemplatePage[]> {
    const path = '/v1/templates/{id}/template_pages';
    return dataOf(this.#transport.api.GET(path, { params: { path: { id } }, ...given(signal) }));
  }
}

export class Objectives {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  async list({ signal }: CallOptions = {}): Promise<Objective[]> {
    return (await dataOf(this.#transport.api.GET('/v1/objectives', given(signal)))).objectives;
  }
}

export class Channels {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  async list({ signal }: CallOptions = {}): Promise<EngagementChannel[]> {
    return (await dataOf(this.#transport.api.GET('/v1/engagement-channels', given(signal)))).engagement_channels;
  }

  /** The channel's content for the contact whose field has this value. Unless exactly one matches, the default content. */
  async search(
    channelId: string,
    field: LookupField,
    value: string,
    { signal }: CallOptions = {},
  ): Promise<ContentReference> {
    const params = { path: { channel_id: channelId } };
    // The search takes exactly one query parameter.
    const querySerializer = () => new URLSearchParams([[field, value]]).toString();
    const path = '/v1/engagement-channels/{channel_id}/content-containers/search';
    return dataOf(this.#transport.api.GET(path, { params, querySerializer, ...given(signal) }));
  }
}
