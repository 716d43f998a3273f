import { timestamp } from '../../lib/domain/timestamp.ts';

/** The service's clock, as far as its answers tell it; this machine's own may be minutes away. */
export class ServiceClock {
  #ahead = 0;

  /** In place of the platform's `fetch`. */
  readonly fetch = async (url: string, init: RequestInit): Promise<Response> => {
    const response = await fetch(url, init);
    const date = Date.parse(response.headers.get('date') ?? '');
    if (!Number.isNaN(date)) this.#ahead = date - Date.now();
    return response;
  };

  /** ISO 8601, never late: an answer's date has whole seconds. */
  now(): string {
    return timestamp(Date.now() + Math.min(this.#ahead, 0));
  }
}
