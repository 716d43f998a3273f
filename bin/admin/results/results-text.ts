import { shortened } from '../../../lib/content/similar.ts';
import type { Results } from '../../../lib/domain/results/results.ts';
import { inLine } from '../../output.ts';
import type { LanguageCounts } from '../operations/results/languages.ts';
import type { Recount } from '../operations/results/recount.ts';
import { number, quantity } from '../text.ts';

export type CampaignResults = Results & {
  /** Empty if the campaign has one language. */
  by_language: LanguageCounts[];
};

/** Width of the longest bar, in characters. */
const widest = 30;
/** Days that are shown; CSV and the page have all. */
const shownDays = 14;

/** The results as tables with bars. */
export function resultsText(
  { journeys, targeted, pages, questions, messages, by_language, by_day, as_of }: CampaignResults,
  name: string,
): string {
  const { created, opened, completed, verified, cancelled, expired, by_source } = journeys;
  const parts = [
    `${inLine(name)}, ${as_of.slice(0, 16).replace('T', ' ')} UTC`,
    barsOf(Object.entries({ created, opened, completed, verified, cancelled, expired }), created),
    targeted > 0 ? `Noted as targeted, without a journey: ${quantity(targeted, 'contact')}` : '',
    section('By source: created', barRows(Object.entries(by_source), created)),
    section(
      'By language: created, opened, completed',
      by_language.map(({ language, ...counts }) => countsRow(languageLabel(language).padEnd(30), counts)),
    ),
    section(
      'Pages: viewed, completed, declined',
      pages.flatMap(({ page_id, name: title, viewed, completed: done, declined }) => [
        ...barRows(
          [
            [title ?? page_id, viewed],
            ['  completed', done],
          ],
          created,
        ),
        ...(declined > 0 ? barRows([['  declined', declined]], created) : []),
      ]),
    ),
    ...questions.map((asked) => {
      const note = sharesNote(asked);
      const rows = asked.answers.map((each) => [answerLabel(each, typedLabel(asked)), each.count] as const);
      const heading = `${questionLabel(asked)}${note === undefined ? '' : ` (${note})`}`;
      return section(heading, barRows(rows, asked.answered));
    }),
    ...messages
      .filter(({ due }) => due > 0)
      .map(({ template_message_id, name, due, ...counts }) =>
        section(
          `Message ${name ?? template_message_id}: ${number(due)} due`,
          barRows(
            Object.entries(counts).filter(([kind, count]) => kind === 'sent' || count > 0),
            due,
          ),
        ),
      ),
    section(
      'By day: created, opened, completed',
      by_day.slice(-shownDays).map(({ date, ...counts }) => countsRow(date, counts)),
    ),
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

const section = (heading: string, rows: readonly string[]): string =>
  rows.length === 0 ? '' : [inLine(heading), ...rows.map((row) => `  ${row}`)].join('\n');

const countsRow = (label: string, { created, opened, completed }: Omit<LanguageCounts, 'language'>): string =>
  [label, ...[created, opened, completed].map((count) => number(count).padStart(7))].join('  ');

const barsOf = (rows: readonly [string, number][], whole: number): string => barRows(rows, whole).join('\n');

/** Lines of label, number, share and bar. @param whole the number of which the bars are shares */
function barRows(rows: readonly (readonly [label: string, count: number])[], whole: number): string[] {
  return rows.map(([label, count]) => {
    const share = whole === 0 ? 0 : count / whole;
    const bar = '█'.repeat(Math.round(Math.min(share, 1) * widest));
    return `${shortened(inLine(label), 30).padEnd(30)} ${number(count).padStart(9)} ${`${Math.round(share * 100)}%`.padStart(5)}  ${bar}`.trimEnd();
  });
}

/** What a recount found in each template. */
export function recountText(recounts: readonly Recount[]): string {
  if (recounts.length === 0) return 'The team has no campaigns.';
  return recounts
    .map(({ name, template_id, journeys, missed, not_counted, differences, unsettled }) => {
      const found =
        differences.length === 0 ? 'no difference' : `${quantity(differences.length, 'difference')}, corrected:`;
      return [
        `${inLine(name ?? template_id)}: ${quantity(journeys, 'journey')}, ${found}`,
        ...differences.map(({ group, counter, by }) => `  ${group} ${counter}: ${by > 0 ? '+' : ''}${by}`),
        ...(missed > 0 ? [`  ${quantity(missed, 'journey')} had not been counted completely, and are now`] : []),
        ...(not_counted > 0 ? [`  ${quantity(not_counted, 'group')} of journeys could not be counted`] : []),
        ...(unsettled > 0 ? [`  ${quantity(unsettled, 'group')} changed meanwhile: run it again to compare them`] : []),
      ].join('\n');
    })
    .join('\n');
}

/** How tables, CSV and the page call languages, questions and answers. */

const languageNames = new Intl.DisplayNames('en', { type: 'language' });

export const languageLabel = (language: string | null): string =>
  language === null ? 'None of these' : `${languageNames.of(new Intl.Locale(language).baseName)} (${language})`;

type Question = Results['questions'][number];

export const questionLabel = ({ question, key }: Question): string => question ?? `${key} (removed)`;

/** @param typed how what was typed is called, which is one answer */
export const answerLabel = ({ key, answer }: Question['answers'][number], typed: string): string =>
  answer ?? (key === null ? typed : `${key} (removed)`);

export const typedLabel = ({ type }: Pick<Question, 'type'>, texts = 'typed texts'): string =>
  type === 'number' ? 'numbers' : type === 'date' ? 'dates' : texts;

/** Of whom the counts of the answers are shares. */
export const sharesNote = ({ type, answered }: Question): string | undefined => {
  const people = `${number(answered)} ${answered === 1 ? 'person' : 'people'}`;
  return type === 'options' ? `shares of the ${people} who answered, each with one option or several` : undefined;
};
