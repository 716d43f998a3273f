import { type LinkedContent, linked } from '../../../lib/domain/campaigns/link.ts';
import { hasRule } from '../../../lib/domain/campaigns/targeting-rule.ts';
import type { Template } from '../../../lib/domain/campaigns/template.ts';
import { fits } from '../../../lib/http/reply.ts';
import { loadTeamRules, type TeamRules, timeZoneOf } from '../../../lib/operations/targeting/team-rules.ts';
import { revisionOf } from '../../../lib/store/targeting/revision.ts';
import { say } from '../../output.ts';
import { contactIds } from '../auditing.ts';
import { withReaders } from '../campaigns/readers.ts';
import { documentOf } from '../document.ts';
import { asNotFound, failure } from '../failure.ts';
import { countOption, oneTemplate } from '../options.ts';
import { number, seldom } from '../text.ts';
import { noun, optional, required, team, verb } from '../verb.ts';
import { runningVerbs } from './running.ts';
import { explanationText, previewText } from './texts.ts';

export const verbs = noun('Rules of campaigns: whom targeting starts journeys for; see docs/targeting.md', {
  ...runningVerbs,

  preview: verb({
    does: 'Count who would get a journey by the rule of a campaign, and show some of them; it starts nothing',
    parameters: {
      team,
      template: optional('<id or name>', 'the campaign; with --file, the one in the document'),
      file: optional('<file>', 'a document of campaign content that is not imported yet'),
      sample: optional('<number>', 'look at the newest contacts only, for a quick answer', countOption),
    },
    run: async (installation, given) => {
      const service = withReaders(installation);
      const rules = await loadTeamRules(service, given.team);
      const { template, content } = await chosenRule(service, rules, given);
      if (!hasRule(template)) throw failure('not_found', 'the campaign has no `targeting_groups`', '--template');
      const revision = revisionOf(template);
      const { previewRule } = await import('../operations/targeting/preview.ts');
      const context = { now: service.now(), timeZone: timeZoneOf(rules.content.team), content };
      const preview = await previewRule(
        service,
        given.team,
        { template, context },
        {
          live: rules.rules.find((rule) => rule.template.id === template.id && rule.revision === revision),
          ...{ revision, sample: given.sample, onProgress: progressOf(given.sample ?? rules.state.contacts) },
        },
      );
      const { id: template_id, name, journey_creation_strategy } = template;
      const strategy = journey_creation_strategy ?? 'ONE_FOR_ALL';
      const value = { template_id, name, strategy, sample: given.sample ?? null, ...preview };
      return { value, text: previewText(value), ids: { template_id } };
    },
  }),

  explain: verb({
    does: 'Show why a contact is in each campaign, or not: every condition, and what was found',
    parameters: { team, uniqueId: required('<unique_id>', 'the contact') },
    ids: (given, database) => contactIds(database, given.team, given.uniqueId),
    run: async (installation, given) => {
      const { explainPerson } = await import('../operations/targeting/explain.ts');
      const explanation = await explainPerson(withReaders(installation), given.team, given.uniqueId).catch(
        asNotFound(() => failure('not_found', 'the team has no contact with this unique_id', '--unique-id')),
      );
      const { person, templates } = explanation;
      const value = {
        ...{ unique_id: person.contact.unique_id, contact_id: person.contact.id },
        templates: templates.map(({ template, since, revision, outcome, explained }) => ({
          ...{ template_id: template.id, name: template.name, since, revision, outcome },
          accounts: explained.subjects.map(({ account, ...subject }) => ({
            ...{ account_id: account?.id ?? null, account_number: account?.link.account_number ?? null },
            ...{ holds: subject.holds, is_since: subject.isSince },
            groups: subject.groups.map(({ conditions, ...group }) => ({
              ...group,
              conditions: conditions.map(({ holds, condition, ...each }) => ({
                ...condition,
                holds,
                ...('found' in each
                  ? { found: each.found }
                  : { accounts: each.accounts.map(({ link }) => link.account_number) }),
              })),
            })),
          })),
        })),
      };
      return { value, text: explanationText(explanation) };
    },
  }),
});

type Service = ReturnType<typeof withReaders>;

type Chosen = { team: string; template: string | undefined; file: string | undefined };

/** The template whose rule is previewed, and the content as it is, or would be after the import of the file. */
async function chosenRule(
  { database, now }: Service,
  { content: current }: TeamRules,
  { team: teamId, template, file }: Chosen,
): Promise<{ template: Template; content: LinkedContent }> {
  if (file === undefined) {
    if (template === undefined) throw failure('invalid_arguments', 'give --template, --file, or both', '--template');
    return { template: oneTemplate(current.templates, template), content: current };
  }
  const { checkContent } = await import('../../../lib/operations/publishing/import-content.ts');
  const checked = await checkContent({ database, now, fits }, teamId, documentOf(file, true));
  const content = linked(checked.content, checked.global, { teamId, team: null });
  const ids = new Set(checked.given.templates.map(({ id }) => id));
  const inFile = content.templates.filter(({ id }) => ids.has(id));
  return { template: template === undefined ? onlyRule(inFile) : oneTemplate(inFile, template), content };
}

function onlyRule(templates: readonly Template[]): Template {
  const [only, ...others] = templates.filter(hasRule);
  if (!only) throw failure('not_found', 'no template of the document has `targeting_groups`', '--file');
  if (others.length === 0) return only;
  const names = [only, ...others].map(({ id, name }) => JSON.stringify(name ?? id)).join(', ');
  throw failure('invalid_arguments', `is needed, because the document has several rules: ${names}`, '--template');
}

/** Says how far the preview is. @param of how many there are, if it is known */
const progressOf = (of: number | null): ((contacts: number) => void) =>
  seldom((contacts) => say(`Looked at ${number(contacts)}${of === null ? '' : ` of about ${number(of)}`} contacts …`));
