import { readFileSync } from 'node:fs';
import { InvalidArgumentError } from 'commander';
import type { OwnWords } from '../../../lib/domain/campaigns/values.ts';
import { defaultStartsADay } from '../../../lib/domain/targeting/brake.ts';
import { isSandbox } from '../../../lib/domain/teams/sandbox.ts';
import { type Team, type TeamFeature, teamFeatures } from '../../../lib/domain/teams/team.ts';
import { type JsonValue, parseJson } from '../../../lib/domain/values/json.ts';
import { canonicalLanguage } from '../../../lib/domain/values/language.ts';
import { isNamedTimeZone } from '../../../lib/domain/values/timestamp.ts';
import { listWebhooks } from '../../../lib/store/events/webhooks.ts';
import { listTeams, loadTeam } from '../../../lib/store/teams/teams.ts';
import { say } from '../../output.ts';
import { documentOf } from '../document.ts';
import { AdminFailure, failure } from '../failure.ts';
import type { Installation } from '../installation.ts';
import { createTeam, localMessages, rotateTeamSecret, updateTeam } from '../operations/teams/teams.ts';
import { countOption, nameOption } from '../options.ts';
import { listing, tableOf, textsOf } from '../text.ts';
import { argument, flag, noun, oneOf, optional, repeated, requireConsent, required, team, verb, yes } from '../verb.ts';
import { messageChange, messageOptions, requireSenders, shownSettings } from './message-settings.ts';

const feature = oneOf('features', teamFeatures);
const links = {
  privacyPolicyUrl: optional('<url>', 'the privacy policy that the pages link to', addressOf),
  termsOfServiceUrl: optional('<url>', 'the terms of service that the pages link to', addressOf),
  timezone: optional(
    '<name>',
    'the IANA time zone of dates on its pages, such as America/Chicago, for contacts without one',
    timezoneOf,
  ),
};

export const verbs = noun('Teams: institutions, each with its own data', {
  create: verb({
    does: 'Create a team',
    parameters: {
      name: required('<name>', 'the name of the team', nameOption),
      feature: repeated('<feature>', `one of ${teamFeatures.join(', ')}; repeatable (default: none)`, feature),
      ...links,
      sandbox: flag('a team for tests, which team reset can empty and fill with test data'),
      language: optional('<tag>', 'the language of its pages, such as es or de-AT (default: English)', languageOf),
    },
    run: async (installation, { name, sandbox, feature: features = [], ...given }) => {
      const { privacyPolicyUrl = null, termsOfServiceUrl = null, language = null, timezone = null } = given;
      const pages = {
        privacy_policy_url: privacyPolicyUrl,
        terms_of_service_url: termsOfServiceUrl,
        language,
        timezone,
      };
      const messages = installation.isLocal ? localMessages : {};
      return outcomeOf(await createTeam(installation, { name, features, sandbox, ...pages, ...messages }));
    },
  }),

  update: verb({
    does: 'Change a team; options that are not given keep their values',
    parameters: {
      team,
      name: optional('<name>', 'the new name', nameOption),
      feature: repeated(
        '<feature>',
        `one of the new features, which replace the present ones: ${teamFeatures.join(', ')}; repeatable`,
        feature,
      ),
      noFeature: flag('the team has no features'),
      ...links,
      noPrivacyPolicyUrl: flag('the pages have no privacy link'),
      noTermsOfServiceUrl: flag('the pages have no terms link'),
      noTimezone: flag('pages show dates without a time, and those of UTC'),
      words: optional('<file>', 'JSON with other words for its pages: by language, the keys of the words'),
      noWords: flag('its pages have their own words'),
      maxStartsADay: optional(
        '<n>',
        'journeys of one campaign that targeting starts a day, unless 2 % of the contacts are more (default: 1000)',
        countOption,
      ),
      contentApproval: optional(
        '<on|off>',
        'on: campaign content that one person imports waits until another one approves it (default: off)',
        oneOf('values', ['on', 'off'] as const),
      ),
      ...messageOptions,
    },
    run: async (installation, { team: teamId, name, feature, words, ...given }) => {
      const change = {
        name,
        features: changed<TeamFeature[]>(feature, []),
        privacy_policy_url: changed<string | null>(given.privacyPolicyUrl, null),
        terms_of_service_url: changed<string | null>(given.termsOfServiceUrl, null),
        timezone: changed<string | null>(given.timezone, null),
        max_starts_a_day: given.maxStartsADay,
        content_approval: given.contentApproval === undefined ? undefined : given.contentApproval === 'on',
        words: typeof words === 'string' ? await wordsIn(words) : changed<null>(words, null),
        ...messageChange(given),
      };
      if (Object.values(change).every((value) => value === undefined))
        throw failure('invalid_arguments', 'Give at least one option to change.');
      if (change.senders) {
        requireSenders(change, (await loadTeam(installation.database, teamId))!, installation.senderTeams);
      }
      return outcomeOf(await updateTeam(installation, teamId, change));
    },
  }),

  show: verb({
    does: 'Show a team and its settings',
    reads: true,
    parameters: { team },
    run: async ({ database }, given) => outcomeOf((await loadTeam(database, given.team))!),
  }),

  list: verb({
    does: 'List all teams, oldest first',
    reads: true,
    run: async ({ database }) => {
      const teams = await listTeams(database);
      const columns = { TEAM: 'team_id', NAME: 'name', FEATURES: featuresOf, CREATED: 'inserted_at' } as const;
      return { value: teams.map(shown), text: tableOf(teams, columns, 'There are no teams yet.') };
    },
  }),

  'rotate-secret': verb({
    does: 'Give a team a new secret for encrypting content URLs, cursors and identity proofs',
    help: `
Anything encrypted with the present secret works until the next rotation, so a planned rotation breaks nothing that was
encrypted since the previous rotation. After a leak, run the command twice: then nothing encrypted before is valid any more,
and embedded content must be looked up again.`,
    parameters: { team, yes },
    run: async (installation, given) => {
      requireConsent(
        'The team gets a new secret. Content URLs, cursors and identity proofs encrypted with its present secret work until ' +
          'the next rotation; those encrypted with the secret before it stop working now.',
        given,
      );
      const rotated = await rotateTeamSecret(installation, given.team);
      if (!rotated) throw failure('conflict', 'Another rotation ran at the same time. This one changed nothing.');
      const { team_id, secret_id } = rotated;
      return { value: { team_id, secret_id }, text: `The team now has version ${secret_id} of its secret.` };
    },
  }),

  reset: verb({
    does: 'Delete all data of a sandbox team and create its test data; reads the whole table',
    parameters: { team, yes },
    ids: async ({ team: teamId }, database) => {
      const webhooks = isSandbox(teamId) ? await listWebhooks(database, teamId) : [];
      return webhooks.length === 0 ? {} : { webhook_ids: webhooks.map(({ webhook }) => webhook.webhook_id) };
    },
    run: async (installation, given) => {
      const { notSandbox, resetTeam, sandboxData } = await import('../operations/teams/reset.ts');
      if (!isSandbox(given.team)) throw new AdminFailure('conflict', [notSandbox]);
      requireConsent(
        'All contacts, accounts, batches, journeys, images, campaigns, webhooks and dropped files of the team are deleted, ' +
          'and test data is created. The team keeps its id and its clients.',
        given,
      );
      const data = sandboxData.parse(example('sandbox.json'));
      const content = example('campaigns.json');
      const report = await resetTeam(await resetService(installation), given.team, { content, data });
      return { value: { team_id: given.team, ...report } };
    },
  }),

  export: verb({
    does: 'Write all data of a team to a file as JSON lines, without secrets; reads the whole table',
    parameters: { file: argument('path of the file, which is replaced when the export is complete'), team },
    run: async (installation, { team: team_id, file }) => {
      const { exportTeam } = await import('./team-export.ts');
      const counts = await exportTeam(installation, team_id, file);
      return { value: { file, team_id, counts }, text: listing(textsOf({ file, ...counts })) };
    },
  }),
});

