import { type Place, placeNames, places, type Results } from './places.ts';
import { keyOf, type Row } from './row.ts';
import { rows, sections } from './rows.ts';

const intro = `# Conformance

This page lists what the specification demands, sentence by sentence, in our words and under the headings of the specification. For each demand it says which check shows it, and the result of the last run in each place. \`npm run conformance\` runs the checks and writes this page.

A check sends HTTP requests only, as a partner does, and compares status, body and headers. It uses a throw-away team with data of its own. A demand that requests alone cannot show has a reason and a test instead.

\`\`\`console
npm run conformance                                             # the running local service
npm run conformance -- --stack NAME                             # a deployed stack
npm run conformance -- --base-url http://127.0.0.1:3000 --json  # one JSON value
npm run conformance -- --write local                            # also write this page
npm run rehearse -- --write-conformance                         # on the emulator of AWS
\`\`\`

For DynamoDB Local, start the local service [with \`DYNAMODB_ENDPOINT\`](local-service.md), then run the command with \`--write dynamodb-local\`. \`npm run test:amazon-engine -- test/conformance\` does the same as a test.

The two last sections are not in the specification: they list the errors and limits that this service decides where the specification says "not shown", and the endpoints and fields that it adds.
`;

/** The page, from the rows and the results of the last run in each place. */
export const conformancePage = (results: Results): string =>
  [intro, summary(results), ...sections.map((section) => sectionText(section, results))].join('\n');

function summary(results: Results): string {
  const lines = placeNames.map((place) => {
    const day = results.run_on[place];
    if (day === undefined) return `| ${places[place]} | not run here | | |`;
    const count = (what: string) => rows.filter((row) => results.rows[keyOf(row)]?.[place] === what).length;
    return `| ${places[place]} | ${day} | ${count('passed')} | ${count('failed')} |`;
  });
  const withTest = rows.filter((row) => 'test' in row).length;
  return [
    '## Results',
    '',
    `${rows.length} demands: ${rows.length - withTest} have a check, ${withTest} have a test instead.`,
    '',
    '| place | last run | passed | failed |',
    '|---|---|---|---|',
    ...lines,
    '',
  ].join('\n');
}

function sectionText(section: string, results: Results): string {
  const own = rows.filter((row) => row.section === section);
  return [
    `## ${section}`,
    '',
    `| demand | check | ${placeNames.map((place) => places[place]).join(' | ')} |`,
    `|---|---|${placeNames.map(() => '---|').join('')}`,
    ...own.map((row) => lineOf(row, results)),
    '',
  ].join('\n');
}

function lineOf(row: Row, results: Results): string {
  const found = results.rows[keyOf(row)] ?? {};
  const cells = placeNames.map((place) => resultOf(row, place, found));
  const shown = 'test' in row ? `${row.shown} Test: [${row.test}](../${row.test})` : row.shown;
  return `| ${[row.demand, shown].map(escaped).join(' | ')} | ${cells.join(' | ')} |`;
}

const resultOf = (row: Row, place: Place, found: Partial<Record<Place, string>>): string =>
  'test' in row ? 'by test' : (found[place] ?? 'not run here');

const escaped = (text: string): string => text.replaceAll('|', '\\|');
