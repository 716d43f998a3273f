import { type Command, InvalidArgumentError, Option } from 'commander';
import { canonicalLanguage } from '../../lib/domain/content/values.ts';
import { text } from '../../lib/domain/fields.ts';
import { Problem } from '../../lib/domain/problem.ts';
import { type Team, type TeamFeature, teamFeatures } from '../../lib/domain/team.ts';
import { createTeam } from '../../lib/operations/create-team.ts';
import { rotateTeamSecret } from '../../lib/operations/rotate-team-secret.ts';
import { type TeamChange, updateTeam } from '../../lib/operations/update-team.ts';
import { dependenciesOn } from '../../lib/runtime/table.ts';
import { listTeams } from '../../lib/store/teams.ts';
import { requireConsent } from './consent.ts';
import { AdminFailure, failure } from './failure.ts';
import { registerTeamExport } from './team-export.ts';
import { listing, tableOf } from './text.ts';
import { verb } from './verb.ts';

export function registerTeam(program: Command): void {
  const team = program.command('team').description('Institutions, each with data of its own');

  const feature = new Option('--feature <feature>', `one of ${teamFeatures.join(', ')}; may be given several times`)
    .default([], 'none')
    .argParser(addFeature);
  verb<{
    name: string;
    feature: TeamFeature[];
    privacyPolicyUrl?: string;
    termsOfServiceUrl?: string;
    language?: string;
  }>(
    team
      .command('create')
      .description('Make a team')
      .requiredOption('--name <name>', 'what the team is called', nameOf)
      .addOption(feature)
      .option('--privacy-policy-url <url>', 'to which the pages that people see lead', addressOf)
      .option('--terms-of-service-url <url>', 'the same for the terms', addressOf)
      .option('--language <tag>', 'of the words on its pages, such as es or de-AT; without it, English', languageOf),
    async ({ database }, { name, feature: features, ...rest }) => {
      const made = await createTeam(dependenciesOn(database), { name, features, ...rest });
      return { value: shown(made), text: listing({ team_id: made.team_id, name, features: featuresOf(made) }) };
    },
  );

  verb<TeamUpdate>(
    team
      .command('update')
      .description('Change a team; what is not given keeps its value')
      .requiredOption('--team <team_id>', 'the team')
      .option('--name <name>', 'the new name', nameOf)
      .addOption(
        new Option(
          '--feature <feature>',
          `the new features, instead of the present ones: ${teamFeatures.join(', ')}; may be given several times`,
        ).argParser(addFeature),
      )
      .option('--no-feature', 'the team has no features')
      .option('--privacy-policy-url <url>', 'where the privacy link of the pages leads', addressOf)
      .option('--no-privacy-policy-url', 'the pages have no privacy link')
      .option('--terms-of-service-url <url>', 'where the terms link of the pages leads', addressOf)
      .option('--no-terms-of-service-url', 'the pages have no terms link'),
    async ({ database }, options) => {
      const change = changeOf(options);
      if (Object.values(change).every((value) => value === undefined)) {
        throw failure('invalid_arguments', 'Give at least one option to change.');
      }
      const updated = await updateTeam({ database, now: Date.now }, options.team, change).catch(asTeam);
      const { team_id, name } = updated;
      return { value: shown(updated), text: listing({ team_id, name, features: featuresOf(updated) }) };
    },
  );

  verb(team.command('list').description('List all teams, oldest first'), async ({ database }) => {
    const teams = await listTeams(database);
    const rows = teams.map((each) => [each.team_id, each.name, featuresOf(each), each.inserted_at]);
    return {
      value: teams.map(shown),
      text: tableOf(['TEAM', 'NAME', 'FEATURES', 'MADE'], rows, 'There are no teams yet.'),
    };
  });

  verb<{ team: string; yes?: boolean }>(
    team
      .command('rotate-secret')
      .description('Give a team a new secret to seal content URLs, cursors and identity proofs with')
      .requiredOption('--team <team_id>', 'the team')
      .option('--yes', 'needed at a terminal')
      .addHelpText('after', rotationHelp),
    async ({ database }, { team, yes = false }) => {
      requireConsent(rotationConsequence, { yes });
      const rotated = await rotateTeamSecret(dependenciesOn(database), team).catch(asTeam);
      if (!rotated) throw failure('conflict', 'Another rotation came first; this one did nothing.');
      const value = { team_id: rotated.team_id, secret_id: rotated.secret_id };
      return { value, text: `The team has version ${rotated.secret_id} of its secret.` };
    },
  );

  registerTeamExport(team);
}

/** As commander gives them: `--no-…` is `false`; what is not given is `true` or absent. */
type TeamUpdate = {
  team: string;
  name?: string;
  feature?: TeamFeature[] | boolean;
  privacyPolicyUrl?: string | boolean;
  termsOfServiceUrl?: string | boolean;
};

const changeOf = ({ name, feature, privacyPolicyUrl, termsOfServiceUrl }: TeamUpdate): TeamChange => ({
  name,
  features: feature === false ? [] : Array.isArray(feature) ? feature : undefined,
  privacy_policy_url: urlChange(privacyPolicyUrl),
  terms_of_service_url: urlChange(termsOfServiceUrl),
});

const urlChange = (option: string | boolean | undefined): string | null | undefined =>
  option === false ? null : option === true ? undefined : option;

const rotationConsequence =
  'The team gets a new secret. What was sealed with its present one (content URLs, cursors, identity proofs) works ' +
  'until the next rotation; what was sealed with the one before that stops working now.';

const rotationHelp = `
What is sealed with the present secret works until the next rotation, so a planned rotation breaks nothing that is
younger than the one before. After a leak run it twice: then nothing that was sealed before opens any more, and
embedded content has to be looked up again.`;

function asTeam(error: unknown): never {
  if (!(error instanceof Problem) || error.code !== 'not_found') throw error;
  throw new AdminFailure(error.code, [{ path: '--team', message: 'there is no such team' }]);
}

function nameOf(value: string): string {
  const result = text().safeParse(value);
  if (!result.success) throw new InvalidArgumentError(`It ${result.error.issues[0]!.message}.`);
  if (value.trim() === '') throw new InvalidArgumentError('It must not be blank.');
  return value;
}

function languageOf(value: string): string {
  const tag = canonicalLanguage(value);
  if (tag === undefined) throw new InvalidArgumentError('It must be a BCP 47 language tag, such as es or de-AT.');
  return tag;
}

function addressOf(value: string): string {
  const isAddress = URL.canParse(value) && /^https?:$/.test(new URL(value).protocol);
  if (!isAddress) throw new InvalidArgumentError('It must be an address that begins with https:// or http://.');
  return value;
}

function addFeature(value: string, earlier: readonly TeamFeature[] | boolean | undefined): TeamFeature[] {
  const feature = teamFeatures.find((each) => each === value);
  if (!feature) throw new InvalidArgumentError(`The features are ${teamFeatures.join(', ')}.`);
  return [...(Array.isArray(earlier) ? earlier : []), feature];
}

/** Everything but the team's secrets, which never leave the service. */
const shown = ({ secret, previous_secret, ...team }: Team): Omit<Team, 'secret' | 'previous_secret'> => team;

const featuresOf = (team: Team): string => team.features.join(', ') || 'none';
