import { dataOf, given, type Transport } from './transport.ts';
import type {
  CallOptions,
  ConfirmedJourney,
  ContentReference,
  Journey,
  JourneyInput,
  LookupField,
  Objective,
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

  /** The contact's journey of this template, made where there is none yet. */
  async start(templateId: string, journey: JourneyInput, { signal }: CallOptions = {}): Promise<StartedJourney> {
    const params = { path: { template_id: templateId } };
    const path = '/v1/templates/{template_id}/journeys';
    return dataOf(this.#transport.api.POST(path, { params, body: journey, ...given(signal) }));
  }

  /** Oldest first; none for an unknown contact. */
  async list(contactId: string, { signal }: CallOptions = {}): Promise<Journey[]> {
    const params = { query: { contact_id: contactId } };
    return dataOf(this.#transport.api.GET('/v1/journeys', { params, ...given(signal) }));
  }

  /** Confirms by hand that the journey is completed. The first confirmation stands. */
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

  /** The channel's content for the one contact whose field has this value; else its default content. */
  async search(
    channelId: string,
    field: LookupField,
    value: string,
    { signal }: CallOptions = {},
  ): Promise<ContentReference> {
    const params = { path: { channel_id: channelId } };
    // One pair of name and value is all that there may be, whichever field it names.
    const querySerializer = () => new URLSearchParams([[field, value]]).toString();
    const path = '/v1/engagement-channels/{channel_id}/content-containers/search';
    return dataOf(this.#transport.api.GET(path, { params, querySerializer, ...given(signal) }));
  }
}
