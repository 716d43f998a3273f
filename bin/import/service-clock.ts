import { timestamp } from '../../lib/domain/timestamp.ts';

/** The clock of the service, from the `Date` header of its responses. The clock of this machine may differ by minutes. */
export class ServiceClock {
  #ahead = 0;

  /** Replaces the platform's `fetch`. */
  readonly fetch = async (url: string, init: RequestInit): Promise<Response> => {
    const response = await fetch(url, init);
    const date = Date.parse(response.headers.get('date') ?? '');
    if (!Number.isNaN(date)) this.#ahead = date - Date.now();
    return response;
  };

  /** ISO 8601. Never later than the service's time, although the header has whole seconds only. */
  now(): string {
    return timestamp(Date.now() + Math.min(this.#ahead, 0));
  }
}