/** What an option changes: its `--no-…` makes it `false`, and without both it is `true` or absent. */
const changed = <Value>(given: unknown, none: Value): Value | undefined =>
  given === false ? none : given === true ? undefined : (given as Value | undefined);

const example = (name: string): JsonValue =>
  parseJson(readFileSync(new URL(`../../../examples/${name}`, import.meta.url), 'utf8'));

export async function resetService(installation: Installation) {
  const { ContentCache } = await import('../../../lib/store/campaigns/content.ts');
  const { ProductCache, ProductRegistry } = await import('../../../lib/store/accounts/products.ts');
  const { fits } = await import('../../../lib/http/reply.ts');
  const { database, now } = installation;
  return {
    ...installation,
    ...(await installation.imports()),
    content: new ContentCache(database, now),
    productCache: new ProductCache(database),
    products: new ProductRegistry(database),
    files: await installation.dropBox(),
    images: await installation.images(),
    ...{ database, fits, onProgress: say },
  };
}

async function wordsIn(file: string): Promise<OwnWords> {
  const { wordsValueErrors } = await import('../../../lib/content/words.ts');
  const value = documentOf(file, true);
  const errors = wordsValueErrors(value);
  if (errors.length > 0) throw new AdminFailure('validation_failed', errors);
  return value as OwnWords;
}

function timezoneOf(value: string): string {
  if (!isNamedTimeZone(value)) throw new InvalidArgumentError('must be an IANA time zone, such as America/Chicago.');
  return value;
}

function languageOf(value: string): string {
  const tag = canonicalLanguage(value);
  if (tag === undefined) throw new InvalidArgumentError('It must be a BCP 47 language tag, such as es or de-AT.');
  return tag;
}

function addressOf(value: string): string {
  const isAddress = URL.canParse(value) && /^https?:$/.test(new URL(value).protocol);
  if (!isAddress) throw new InvalidArgumentError('It must be a URL that begins with https:// or http://.');
  return value;
}

/** All fields except the secrets, which are never shown. */
const shown = ({ secret, previous_secret, ...team }: Team) =>
  isSandbox(team.team_id) ? { ...team, sandbox: true } : team;

const featuresOf = (team: Team): string =>
  [...(isSandbox(team.team_id) ? ['sandbox'] : []), ...team.features].join(', ') || 'none';

function outcomeOf(team: Team) {
  const { team_id, name } = team;
  return {
    value: shown(team),
    text: listing({
      ...{ team_id, name, features: featuresOf(team), 'content approval': team.content_approval ? 'on' : 'off' },
      ...{ timezone: team.timezone ?? 'none', language: team.language ?? 'none' },
      'starts of a campaign a day': String(team.max_starts_a_day ?? defaultStartsADay),
      ...shownSettings(team),
    }),
    ids: { team_id },
  };
}
