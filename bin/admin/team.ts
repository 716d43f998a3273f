import { type Command, InvalidArgumentError, Option } from 'commander';
import type { OwnWords } from '../../lib/domain/content/values.ts';
import { canonicalLanguage } from '../../lib/domain/language.ts';
import { isSandbox } from '../../lib/domain/sandbox.ts';
import { type Team, type TeamFeature, teamFeatures } from '../../lib/domain/team.ts';
import { isNamedTimeZone } from '../../lib/domain/timestamp.ts';
import { dependenciesOn } from '../../lib/runtime/table.ts';
import { listTeams } from '../../lib/store/teams.ts';
import { repeatable } from '../command.ts';
import { wordsValueErrors } from '../content/words.ts';
import { requireConsent } from './consent.ts';
import { documentOf } from './document.ts';
import { AdminFailure, failure } from './failure.ts';
import { createTeam, rotateTeamSecret, type TeamChange, updateTeam } from './operations/teams.ts';
import { nameOption } from './options.ts';
import { registerTeamExport } from './team-export.ts';
import { registerTeamReset } from './team-reset.ts';
import { listing, tableOf } from './text.ts';
import { noIds, verb } from './verb.ts';

export function registerTeam(program: Command): void {
  const team = program.command('team').description('Teams: institutions, each with its own data');

  const feature = repeatable(
    new Option('--feature <feature>', `one of ${teamFeatures.join(', ')}; repeatable`)
      .default([], 'none')
      .argParser(addFeature),
  );
  verb<{
    name: string;
    feature: TeamFeature[];
    privacyPolicyUrl?: string;
    termsOfServiceUrl?: string;
    language?: string;
    timezone?: string;
    sandbox?: boolean;
  }>(
    team
      .command('create')
      .description('Create a team')
      .requiredOption('--name <name>', 'the name of the team', nameOption)
      .addOption(feature)
      .option('--privacy-policy-url <url>', 'the privacy policy that the pages link to', addressOf)
      .option('--terms-of-service-url <url>', 'the terms of service that the pages link to', addressOf)
      .option('--sandbox', 'a team for tests, which team reset can empty and fill with test data')
      .option('--language <tag>', 'the language of its pages, such as es or de-AT (default: English)', languageOf)
      .option('--timezone <name>', timezoneHelp, timezoneOf),
    noIds,
    async ({ database }, { name, feature: features, ...rest }) => {
      const made = await createTeam(dependenciesOn(database), { name, features, ...rest });
      return {
        value: shown(made),
        text: listing({ team_id: made.team_id, name, features: featuresOf(made) }),
        ids: { team_id: made.team_id },
      };
    },
  );

  verb<TeamUpdate>(
    team
      .command('update')
      .description('Change a team; options that are not given keep their values')
      .requiredOption('--team <team_id>', 'the team')
      .option('--name <name>', 'the new name', nameOption)
      .addOption(
        repeatable(
          new Option(
            '--feature <feature>',
            `one of the new features, which replace the present ones: ${teamFeatures.join(', ')}; repeatable`,
          ).argParser(addFeature),
        ),
      )
      .option('--no-feature', 'the team has no features')
      .option('--privacy-policy-url <url>', 'the privacy policy that the pages link to', addressOf)
      .option('--no-privacy-policy-url', 'the pages have no privacy link')
      .option('--terms-of-service-url <url>', 'the terms of service that the pages link to', addressOf)
      .option('--no-terms-of-service-url', 'the pages have no terms link')
      .option('--timezone <name>', timezoneHelp, timezoneOf)
      .option('--no-timezone', 'dates on its pages are in UTC')
      .option('--words <file>', 'JSON with other words for its pages: by language, the keys of the words')
      .option('--no-words', 'its pages have their own words'),
    noIds,
    async ({ database }, options) => {
      const change = changeOf(options);
      if (Object.values(change).every((value) => value === undefined)) {
        throw failure('invalid_arguments', 'Give at least one option to change.');
      }
      const updated = await updateTeam({ database, now: Date.now }, options.team, change);
      const { team_id, name } = updated;
      return { value: shown(updated), text: listing({ team_id, name, features: featuresOf(updated) }) };
    },
  );

  verb(team.command('list').description('List all teams, oldest first'), 'reads', async ({ database }) => {
    const teams = await listTeams(database);
    const rows = teams.map((each) => [each.team_id, each.name, featuresOf(each), each.inserted_at]);
    return {
      value: teams.map(shown),
      text: tableOf(['TEAM', 'NAME', 'FEATURES', 'CREATED'], rows, 'There are no teams yet.'),
    };
  });

  verb<{ team: string; yes?: boolean }>(
    team
      .command('rotate-secret')
      .description('Give a team a new secret for encrypting content URLs, cursors and identity proofs')
      .requiredOption('--team <team_id>', 'the team')
      .option('--yes', 'confirm; required at a terminal')
      .addHelpText('after', rotationHelp),
    noIds,
    async ({ database }, { team, yes = false }) => {
      requireConsent(rotationConsequence, { yes });
      const rotated = await rotateTeamSecret(dependenciesOn(database), team);
      if (!rotated) throw failure('conflict', 'Another rotation ran at the same time. This one changed nothing.');
      const value = { team_id: rotated.team_id, secret_id: rotated.secret_id };
      return { value, text: `The team now has version ${rotated.secret_id} of its secret.` };
    },
  );

  registerTeamReset(team);
  registerTeamExport(team);
}

