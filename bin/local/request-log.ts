import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { LogService } from '../../lib/http/request-log.ts';
import { jsonOf } from './description.ts';

/** How long the local service keeps the log lines of failed requests, in milliseconds. */
const kept = 24 * 3_600_000;

/** A line of the log: the fields of the request, and its time. */
export type LoggedRequest = { at: string } & Record<string, unknown>;

export const loggedRequests = (path: string): LoggedRequest[] =>
  existsSync(path)
    ? readFileSync(path, 'utf8')
        .split('\n')
        // The last line can be cut off.
        .flatMap((line): LoggedRequest[] => [jsonOf(line) as LoggedRequest].filter(Boolean))
    : [];

/** Also writes the log lines of clients' failed requests to a file, whatever the log level is. */
export function keepFailedRequests(path: string): (logger: LogService['logger']) => LogService['logger'] {
  const oldest = new Date(Date.now() - kept).toISOString();
  const recent = loggedRequests(path).filter(({ at }) => at >= oldest);
  writeFileSync(path, recent.map((line) => `${JSON.stringify(line)}\n`).join(''), { mode: 0o600 });
  return (logger) => ({
    error: (...line) => logger.error(...line),
    info(message, fields) {
      logger.info(message, fields);
      const { client_id, team_id, method, route, status, code, requestId } = fields;
      if (message !== 'request' || client_id === undefined || Number(status) < 400) return;
      const line = { at: new Date().toISOString(), client_id, team_id, method, route, status, code, requestId };
      appendFileSync(path, `${JSON.stringify(line)}\n`);
    },
  });
}
