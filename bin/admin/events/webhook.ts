import { InvalidArgumentError } from 'commander';
import type { AuditIds } from '../../../lib/domain/access/audit.ts';
import { eventTypes, isEventFilter } from '../../../lib/domain/events/event.ts';
import {
  type AttemptResult,
  isReceived,
  responseOf,
  type Webhook,
  type WebhookProgress,
} from '../../../lib/domain/events/webhook.ts';
import { timestamp } from '../../../lib/domain/values/timestamp.ts';
import { isUuid } from '../../../lib/domain/values/uuid.ts';
import {
  createWebhook,
  type ListedWebhook,
  listShownWebhooks,
  redeliverEvent,
  redeliverSince,
  rotateWebhook,
  type ShownWebhook,
  showWebhook,
  testWebhook,
} from '../../../lib/operations/events/webhooks.ts';
import { loadWebhookSecrets } from '../../../lib/store/events/webhook-subscriptions.ts';
import { deleteWebhook, listEndedWebhooks, loadWebhook } from '../../../lib/store/events/webhooks.ts';
import type { Database } from '../../../lib/store/table/database.ts';
import { listTeamIds } from '../../../lib/store/teams/teams.ts';
import { urlRefusal } from '../../../lib/webhooks/url.ts';
import { failure } from '../failure.ts';
import { aimedId, timeOption } from '../options.ts';
import { listing, quantity, tableOf, textsOf } from '../text.ts';
import {
  anyTeam,
  noun,
  optional,
  optionalArgument,
  repeated,
  requireConsent,
  required,
  team,
  verb,
  yes,
} from '../verb.ts';

/** A webhook that is named by an argument or an option. */
const aimed = {
  webhookId: optionalArgument('the webhook'),
  webhook: optional('<webhook_id>', 'the webhook, as an option'),
  team: optional('<team_id>', 'the team that it must belong to'),
};
type Aimed = { [Name in keyof typeof aimed]: string | undefined };

export const verbs = noun('URLs to which the events of a team are sent', {
  create: verb({
    does: 'Send the events that are published from now on to a URL; the secret is shown only once',
    parameters: {
      team,
      url: required('<url>', 'where they are sent: https, and a public address'),
      type: repeated('<type>', 'a type of event, or several: journey.*; repeatable (default: all types)', typeOption),
    },
    run: async (installation, { team: teamId, url, type: types = null }) => {
      const refusal = urlRefusal(url, { allowsLocal: installation.isLocal });
      const made = await createWebhook(installation, { team_id: teamId, url, types }, refusal, '--url');
      const { webhook_id, team_id, ...rest } = made.webhook;
      const value = { webhook_id, secret: made.secret, team_id, ...rest };
      return { value, text: `${listing(textsOf(value))}\n\n${saveSecret}`, ids: { webhook_id } };
    },
  }),

  list: verb({
    does: 'List webhooks, oldest first, with their state; those that ended for 30 days',
    parameters: { team: anyTeam },
    reads: true,
    run: async (installation, given) => {
      const teams = given.team === undefined ? await listTeamIds(installation.database) : [given.team];
      const ofTeams = await Promise.all(teams.map((each) => listShownWebhooks(installation, each)));
      const listed = ofTeams.flat().sort((a, b) => (a.inserted_at < b.inserted_at ? -1 : 1));
      const text = tableOf(
        listed,
        {
          WEBHOOK: 'webhook_id',
          TEAM: 'team_id',
          URL: 'url',
          TYPES: typesText,
          STATE: stateText,
          'LAST ATTEMPT': (each) => ('ended_at' in each ? each.cause : lastAttemptText(each)),
        },
        'There are no webhooks yet.',
      );
      return { value: listed, text };
    },
  }),

  show: verb({
    does: 'Show whether a webhook is received, what waits, and what was given up',
    parameters: aimed,
    reads: true,
    run: async ({ database }, given) => {
      const stored = await requireWebhook(database, given);
      const shown = await showWebhook(database, stored);
      const old_secret_until = stored.secrets.find(({ valid_until }) => valid_until !== null)?.valid_until ?? null;
      return { value: { ...shown, old_secret_until }, text: textOf(shown) };
    },
  }),

  rotate: verb({
    does: 'Give a webhook a new secret; the present one signs for 24 more hours',
    parameters: { ...aimed, yes },
    ids,
    run: async (installation, given) => {
      const { webhook, secrets } = await requireWebhook(installation.database, given);
      const { webhook_id } = webhook;
      const old = secrets.find(({ valid_until }) => valid_until !== null && valid_until > timestamp(Date.now()));
      if (old) {
        const rotation = `${webhook_id} was rotated less than 24 hours ago. Its old secret, which would sign until ${old.valid_until}, ends at once.`;
        requireConsent(rotation, given);
      }
      const value = { webhook_id, ...(await rotateWebhook(installation, webhook_id)) };
      return { value, text: `${listing(value)}\n\n${saveSecret}` };
    },
  }),

  test: verb({
    does: 'Send one event of the type webhook.test, and say the response; the status is 1 if it was not received',
    parameters: aimed,
    ids,
    run: async (installation, given) => {
      const { webhook } = await requireWebhook(installation.database, given);
      const { event, result } = await testWebhook(installation, webhook);
      if (result === undefined)
        throw failure('unavailable', 'The test was not sent in time. The function that delivers is not running.');
      const { webhook_id, url } = webhook;
      const value = { webhook_id, event_id: event.id, received: isReceived(result), ...responseOf(result) };
      return { value, text: `${url} ${resultText(result)}`, isAlarm: !isReceived(result) };
    },
  }),

  redeliver: verb({
    does: 'Send events again, also those that were received; a failing webhook is tried at once',
    parameters: {
      ...aimed,
      event: optional('<event_id>', 'this event'),
      since: optional(
        '<time>',
        'all events published since this time; with --event, how far back to look for it',
        timeOption,
      ),
    },
    ids,
    run: async (installation, given) => {
      const { webhook } = await requireWebhook(installation.database, given);
      const { webhook_id } = webhook;
      const { event, since } = given;
      if (event !== undefined) {
        const event_id = event.toLowerCase();
        const isFound = await redeliverEvent(installation, webhook, event_id, since);
        if (isFound) return { value: { webhook_id, event_id }, text: `The event ${event_id} is sent again.` };
        throw failure('not_found', 'since the webhook was made, no event of its types has this id', '--event');
      }
      if (since === undefined) throw failure('invalid_arguments', 'give --event or --since', '--since');
      const oldest = timestamp(Date.now() - installation.retention.days.events * 24 * 3_600_000);
      const from = [since, oldest, webhook.inserted_at].sort().at(-1)!;
      await redeliverSince(installation, webhook, from);
      return { value: { webhook_id, since: from }, text: `The events published since ${from} are sent again.` };
    },
  }),

  remove: verb({
    does: 'End a webhook; events that wait are not sent',
    parameters: { ...aimed, yes },
    ids,
    run: async ({ database }, given) => {
      const { webhook } = await requireWebhook(database, given);
      const { webhook_id, url } = webhook;
      requireConsent(`${webhook_id} ends. No more events are sent to ${url}, also none of those that wait.`, given);
      await deleteWebhook(database, webhook);
      return { value: { webhook_id, removed: true }, text: `${webhook_id} is removed.` };
    },
  }),
});