/** As commander parses them: `--no-…` is `false`; an option that was not given is `true` or absent. */
type TeamUpdate = {
  team: string;
  name?: string;
  feature?: TeamFeature[] | boolean;
  privacyPolicyUrl?: string | boolean;
  termsOfServiceUrl?: string | boolean;
  timezone?: string | boolean;
  words?: string | boolean;
};

const changeOf = ({ name, feature, privacyPolicyUrl, termsOfServiceUrl, timezone, words }: TeamUpdate): TeamChange => ({
  name,
  features: feature === false ? [] : Array.isArray(feature) ? feature : undefined,
  privacy_policy_url: textChange(privacyPolicyUrl),
  terms_of_service_url: textChange(termsOfServiceUrl),
  timezone: textChange(timezone),
  words: typeof words === 'string' ? wordsOf(words) : words === false ? null : undefined,
});

function wordsOf(file: string): OwnWords {
  const value = documentOf(file, true);
  const errors = wordsValueErrors(value);
  if (errors.length > 0) throw new AdminFailure('validation_failed', errors);
  return value as OwnWords;
}

const textChange = (option: string | boolean | undefined): string | null | undefined =>
  option === false ? null : option === true ? undefined : option;

const rotationConsequence =
  'The team gets a new secret. Content URLs, cursors and identity proofs encrypted with its present secret work until ' +
  'the next rotation; those encrypted with the secret before it stop working now.';

const rotationHelp = `
Anything encrypted with the present secret works until the next rotation, so a planned rotation breaks nothing that was
encrypted since the previous rotation. After a leak, run the command twice: then nothing encrypted before is valid any more,
and embedded content must be looked up again.`;

const timezoneHelp = 'the IANA time zone of dates on its pages, such as America/Chicago, for contacts without one';

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

function addFeature(value: string, earlier: readonly TeamFeature[] | boolean | undefined): TeamFeature[] {
  const feature = teamFeatures.find((each) => each === value);
  if (!feature) throw new InvalidArgumentError(`The features are ${teamFeatures.join(', ')}.`);
  return [...(Array.isArray(earlier) ? earlier : []), feature];
}

/** All fields except the secrets, which are never shown. */
const shown = ({ secret, previous_secret, ...team }: Team) =>
  isSandbox(team.team_id) ? { ...team, sandbox: true } : team;

const featuresOf = (team: Team): string =>
  [...(isSandbox(team.team_id) ? ['sandbox'] : []), ...team.features].join(', ') || 'none';
