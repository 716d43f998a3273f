import type { Batch } from '../../client/index.ts';
import type { Totals } from './files.ts';
import type { Invitations, JourneysReport } from './journeys.ts';
import type { ContactsLoaded } from './load.ts';

/** The result of one run, as `--json` prints it. */
export type Report = {
  base_url: string;
  batch_id: string;
  contacts: ContactsLoaded;
  posted: { chunks: number; accepted: number };
  batch: Pick<Batch, 'status' | 'chunks' | 'records'>;
  files: Totals;
  service: Totals;
  /** `null` if the team does not have the sample campaign. */
  journeys: JourneysReport | null;
  /** What the campaign has sent at the start of its journeys. `null` if the run did not wait for it. */
  invitations: Invitations | null;
  /** Contacts of the team that are not in the files; they are not touched. */
  other_contacts: number;
  differences: string[];
  seconds: Record<StepName, number>;
};

export type StepName =
  | 'contacts'
  | 'accounts'
  | 'import'
  | 'read_contacts'
  | 'read_accounts'
  | 'journeys'
  | 'invitations'
  | 'visits';

export const isRight = ({ differences, files, service, batch, posted }: Report): boolean =>
  differences.length === 0 &&
  JSON.stringify(files) === JSON.stringify(service) &&
  batch.status === 'completed' &&
  batch.records.applied + batch.records.unchanged === posted.accepted &&
  posted.accepted === files.links;

const shownDifferences = 20;

export function textOf(report: Report): string {
  const { contacts, posted, batch, files, service, seconds, differences } = report;
  const { applied, unchanged, superseded, rejected } = batch.records;
  const steps = [
    step('contacts', `${n(files.contacts)} in ${contacts.calls} calls`, seconds.contacts, [
      [contacts.new, 'new'],
      [contacts.changed, 'changed'],
      [contacts.unchanged, 'unchanged'],
    ]),
    step('accounts', `${n(posted.accepted)} records in ${posted.chunks} chunks accepted`, seconds.accounts),
    step('import', `${batch.chunks.completed} chunks ${batch.status}`, seconds.import, [
      [applied, 'applied'],
      [unchanged, 'unchanged'],
      [superseded, 'superseded'],
      [rejected, 'rejected'],
    ]),
    step('read', `${n(service.contacts)} contacts, page by page`, seconds.read_contacts),
    step('read', `${n(service.links)} accounts of ${n(service.contacts)} contacts`, seconds.read_accounts),
  ];
  return [
    ...steps,
    ...(report.journeys ? [journeysStep(report.journeys, seconds.journeys)] : []),
    ...(report.invitations
      ? [step('messages', `${n(report.invitations.sent)} invitations sent, see /outbox`, seconds.invitations)]
      : []),
    '',
    row('', 'in the files', 'in the service'),
    ...rows.map((name) => row(name, n(files[name]), n(service[name]))),
    '',
    ...(report.journeys ? [...journeyLines(report.journeys), ''] : []),
    ...(report.other_contacts > 0
      ? [
          report.other_contacts === 1
            ? 'The team has 1 other contact, which was not touched.'
            : `The team has ${n(report.other_contacts)} other contacts, which were not touched.`,
        ]
      : []),
    ...differences.slice(0, shownDifferences),
    ...(differences.length > shownDifferences ? [`… and ${n(differences.length - shownDifferences)} more`] : []),
    verdict(report),
  ].join('\n');
}

const journeysStep = (journeys: JourneysReport, took: number): string =>
  step('journeys', `${n(journeys.new + journeys.existing)} of the campaign, ${n(journeys.by_rule)} by its rule`, took, [
    [journeys.new, 'new'],
    [journeys.existing, 'existing'],
  ]);

const journeyLines = ({ campaign, pages, completely_viewed, completed }: JourneysReport): string[] => [
  pageRow(campaign, 'completes by', 'viewed', 'completed'),
  ...pages.map(({ page, condition, ...counts }) =>
    pageRow(`  ${page}`, condition ?? '-', n(counts.viewed), n(counts.completed)),
  ),
  pageRow('  all pages', '', n(completely_viewed), n(completed)),
];

const pageRow = (...[name, condition, viewed, completed]: [string, string, string, string]) =>
  `  ${name.slice(0, 34).padEnd(36)}${condition.padEnd(14)}${viewed.padStart(8)}${completed.padStart(12)}`;

const rows = ['contacts', 'accounts', 'links', 'products'] as const;

function verdict(report: Report): string {
  if (!isRight(report)) return 'The service differs from the files.';
  const { contacts, batch, journeys } = report;
  const changed = contacts.new + contacts.changed + batch.records.applied + (journeys?.new ?? 0);
  return changed === 0
    ? 'Every record matches the files, and every record was unchanged.'
    : 'Every record matches the files. If you run this again, nothing changes.';
}

const n = (value: number) => value.toLocaleString('en');
const row = (...[name, left, right]: [string, string, string]) =>
  `  ${name.padEnd(20)}${left.padStart(14)}${right.padStart(16)}`;

function step(name: string, what: string, seconds: number, counts: [number, string][] = []): string {
  const outcome = counts.filter(([count]) => count > 0).map(([count, word]) => `${n(count)} ${word}`);
  return `  ${name.padEnd(10)}${what.padEnd(42)}${outcome.join(', ').padEnd(24)}${seconds.toFixed(1).padStart(6)} s`;
}
