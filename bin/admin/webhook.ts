import { setTimeout as sleep } from 'node:timers/promises';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { AuditIds } from '../../lib/domain/audit.ts';
import { eventTypes, isEventFilter } from '../../lib/domain/event.ts';
import { timestamp } from '../../lib/domain/timestamp.ts';
import { isUuid } from '../../lib/domain/uuid.ts';
import { type AttemptResult, isReceived, type Webhook } from '../../lib/domain/webhook.ts';
import { dependenciesOn } from '../../lib/runtime/table.ts';
import type { Database } from '../../lib/store/database.ts';
import {
  deleteWebhook,
  listAllWebhooks,
  listWebhooks,
  loadWebhook,
  type StoredWebhook,
} from '../../lib/store/webhooks.ts';
import { repeatable } from '../command.ts';
import { requireConsent, yesOption } from './consent.ts';
import { failure } from './failure.ts';
import type { Installation } from './installation.ts';
import {
  createWebhook,
  redeliverEvent,
  redeliverSince,
  rotateWebhook,
  type ShownWebhook,
  showWebhook,
  testWebhook,
  type WebhookDependencies,
} from './operations/webhooks.ts';
import { aimed, aimedId, timeOption } from './options.ts';
import { loadWebhookSecrets } from './store/webhooks.ts';
import { listing, quantity, tableOf, textsOf } from './text.ts';
import { noIds, type Outcome, verb } from './verb.ts';

export function registerWebhook(program: Command): void {
  const webhook = program.command('webhook').description('URLs to which the events of a team are sent');

  verb<{ team: string; url: string; type?: string[] }>(
    webhook
      .command('create')
      .description('Send the events that are published from now on to a URL; the secret is shown only once')
      .requiredOption('--team <team_id>', 'the team whose events are sent')
      .requiredOption('--url <url>', 'where they are sent: https, and a public address')
      .addOption(
        repeatable(
          new Option(
            '--type <type>',
            'a type of event, or several: journey.*; repeatable (default: all types)',
          ).argParser(appendType),
        ),
      ),
    noIds,
    async (installation, { team, url, type: types = null }) => {
      const policy = { allowsLocal: installation.isLocal };
      const made = await createWebhook(dependenciesOf(installation), { team_id: team, url, types }, policy);
      const { webhook_id, team_id, ...rest } = made.webhook;
      const value = { webhook_id, secret: made.secret, team_id, ...rest };
      return { value, text: `${listing(textsOf(value))}\n\n${saveSecret}`, ids: { webhook_id } };
    },
  );

  verb<{ team?: string }>(
    webhook
      .command('list')
      .description('List webhooks, oldest first, with their state')
      .option('--team <team_id>', 'only those of this team'),
    'reads',
    async ({ database }, { team }) => {
      const webhooks = team === undefined ? await listAllWebhooks(database) : await listWebhooks(database, team);
      webhooks.sort((a, b) => (a.webhook.inserted_at < b.webhook.inserted_at ? -1 : 1));
      return listed(webhooks);
    },
  );

  verb<WebhookOption, [string?]>(
    aimedAtWebhook(webhook.command('show'), 'Show whether a webhook is received, what waits, and what was given up'),
    'reads',
    async ({ database }, options, argument) => {
      const { stored, secrets } = await requireWebhook(database, options, argument);
      const shown = await showWebhook(database, stored);
      const old_secret_until = secrets.find(({ valid_until }) => valid_until !== null)?.valid_until ?? null;
      return { value: { ...shown, old_secret_until }, text: textOf(shown) };
    },
  );

  verb<WebhookOption & Consent, [string?]>(
    aimedAtWebhook(
      webhook.command('rotate'),
      'Give a webhook a new secret; the present one signs for 24 more hours',
    ).option(...yesOption),
    webhookIds,
    async (installation, { yes, ...options }, argument) => {
      const { stored, secrets } = await requireWebhook(installation.database, options, argument);
      const { webhook_id } = stored.webhook;
      const old = secrets.find(({ valid_until }) => valid_until !== null && valid_until > timestamp(Date.now()));
      if (old) {
        const rotation = `${webhook_id} was rotated less than 24 hours ago. Its old secret, which would sign until ${old.valid_until}, ends at once.`;
        requireConsent(rotation, { yes });
      }
      const rotated = await rotateWebhook(dependenciesOf(installation), webhook_id);
      const value = { webhook_id, ...rotated };
      return { value, text: `${listing(value)}\n\n${saveSecret}` };
    },
  );

  verb<WebhookOption, [string?]>(
    aimedAtWebhook(webhook.command('test'), 'Send one event of the type webhook.test, and say the response'),
    webhookIds,
    async (installation, options, argument) => {
      const { stored } = await requireWebhook(installation.database, options, argument);
      const dependencies = { ...dependenciesOf(installation), sleep: (milliseconds: number) => sleep(milliseconds) };
      const { event, result } = await testWebhook(dependencies, stored.webhook);
      if (result === undefined)
        throw failure('unavailable', 'The test was not sent in time. The function that delivers is not running.');
      const status = typeof result === 'number' ? result : null;
      const error = typeof result === 'number' ? null : result;
      const { webhook_id } = stored.webhook;
      const value = { webhook_id, event_id: event.id, received: isReceived(result), status, error };
      return { value, text: `${stored.webhook.url} ${resultText(result)}` };
    },
  );

  verb<WebhookOption & { event?: string; since?: string }, [string?]>(
    aimedAtWebhook(
      webhook.command('redeliver'),
      'Send events again, also those that were received; a failing webhook is tried at once',
    )
      .option('--event <event_id>', 'this event')
      .option(
        '--since <time>',
        'all events published since this time; with --event, how far back to look for it',
        timeOption,
      ),
    webhookIds,
    async (installation, { event, since, ...options }, argument) => {
      const { stored } = await requireWebhook(installation.database, options, argument);
      const { webhook } = stored;
      const { webhook_id } = webhook;
      if (event !== undefined) {
        const id = event.toLowerCase();
        const isFound = await redeliverEvent(dependenciesOf(installation), webhook, id, since);
        if (isFound) return { value: { webhook_id, event_id: id }, text: `The event ${id} is sent again.` };
        throw failure('not_found', 'the team has no event with this id', '--event');
      }
      if (since === undefined) throw failure('invalid_arguments', 'give --event or --since', '--since');
      const oldest = timestamp(Date.now() - installation.retention.days.events * day);
      const from = since < oldest ? oldest : since;
      await redeliverSince(dependenciesOf(installation), webhook, from);
      return { value: { webhook_id, since: from }, text: `The events published since ${from} are sent again.` };
    },
  );

  verb<WebhookOption & Consent, [string?]>(
    aimedAtWebhook(webhook.command('remove'), 'End a webhook; events that wait are not sent').option(...yesOption),
    webhookIds,
    async ({ database }, { yes, ...options }, argument) => {
      const { stored } = await requireWebhook(database, options, argument);
      const { webhook_id, url } = stored.webhook;
      requireConsent(`${webhook_id} ends. No more events are sent to ${url}, also none of those that wait.`, { yes });
      await deleteWebhook(database, stored.webhook);
      return { value: { webhook_id, removed: true }, text: `${webhook_id} is removed.` };
    },
  );
}