const saveSecret = 'Save the secret now. It cannot be shown again.';

function typeOption(text: string): string {
  if (isEventFilter(text)) return text;
  const types = `${eventTypes.join(', ')}, or the first word and an asterisk: journey.*`;
  throw new InvalidArgumentError(`The types are ${types}.`);
}

const idOf = ({ webhook, webhookId }: Aimed): string => aimedId('webhook', 'webhook', webhook, webhookId).toLowerCase();

const ownerOf = async (database: Database, id: string) => (isUuid(id) ? loadWebhookSecrets(database, id) : undefined);

/** The webhook, and its team, to whose audit log the act belongs. */
async function ids(given: Aimed, database: Database): Promise<AuditIds> {
  const webhook_id = idOf(given);
  const owner = await ownerOf(database, webhook_id);
  return { webhook_id, ...(owner ? { team_id: owner.team_id } : {}) };
}

async function requireWebhook(database: Database, given: Aimed) {
  const id = idOf(given);
  const owner = await ownerOf(database, id);
  const stored = owner && (await loadWebhook(database, owner.team_id, id));
  if (stored && (given.team === undefined || given.team === stored.webhook.team_id)) return stored;
  const teams = given.team === undefined ? await listTeamIds(database) : [given.team];
  const ended = await Promise.all(teams.map((team_id) => listEndedWebhooks(database, team_id, Date.now())));
  const found = ended.flat().find(({ webhook_id }) => webhook_id === id);
  const says = found
    ? `has ended at ${found.ended_at}: ${found.cause}. After the repair, make another one with webhook create`
    : 'there is no webhook with this id';
  throw failure('not_found', says, '--webhook');
}

const resultText = (result: AttemptResult): string => {
  if (isReceived(result)) return `received it (${result}).`;
  return typeof result === 'number' ? `refused it (${result}).` : `did not answer (${result}).`;
};

const typesText = ({ types }: Pick<Webhook, 'types'>): string => types?.join(' ') ?? 'all';
const lastAttemptText = ({ last_attempt: last }: Pick<WebhookProgress, 'last_attempt'>): string =>
  last ? `${last.at} ${last.result}` : 'never';
const stateText = (shown: ListedWebhook): string => {
  if ('ended_at' in shown) return `ended ${shown.ended_at}`;
  return shown.failing_since === null ? 'up' : `failing since ${shown.failing_since}`;
};

function textOf(shown: ShownWebhook): string {
  const { webhook_id, team_id, url, backlog, last_attempt, next_attempt_at, given_up_until, failed } = shown;
  const lines = {
    ...{ webhook_id, team_id, url, types: typesText(shown), state: stateText(shown) },
    'last attempt': last_attempt ? `${last_attempt.at}, ${last_attempt.result}` : 'never',
    'next attempt': next_attempt_at,
    waiting: quantity(backlog.waiting + backlog.unread, 'event'),
    'given up': given_up_until && `what was published before ${given_up_until} and not tried`,
  };
  if (failed.length === 0) return listing(textsOf(lines));
  const columns = {
    EVENT: ({ event }: (typeof failed)[number]) => event.id,
    TYPE: ({ event }: (typeof failed)[number]) => event.type,
    AT: ({ event }: (typeof failed)[number]) => event.at,
    ATTEMPTS: 'attempts',
  } as const;
  return `${listing(textsOf(lines))}\n\nGiven up:\n${tableOf(failed, columns)}`;
}