type Consent = { yes?: boolean };
type WebhookOption = { webhook?: string; team?: string };

const day = 24 * 3_600_000;
const saveSecret = 'Save the secret now. It cannot be shown again.';

function appendType(text: string, before: string[] = []): string[] {
  if (!isEventFilter(text)) {
    throw new InvalidArgumentError(
      `The types are ${eventTypes.join(', ')}, or the first word and an asterisk: journey.*.`,
    );
  }
  return [...before, text];
}

const dependenciesOf = ({ database, wakeWebhook }: Installation): WebhookDependencies => ({
  ...dependenciesOn(database),
  wake: wakeWebhook,
});

const aimedAtWebhook = (command: Command, description: string): Command =>
  aimed(command.description(description), 'webhook', 'webhook').option(
    '--team <team_id>',
    'the team that it must belong to',
  );

const webhookIdOf = ({ webhook }: WebhookOption, argument: string | undefined): string =>
  aimedId('webhook', 'webhook', webhook, argument).toLowerCase();

/** The webhook, and its team, to whose audit log the act belongs. */
async function webhookIds(
  option: WebhookOption,
  [argument]: readonly [string?],
  database: Database,
): Promise<AuditIds> {
  const webhook_id = webhookIdOf(option, argument);
  const owner = isUuid(webhook_id) ? await loadWebhookSecrets(database, webhook_id) : undefined;
  return { webhook_id, ...(owner ? { team_id: owner.team_id } : {}) };
}

async function requireWebhook(database: Database, option: WebhookOption, argument: string | undefined) {
  const id = webhookIdOf(option, argument);
  const owner = isUuid(id) ? await loadWebhookSecrets(database, id) : undefined;
  const stored = owner && (await loadWebhook(database, owner.team_id, id));
  if (stored && (option.team === undefined || option.team === stored.webhook.team_id)) {
    return { stored, secrets: stored.secrets };
  }
  throw failure('not_found', 'there is no webhook with this id', '--webhook');
}

const resultText = (result: AttemptResult): string => {
  if (isReceived(result)) return `received it (${result}).`;
  return typeof result === 'number' ? `refused it (${result}).` : `did not answer (${result}).`;
};

const typesText = ({ types }: Webhook): string => types?.join(' ') ?? 'all';

const listed = (webhooks: readonly StoredWebhook[]): Outcome => ({
  value: webhooks.map(({ webhook, progress: { failing_since, last_attempt, next_at } }) => ({
    ...webhook,
    state: failing_since === null ? 'up' : 'failing',
    ...{ failing_since, last_attempt, next_attempt_at: next_at },
  })),
  text: tableOf(
    ['WEBHOOK', 'TEAM', 'URL', 'TYPES', 'STATE', 'LAST ATTEMPT'],
    webhooks.map(({ webhook, progress: { failing_since, last_attempt } }) => [
      ...[webhook.webhook_id, webhook.team_id, webhook.url, typesText(webhook)],
      failing_since === null ? 'up' : `failing since ${failing_since}`,
      last_attempt ? `${last_attempt.at} ${last_attempt.result}` : 'never',
    ]),
    'There are no webhooks yet.',
  ),
});

function textOf(shown: ShownWebhook): string {
  const { backlog, failing_since, last_attempt, next_attempt_at, given_up_until, failed } = shown;
  const lines = {
    ...{ webhook_id: shown.webhook_id, team_id: shown.team_id, url: shown.url, types: typesText(shown) },
    state: failing_since === null ? 'up' : `failing since ${failing_since}`,
    'last attempt': last_attempt ? `${last_attempt.at}, ${last_attempt.result}` : 'never',
    ...(next_attempt_at === null ? {} : { 'next attempt': next_attempt_at }),
    waiting: quantity(backlog.waiting + backlog.unread, 'event'),
    ...(given_up_until === null ? {} : { 'given up': `what was published before ${given_up_until} and not tried` }),
  };
  if (failed.length === 0) return listing(lines);
  const rows = failed.map(({ event, attempts }) => [event.id, event.type, event.at, String(attempts)]);
  return `${listing(lines)}\n\nGiven up:\n${tableOf(['EVENT', 'TYPE', 'AT', 'ATTEMPTS'], rows, '')}`;
}
